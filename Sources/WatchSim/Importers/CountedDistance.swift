import CoachProtocol

// Distance as a function of timer time, not of wall-clock time: the timer stops during a pause, so nothing that happens
// there can add to the distance.

/// Converts times of one workout between wall clock and timer, in whole milliseconds since its start.
struct TimerClock: Sendable, Equatable {
  /// In order, not overlapping, none empty.
  let pauses: [Range<Int64>]
  private let origin: Double

  init(start: Double, pauses: [RecordedWorkout.Pause]) {
    origin = start
    var ranges: [Range<Int64>] = []
    for pause in pauses.sorted(by: { $0.from < $1.from }) {
      let from = max(Self.milliseconds(pause.from - start), ranges.last?.upperBound ?? 0)
      let to = Self.milliseconds(pause.to - start)
      if from < to { ranges.append(from..<to) }
    }
    self.pauses = ranges
  }

  /// Milliseconds from the start to an instant in Unix seconds.
  func wall(_ time: Double) -> Int64 { Self.milliseconds(time - origin) }

  /// Timer milliseconds for each of `walls`, which must not decrease.
  func timers(for walls: some Sequence<Int64>) -> [Int64] {
    var index = 0
    var pausedBefore: Int64 = 0
    return walls.map { wall in
      while index < pauses.count, pauses[index].upperBound <= wall {
        pausedBefore += pauses[index].upperBound - pauses[index].lowerBound
        index += 1
      }
      guard index < pauses.count, pauses[index].lowerBound < wall else { return wall - pausedBefore }
      return pauses[index].lowerBound - pausedBefore
    }
  }

  private static func milliseconds(_ seconds: Double) -> Int64 {
    // A thousand years either way: far outside any workout, far inside 64 bits.
    Int64((min(max(seconds, -3.2e10), 3.2e10) * 1_000).rounded())
  }
}

/// Cumulative distance over timer time.
struct CountedDistance: Sendable, Equatable {
  /// A distance at a timer time; neither decreases from one knot to the next.
  struct Knot: Sendable, Equatable {
    var timerMilliseconds: Int64
    var millimetres: Int64
  }

  private(set) var knots: [Knot] = []

  var totalMillimetres: Int64 { knots.last?.millimetres ?? 0 }

  /// Builds the curve from samples that are sorted by time and have cumulative distances.
  ///
  /// A device's own figures are taken as they are: growth across a pause is spread over the timer time that follows. A
  /// sum over positions ignores the timer: of a leg that overlaps a recorded pause, only the part outside counts.
  /// Inferred pauses leave a gap's distance its time, so nothing is subtracted there.
  ///
  /// Distance before the first sample with a time was covered at an unknown time, and does not count.
  init(
    samples: [RecordedWorkout.Sample], pauses: [RecordedWorkout.Pause],
    source: RecordedWorkout.DistanceSource, start: Double? = nil, speedMax: Double = Sport.other.speedMax
  ) {
    guard let origin = start ?? samples.lazy.compactMap(\.time).first else { return }
    let timed = samples.filter { $0.time != nil && $0.distance != nil }
    let clock = TimerClock(start: origin, pauses: pauses)
    let walls = timed.map { clock.wall($0.time ?? origin) }
    let timers = clock.timers(for: walls)
    let stops = TimerClock(start: origin, pauses: pauses.filter { $0.kind != .inferred })
    let recordedTimers = source == .greatCircle ? stops.timers(for: walls) : walls

    var highest: Int64 = 0
    var total: Int64 = 0
    var lastWall: Int64?
    for index in timed.indices {
      let reached = max(highest, Int64(((timed[index].distance ?? 0) * 1_000).rounded()))
      var leg = reached - highest
      if index == 0, Double(leg) > speedMax * Double(max(timers[0], 0)) { leg = 0 }
      if index > 0, walls[index] > walls[index - 1] {
        leg = Self.share(
          of: leg, recordedTimers[index] - recordedTimers[index - 1], outOf: walls[index] - walls[index - 1])
      }
      highest = reached
      // What was covered before the start is no part of the workout.
      if walls[index] < 0 { leg = 0 }
      total += leg
      let knot = Knot(timerMilliseconds: max(timers[index], 0), millimetres: total)
      guard let last = knots.last, last.timerMilliseconds >= knot.timerMilliseconds else {
        knots.append(knot)
        lastWall = walls[index]
        continue
      }
      // At the same instant the later sample wins. At the same timer time but another instant it lies in a pause.
      if lastWall == walls[index] { knots[knots.count - 1].millimetres = total }
    }
  }

  /// Scales the curve so that it reaches a total at a timer time.
  ///
  /// Changes nothing if it reaches nothing there, or if less than half or more than twice as much.
  mutating func scale(toMillimetres total: Int64, at timer: Int64) {
    guard let next = knots.firstIndex(where: { $0.timerMilliseconds > timer }) else {
      return scale(from: totalMillimetres, to: total)
    }
    let before = next > 0 ? knots[next - 1] : Knot(timerMilliseconds: 0, millimetres: 0)
    let share = Self.share(
      of: knots[next].millimetres - before.millimetres, timer - before.timerMilliseconds,
      outOf: knots[next].timerMilliseconds - before.timerMilliseconds)
    scale(from: before.millimetres + share, to: total)
  }

  private mutating func scale(from reached: Int64, to total: Int64) {
    guard reached > 0, reached != total, reached / 2 <= total, total / 2 <= reached else { return }
    for index in knots.indices {
      knots[index].millimetres = Int64(Int128(knots[index].millimetres) * Int128(total) / Int128(reached))
    }
  }

  /// `value` times `part` over `whole`, rounded down; `part` is between 0 and `whole`.
  static func share(of value: Int64, _ part: Int64, outOf whole: Int64) -> Int64 {
    Int64(Int128(value) * Int128(part) / Int128(whole))
  }
}

// Distance of recordings whose records have none: treadmills write speeds, other programs only laps or a total.

/// Computes distances from speeds, laps and totals.
enum DistanceSpread {
  /// A speed holds for at most this many seconds, and for three usual steps.
  private static let holdSecondsMin = 30.0

  /// Metres by the samples' speeds; nil if fewer than half of the samples with a time have one.
  static func metres(bySpeedOf samples: [RecordedWorkout.Sample]) -> Double? {
    let timed = samples.count { $0.time != nil }
    guard timed >= 2, samples.count(where: { $0.time != nil && $0.speed != nil }) * 2 >= timed else { return nil }
    var samples = samples
    spread(bySpeedOf: &samples)
    return samples.lazy.compactMap(\.distance).max()
  }

  /// Sets distances by the trapezoidal rule.
  static func spread(bySpeedOf samples: inout [RecordedWorkout.Sample]) {
    let hold = max(holdSecondsMin, 3 * SampleBlocks.usualStep(of: samples))
    var metres = 0.0
    var last: (time: Double, speed: Double)?
    for index in samples.indices {
      samples[index].distance = nil
      guard let time = samples[index].time, let speed = samples[index].speed else { continue }
      if let last, time > last.time { metres += (last.speed + speed) / 2 * min(time - last.time, hold) }
      if time > last?.time ?? -.infinity { last = (time, speed) }
      samples[index].distance = rounded(metres)
    }
  }

  /// Sets distances by the laps; false, and nothing is changed, if they do not all have a time and a distance.
  static func spread(
    _ laps: [RecordedWorkout.Lap], over samples: inout [RecordedWorkout.Sample], start: Double
  ) -> Bool {
    guard let curve = curve(of: laps, start: start), let last = curve.last, last.metres > 0 else { return false }
    var next = 0
    for index in samples.indices {
      guard let time = samples[index].time else { continue }
      // Samples may step back in time by a little.
      while next > 0, curve[next - 1].time > time { next -= 1 }
      while next < curve.count, curve[next].time < time { next += 1 }
      samples[index].distance = rounded(metres(at: time, on: curve, next))
    }
    return true
  }

  private static func metres(at time: Double, on curve: [(time: Double, metres: Double)], _ next: Int) -> Double {
    guard next < curve.count else { return curve[curve.count - 1].metres }
    guard next > 0 else { return 0 }
    let (before, after) = (curve[next - 1], curve[next])
    guard after.time > before.time else { return after.metres }
    return before.metres + (after.metres - before.metres) * (time - before.time) / (after.time - before.time)
  }

  /// The distance at the beginning and the end of each lap, in order of time; nil if a lap lacks its time or distance.
  static func curve(of laps: [RecordedWorkout.Lap], start: Double) -> [(time: Double, metres: Double)]? {
    var curve: [(time: Double, metres: Double)] = []
    var metres = 0.0
    var end = start
    for lap in laps {
      guard let seconds = lap.elapsed ?? lap.timer, let distance = lap.distance else { return nil }
      let begin = max(lap.start ?? end, end)
      curve.append((begin, metres))
      metres += distance
      end = begin + seconds
      curve.append((end, metres))
    }
    return curve.isEmpty ? nil : curve
  }

  /// Sets distances in proportion to the time.
  static func spread(
    _ total: Double, over samples: inout [RecordedWorkout.Sample], from start: Double, to end: Double
  ) {
    for index in samples.indices {
      samples[index].distance = samples[index].time.map { time in
        rounded(total * min(max(time - start, 0), end - start) / (end - start))
      }
    }
  }

  private static func rounded(_ metres: Double) -> Double { (metres * 1_000).rounded() / 1_000 }
}
