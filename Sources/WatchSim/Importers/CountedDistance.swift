import CoachProtocol

// How far the wearer had come after so much timer time. Distance is laid over the timer, not over the clock on the wall: the timer
// stands still during a pause, so whatever happens there cannot add to the distance.

/// Times of one workout in whole milliseconds since its start, and how long the timer ran until each.
struct TimerClock: Sendable, Equatable {
  /// The pauses in order, not overlapping, none of them empty.
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

  /// Milliseconds since the start of an instant in Unix seconds.
  func wall(_ time: Double) -> Int64 { Self.milliseconds(time - origin) }

  /// Milliseconds of timer for each of `walls`, which must not fall.
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
  /// A distance reached after so much timer time; neither falls from one to the next.
  struct Knot: Sendable, Equatable {
    var timerMilliseconds: Int64
    var millimetres: Int64
  }

  private(set) var knots: [Knot] = []

  /// The whole distance.
  var totalMillimetres: Int64 { knots.last?.millimetres ?? 0 }

  /// Makes the curve from samples that are sorted by time and carry cumulative distances.
  ///
  /// What a device recorded is its word on the distance: growth across a pause is spread over the timer time that follows. A sum over
  /// positions knows nothing of the timer: of a leg that falls into a recorded pause, only the part outside of it counts. Inferred
  /// pauses leave a gap's way its time, so nothing is taken off there.
  ///
  /// Distance before the first sample with a time (of points without one) was covered at a time that is not known, and does
  /// not count.
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
      total += leg
      let knot = Knot(timerMilliseconds: max(timers[index], 0), millimetres: total)
      guard let last = knots.last, last.timerMilliseconds >= knot.timerMilliseconds else {
        knots.append(knot)
        lastWall = walls[index]
        continue
      }
      // At the same instant the later sample is the better one. At the same timer time but another instant it lies in a pause.
      if lastWall == walls[index] { knots[knots.count - 1].millimetres = total }
    }
  }

  /// `value` times `part` over `whole`, rounded down; `part` lies between 0 and `whole`.
  static func share(of value: Int64, _ part: Int64, outOf whole: Int64) -> Int64 {
    Int64(Int128(value) * Int128(part) / Int128(whole))
  }
}
