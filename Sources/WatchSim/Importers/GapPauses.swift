// Pauses that no event records. GPX has no word for them: a new segment usually means that the recording was stopped, and many
// programs never start a new one, so that a long gap with hardly any way made is all there is to see.

/// Pauses read off the gaps between samples.
enum GapPauses {
  /// A gap within a segment longer than this, in seconds, may be a pause.
  ///
  /// Mature readers use 10 to 60.
  static let gapSecondsMin = 20.0
  /// Slower than this within a gap, in metres per second, is slower than walking.
  static let walkingSpeedMin = 1.0
  /// The break between two segments counts as a pause from this many seconds on; shorter ones are the program's doing.
  static let breakSecondsMin = 2.0

  /// Returns the pauses in `samples`, which are sorted by time and carry distances.
  ///
  /// The way made within a gap is kept: it is taken as done at the workout's mean moving speed just before the next sample, and the
  /// pause is the rest of the gap, if at least `gapSecondsMin` of it is left.
  static func infer(
    from samples: [RecordedWorkout.Sample], findings: inout Findings
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
    findings.note(pauses.count, "pause inferred from a gap", "pauses inferred from gaps")
    return pauses
  }

  /// Metres per second over the steps of at most 10 s that are at least walking; 0 when there is none.
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

  /// A gap longer than this, in seconds, may hide a stop of a timer that is known to have stopped.
  static let stopSecondsMin = 3.0

  /// Returns the pauses of a timer that stood still for `seconds` in all, without a word about when.
  ///
  /// The gaps that are longest for the way made in them are taken, the longest first, until together they are long enough.
  static func filling(
    _ seconds: Double, from samples: [RecordedWorkout.Sample], findings: inout Findings
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
    findings.note(pauses.count, "pause inferred from the timer and a gap", "pauses inferred from the timer and gaps")
    return pauses
  }

  /// How long the gaps between samples are beyond the time that their way took.
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
