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
