// Pauses without an event. GPX cannot express them: a new segment usually means that the recording was stopped, and
// many programs never start a new one, so a long gap with hardly any distance is the only sign.

/// Infers pauses from the gaps between samples.
enum GapPauses {
  /// A longer gap within a segment, in seconds, may be a pause.
  ///
  /// Common readers use 10 to 60.
  static let gapSecondsMin = 20.0
  /// Below this speed within a gap, in metres per second, the wearer stood.
  static let walkingSpeedMin = 1.0
  /// A break between two segments is a pause from this many seconds on; shorter ones are artefacts of the program.
  static let breakSecondsMin = 2.0

  /// The pauses in `samples`, which are sorted by time and have distances.
  ///
  /// The distance within a gap is kept: it counts as covered at the workout's mean moving speed just before the next
  /// sample. The pause is the rest of the gap, if at least `gapSecondsMin` remains.
  static func infer(
    from samples: [RecordedWorkout.Sample], findings: inout ImportFindings
  ) -> [RecordedWorkout.Pause] {
    let speed = movingSpeed(in: samples)
    var pauses: [RecordedWorkout.Pause] = []
    var previous: (time: Double, distance: Double, segment: Int)?
    var distance = 0.0
    for sample in samples {
      distance = max(distance, sample.distance ?? 0)
      guard let time = sample.time else { continue }
      defer { previous = (time, distance, sample.segment) }
      guard let previous else { continue }
      let gap = time - previous.time
      if sample.segment != previous.segment {
        if gap >= breakSecondsMin { pauses.append(.init(from: previous.time, to: time, kind: .inferred)) }
        continue
      }
      let way = distance - previous.distance
      guard gap > gapSecondsMin, way < walkingSpeedMin * gap else { continue }
      let standing = way > 0 ? gap - way / max(speed, walkingSpeedMin) : gap
      guard standing >= gapSecondsMin else { continue }
      pauses.append(.init(from: previous.time, to: previous.time + standing.rounded(.down), kind: .inferred))
    }
    findings.add(pauses.count, "pause inferred from a gap", "pauses inferred from gaps")
    return pauses
  }

  /// Metres per second over the steps of at most 10 s that are at least walking; 0 if there is none.
  private static func movingSpeed(in samples: [RecordedWorkout.Sample]) -> Double {
    var metres = 0.0
    var seconds = 0.0
    var previous: (time: Double, distance: Double)?
    for sample in samples {
      guard let time = sample.time, let distance = sample.distance else { continue }
      if let previous {
        let step = time - previous.time
        let way = distance - previous.distance
        if step > 0, step <= 10, way >= walkingSpeedMin * step {
          metres += way
          seconds += step
        }
      }
      previous = (time, distance)
    }
    return seconds > 0 ? metres / seconds : 0
  }

  /// A longer gap, in seconds, may contain a stop of a timer that is known to have stopped.
  static let stopSecondsMin = 3.0

  /// The pauses of a timer that stopped for `seconds` in all, at unknown times.
  ///
  /// Uses the gaps that are longest for their distance, the longest first, until together they are long enough.
  static func filling(
    _ seconds: Double, from samples: [RecordedWorkout.Sample], findings: inout ImportFindings
  ) -> [RecordedWorkout.Pause] {
    let speed = max(movingSpeed(in: samples), walkingSpeedMin)
    var rest = seconds
    var pauses: [RecordedWorkout.Pause] = []
    let gaps = self.gaps(in: samples, speed: speed).sorted { ($0.still, $1.from) > ($1.still, $0.from) }
    for gap in gaps where rest >= 1 && gap.still >= stopSecondsMin {
      let still = min(gap.still, rest).rounded(.down)
      guard still >= 1 else { continue }
      pauses.append(.init(from: gap.from, to: gap.from + still, kind: .inferred))
      rest -= still
    }
    pauses.sort { $0.from < $1.from }
    findings.add(pauses.count, "pause inferred from the timer and a gap", "pauses inferred from the timer and gaps")
    return pauses
  }

  /// By how much the gaps between samples exceed the time for their distance.
  static func stillSeconds(in samples: [RecordedWorkout.Sample]) -> Double {
    gaps(in: samples, speed: max(movingSpeed(in: samples), walkingSpeedMin))
      .reduce(0) { $0 + ($1.still > gapSecondsMin ? $1.still : 0) }
  }

  private static func gaps(
    in samples: [RecordedWorkout.Sample], speed: Double
  ) -> [(from: Double, still: Double)] {
    var gaps: [(from: Double, still: Double)] = []
    var previous: (time: Double, distance: Double)?
    var distance = 0.0
    for sample in samples {
      distance = max(distance, sample.distance ?? 0)
      guard let time = sample.time else { continue }
      defer { previous = (time, distance) }
      guard let previous, time > previous.time else { continue }
      gaps.append((previous.time, time - previous.time - (distance - previous.distance) / speed))
    }
    return gaps
  }
}

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
