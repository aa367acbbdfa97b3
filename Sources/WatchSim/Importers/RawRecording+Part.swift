// One workout out of a recording of several, by its time.

extension RawRecording {
  /// A part of a recording: what the device says of it, with its start and its elapsed time.
  struct Part {
    var sport: String?
    var summary: RecordedWorkout.Summary
  }

  /// The recording as far as one of its parts goes.
  func restricted(to part: Part) -> RawRecording {
    guard let from = part.summary.start, let elapsed = part.summary.elapsed else { return self }
    let to = from + elapsed
    var raw = self
    raw.sport = part.sport
    raw.start = from
    let device = raw.summary.device
    raw.summary = part.summary
    raw.summary.device = device
    raw.timerEnd = to
    raw.samples = samples.filter { $0.time.map { from <= $0 && $0 <= to } ?? false }
    raw.laps = laps.filter { $0.start.map { from <= $0 && $0 < to } ?? false }
    raw.lengths = lengths.filter { $0.start.map { from <= $0 && $0 < to } ?? false }
    raw.pauses = pauses?.filter { from <= $0.from && $0.to <= to }
    beginDistances(&raw.samples, claimed: part.summary.distance)
    raw.findings.note("one part of \(sport ?? "several") was read")
    return raw
  }

  /// Some devices count the distance on from part to part.
  private func beginDistances(_ samples: inout [RecordedWorkout.Sample], claimed: Double?) {
    guard let claimed, let first = samples.lazy.compactMap(\.distance).first,
      let last = samples.lazy.compactMap(\.distance).last, abs(last - first - claimed) < abs(last - claimed)
    else { return }
    for index in samples.indices { samples[index].distance = samples[index].distance.map { max(0, $0 - first) } }
  }
}
