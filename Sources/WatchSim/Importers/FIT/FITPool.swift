// Pool swims: some watches write one record for each length without a time stamp; the time is in the length message.

/// Adds times to the records of a pool swim.
enum FITPool {
  /// Gives untimed samples the end times of the lengths; makes samples from the lengths if there are none.
  static func addTimes(
    _ samples: inout [RecordedWorkout.Sample], by lengths: [RecordedWorkout.Length], poolLength: Double?,
    findings: inout ImportFindings
  ) {
    guard !lengths.isEmpty, samples.allSatisfy({ $0.time == nil }) else { return }
    let ends = lengths.map { length in length.start.map { $0 + (length.elapsed ?? 0) } }
    if samples.count == lengths.count {
      for index in samples.indices { samples[index].time = ends[index] }
      findings.add("records without times: those of the pool lengths were taken")
    } else if samples.isEmpty, let poolLength, poolLength > 0 {
      var swum = 0.0
      for (length, end) in zip(lengths, ends) {
        swum += length.isActive ? poolLength : 0
        samples.append(RecordedWorkout.Sample(time: end, distance: swum))
      }
      findings.add("no records: samples were made from the pool lengths")
    }
  }
}
