// Pauses and timer of a recording: from its events, or else from the device's timer and the gaps between samples.

/// The timer's stops, and what the device's timer says.
struct TimerPauses {
  /// In order, within the workout, not overlapping.
  let pauses: [RecordedWorkout.Pause]
  /// Seconds without pauses, at most the elapsed time.
  let timer: Double

  /// A timer and a clock that differ by less, in seconds, are rounded apart.
  private static let roundingSecondsMax = 2.0

  /// - Parameters:
  ///   - samples: Sorted by time, with distances.
  ///   - window: Events outside of it are damage.
  init(
    of raw: RawRecording, samples: [RecordedWorkout.Sample], times: WorkoutTimes, window: ClosedRange<Double>,
    findings: inout ImportFindings
  ) {
    let elapsed = times.elapsed
    let claimed = times.isClaimed || raw.lapSeconds != nil ? raw.summary.timer : nil
    var pauses: [RecordedWorkout.Pause]
    if let recorded = raw.pauses {
      pauses = Self.within(window, recorded, findings: &findings)
    } else if let claimed {
      pauses = Self.inferred(claimed, raw, samples, elapsed: elapsed, findings: &findings)
    } else {
      pauses = GapPauses.infer(from: samples, findings: &findings)
    }
    if let start = times.start, let end = times.end { pauses = Self.clip(pauses, to: start...max(start, end)) }
    self.pauses = pauses
    let paused = pauses.reduce(0) { $0 + $1.to - $1.from }
    timer = Self.timer(claimed, raw, elapsed: elapsed, paused: paused, findings: &findings)
  }

  private static func within(
    _ window: ClosedRange<Double>, _ pauses: [RecordedWorkout.Pause], findings: inout ImportFindings
  ) -> [RecordedWorkout.Pause] {
    let kept = pauses.filter { window.contains($0.from) && window.contains($0.to) }
    findings.add(
      pauses.count - kept.count, "pause far from all samples was left out", "pauses far from all samples were left out")
    return kept
  }

  /// The pauses of a timer whose stops were not recorded.
  private static func inferred(
    _ timer: Double, _ raw: RawRecording, _ samples: [RecordedWorkout.Sample], elapsed: Double,
    findings: inout ImportFindings
  ) -> [RecordedWorkout.Pause] {
    let isWholeTime = timer >= elapsed - roundingSecondsMax
    if isWholeTime, raw.lapSeconds != nil, timer <= elapsed + roundingSecondsMax,
      GapPauses.stillSeconds(in: samples) > roundingSecondsMax
    {
      findings.add("the laps' times are those of the wall clock, as they leave no room for the gaps between points")
    }
    // Sparse points are the device's way of writing, not stops: the timer never stopped.
    guard !isWholeTime else { return [] }
    return GapPauses.filling(elapsed - timer, from: samples, findings: &findings)
  }

  private static func clip(
    _ pauses: [RecordedWorkout.Pause], to window: ClosedRange<Double>
  ) -> [RecordedWorkout.Pause] {
    pauses.compactMap { pause in
      var pause = pause
      pause.from = max(pause.from, window.lowerBound)
      pause.to = min(pause.to, window.upperBound)
      return pause.from < pause.to ? pause : nil
    }
  }

  private static func timer(
    _ claimed: Double?, _ raw: RawRecording, elapsed: Double, paused: Double, findings: inout ImportFindings
  ) -> Double {
    let running = max(0, elapsed - paused)
    guard let claimed else { return running }
    if raw.lapSeconds == nil {
      let laps = RawRecording.total(raw.laps.map(\.timer))
      let isContradicted =
        !WorkoutTimes.agree(claimed, running) && (laps.map { WorkoutTimes.agree($0, running) } ?? false)
      guard !isContradicted, claimed <= elapsed || !WorkoutTimes.differ(claimed, elapsed) else {
        findings.add(
          "the device's timer of \(FigureText.rounded(claimed)) s is unusable, the workout took"
            + " \(FigureText.rounded(elapsed)) s\(paused > 0 ? ", \(FigureText.rounded(running)) s of them without pauses" : "")"
        )
        return running
      }
    }
    if claimed > elapsed + roundingSecondsMax {
      findings.add(
        "the device's timer of \(FigureText.rounded(claimed)) s is longer than the workout of"
          + " \(FigureText.rounded(elapsed)) s, which was taken")
    }
    // Some devices round the two apart.
    return min(claimed, elapsed)
  }
}
