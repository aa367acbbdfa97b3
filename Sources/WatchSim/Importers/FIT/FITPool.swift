// Pool swims: some watches write one record a length and give it no time stamp; the time is in the length message.

/// Places the records of a pool swim in time.
enum FITPool {
  /// Gives samples without any time those of the lengths' ends; makes samples from lengths where there are none at all.
  static func placeInTime(
    _ samples: inout [RecordedWorkout.Sample], by lengths: [RecordedWorkout.Length], poolLength: Double?,
    findings: inout Findings
  ) {
    guard !lengths.isEmpty, samples.allSatisfy({ $0.time == nil }) else { return }
    let ends = lengths.map { length in length.start.map { $0 + (length.elapsed ?? 0) } }
    if samples.count == lengths.count {
      for index in samples.indices { samples[index].time = ends[index] }
      findings.note("records without times: those of the pool lengths were taken")
    } else if samples.isEmpty, let poolLength, poolLength > 0 {
      var swum = 0.0
      for (length, end) in zip(lengths, ends) {
        swum += length.isActive ? poolLength : 0
        samples.append(RecordedWorkout.Sample(time: end, distance: swum))
      }
      findings.note("no records: samples were made from the pool lengths")
    }
  }
}
