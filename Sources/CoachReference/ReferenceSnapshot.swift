import CoachProtocol
package import Link

/// A fresh snapshot, read from its trace line.
package struct ReferenceSnapshot: Sendable {
  package private(set) var time: VirtualTime
  package private(set) var line: Int
  package private(set) var epoch: Int64
  package private(set) var seq: Int64
  package private(set) var workout: Identifier?
  package private(set) var elapsed: Double
  package private(set) var distance: Double
  /// Seconds per kilometre; like the following ones NaN if absent or not requested.
  private(set) var currentPace = Double.nan
  private(set) var avgPace = Double.nan
  private(set) var heartRate = Double.nan
  private(set) var cadence = Double.nan

  /// The position of the run, for messages: `3021.4 m, 18:03 into the run`.
  package var position: String {
    let reached = VirtualTime(nanoseconds: Int64(saturating: elapsed * 1e9))
    return "\(distance) m, \(reached.text) into the run"
  }

  /// The value before the first snapshot.
  static let none = ReferenceSnapshot(
    time: .start, line: 0, epoch: 0, seq: 0, workout: nil, elapsed: 0, distance: 0)

  /// Replaces this with a fresh snapshot.
  ///
  /// - Parameter readsAll: Whether to read paces, heart rate and cadence.
  mutating func read(_ metrics: SnapshotMetrics, at time: VirtualTime, line: Int, readsAll: Bool) {
    workout = metrics.workoutId
    self.time = time
    self.line = line
    epoch = metrics.epoch
    seq = metrics.seq
    elapsed = metrics.elapsed
    distance = metrics.distance
    currentPace = readsAll ? metrics.currentPaceSecPerKm ?? .nan : .nan
    avgPace = readsAll ? metrics.avgPaceSecPerKm ?? .nan : .nan
    heartRate = readsAll ? metrics.currentHR.map(Double.init) ?? .nan : .nan
    cadence = readsAll ? metrics.cadence.map(Double.init) ?? .nan : .nan
  }
}

/// The phone's belief about the run, from its `run.state` lines.
package struct ReferenceBelief: Sendable {
  /// The active run, or the last one; nil before the first.
  package private(set) var workout: Identifier?
  /// Nil before the first line.
  package private(set) var state: String?

  /// Whether the run is believed to be running.
  package private(set) var isRunning = false
  /// Whether it is believed to have ended.
  package private(set) var hasEnded = false

  /// Whether the phone's own tracker has the run, or the phone ended it; watch messages do not change such a run.
  package private(set) var isOwn = false

  package init() {}

  /// Observes a change of state; true if another run begins with it.
  package mutating func observe(_ run: RunStateChanged) -> Bool {
    state = run.to
    isRunning = state == "running"
    hasEnded = state == "ended"
    isOwn = state != "preparing" && run.cause == "command"
    guard run.workoutId != workout else { return false }
    workout = run.workoutId
    return true
  }

  /// Observes that the phone opened a run.
  ///
  /// Its state follows, unless that is the state of a requested run that it replaces.
  package mutating func observeOpened(_ opened: Identifier) {
    guard opened != workout else { return }
    workout = opened
    guard hasEnded else { return }
    state = nil
    hasEnded = false
    isOwn = false
  }
}

/// The offset of the phone's clock from the scenario's, as set by `clockSkew` faults.
package struct ReferenceClock: Sendable {
  private struct Skew: Sendable {
    let fault: String
    let begin: VirtualTime
    /// Nanoseconds.
    let offset: Double
    /// Parts per million.
    let drift: Double
  }

  private let header: TraceHeader
  private let start: Int64?
  private var skews: [Skew] = []

  init(header: TraceHeader) {
    self.header = header
    start = header.unixStart
  }

  /// Observes the beginning of a fault.
  mutating func observeBegin(of fault: FaultBegan, at time: VirtualTime) {
    guard fault.kind == "clockSkew" else { return }
    skews.removeAll { $0.fault == fault.fault }
    guard let params = try? JSONParser.parse(fault.params.text, dialect: .json), params["node"]?.text == "phone"
    else { return }
    skews.append(
      Skew(
        fault: fault.fault, begin: time, offset: (params["offset"]?.seconds ?? 0) * 1e9,
        drift: params["driftPPM"]?.double ?? 0))
  }

  /// Observes the end of a fault.
  mutating func observeEnd(of fault: FaultEnded) {
    if fault.kind == "clockSkew" { skews.removeAll { $0.fault == fault.fault } }
  }

  /// The hour of the phone's date in the scenario's zone, 0 to 23; NaN without a date.
  func hour(at time: VirtualTime) -> Double {
    guard let start else { return .nan }
    var shift = 0.0
    for skew in skews { shift += skew.offset + Double((time - skew.begin).nanoseconds) * skew.drift / 1e6 }
    guard abs(shift) < 4e18 else { return .nan }
    let believed = time + VirtualTime.Span(nanoseconds: Int64(saturating: shift))
    let seconds = (start +| believed.nanoseconds) / 1_000_000_000 + Int64(header.utcOffset(at: believed))
    let ofDay = seconds % 86_400
    return Double((ofDay < 0 ? ofDay + 86_400 : ofDay) / 3600)
  }
}

/// The fresh snapshots of the trailing 180 seconds of a run, and some before them, since the run's timer may go back.
package struct SnapshotTrack: Sendable {
  private struct Point {
    /// Whole milliseconds, so that "180 s ago" is exact.
    var elapsed: Double
    var distance: Double
  }

  private static let window = 180_000.0

  /// In ascending order of `elapsed`, whenever they came.
  private var points: [Point] = []
  /// The index of the last point at least 180 s before the latest snapshot; 0 if there is none.
  private var head = 0
  /// The latest snapshot; nil before the first, and if its time is past all reason.
  private var latest: Point?

  /// Adds a snapshot, replacing one with equal `elapsed`.
  mutating func append(elapsed: Double, distance: Double) {
    guard abs(elapsed) < 1e12 else {
      latest = nil
      return
    }
    let point = Point(elapsed: (elapsed * 1000).rounded(), distance: distance)
    latest = point
    var index = points.count
    while index > 0, points[index - 1].elapsed >= point.elapsed { index -= 1 }
    if index < points.count, points[index].elapsed == point.elapsed {
      points[index] = point
    } else {
      points.insert(point, at: index)
    }
    let target = point.elapsed - Self.window
    while head > 0, points[head].elapsed > target { head -= 1 }
    while head + 1 < points.count, points[head + 1].elapsed <= target { head += 1 }
    if head > 512 {
      points.removeSubrange(..<256)
      head -= 256
    }
  }

  /// Metres over the last 180 seconds; NaN if no snapshot is that old.
  var trail: Double {
    guard let latest else { return .nan }
    let target = latest.elapsed - Self.window
    let older = points[head]
    guard older.elapsed <= target else { return .nan }
    guard older.elapsed < target, head + 1 < points.count else { return latest.distance - older.distance }
    let newer = points[head + 1]
    let part = (target - older.elapsed) / (newer.elapsed - older.elapsed)
    return latest.distance - (older.distance + (newer.distance - older.distance) * part)
  }
}
