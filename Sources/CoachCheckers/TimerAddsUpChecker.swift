package import Link

/// `timer-adds-up`: the timer of a workout runs while it runs, and its kilometres are reported once each.
package struct TimerAddsUpChecker: Checker {
  package static let invariant = "timer-adds-up"
  package static let about =
    "Between two snapshots of a running workout a second apart, its elapsed time grows by that second, and never by over a second more than has passed; in a pause neither time nor distance grows. A run reports each completed kilometre, or mile, once, in order, in the first snapshot that can carry it, and saves as many, with the last time and distance."

  /// Rounding, in seconds and in metres.
  private static let tolerance = 0.002

  /// The last snapshot.
  private struct Last {
    var time: VirtualTime
    var elapsed: Double
    var distance: Double
    var state: WorkoutState
    var line: Int
  }

  private let isJudged: Bool
  private var workout: Identifier?
  private var isRun = true
  private var last: Last?
  /// The kilometres that snapshots have carried.
  private var carried = 0

  /// What a split is: its name, and its length in metres.
  private let unit: (name: String, metres: Double)

  package init(header: TraceHeader) {
    unit = header.extra("units")?.text == "miles" ? ("mile", 1_609.344) : ("kilometre", 1_000)
    isJudged = ["capture", "freeRunning", "programs"].allSatisfy { header.extra($0) == nil }
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard isJudged, event.place == .watch else { return }
    if state.from == nil { begin(state.workoutId, isRun: state.sport == nil) }
  }

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    guard isJudged, event.place == .watch else { return }
    observeSnapshot(snapshot.metrics, event, &report)
  }

  package mutating func healthSaved(_ saved: HealthSaved, at event: Occurrence, into report: inout Report) {
    guard isJudged, event.place == .watch else { return }
    observeSaved(saved, event, &report)
  }

  private mutating func begin(_ workout: Identifier?, isRun: Bool) {
    self.workout = workout
    self.isRun = isRun
    last = nil
    carried = 0
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    if metrics.workoutId != workout { begin(metrics.workoutId, isRun: true) }
    if let last, let objection = Self.objection(to: metrics, at: event.time, after: last) {
      report.add(objection, at: event.time, lines: [last.line, event.line])
    }
    judgeSplit(metrics, event, &report)
    last = Last(
      time: event.time, elapsed: metrics.elapsed, distance: metrics.distance, state: metrics.state, line: event.line)
  }

  /// What is wrong with the step from one snapshot to the next; nil for nothing.
  private static func objection(to metrics: SnapshotMetrics, at time: VirtualTime, after last: Last) -> String? {
    let passed = Double((time - last.time).nanoseconds) / 1e9
    let grown = metrics.elapsed - last.elapsed
    // A watch that wakes late reports the second before.
    guard grown <= passed + 1 + tolerance, grown >= -tolerance else {
      return "the elapsed time changed by \(grown) s in \(passed) s"
    }
    switch (last.state, metrics.state) {
    case (.paused, .paused):
      guard passed <= 1 + tolerance else { return nil }
      return grown > tolerance || metrics.distance > last.distance + tolerance
        ? "the elapsed time or the distance grew in a pause" : nil
    case (.running, .running):
      guard time - last.time == .seconds(1) else { return nil }
      return abs(grown - passed) > tolerance ? "the elapsed time grew by \(grown) s in \(passed) s of running" : nil
    default: return nil
    }
  }

  private mutating func judgeSplit(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    guard isRun, metrics.distance >= 0, metrics.distance < 1e9 else { return }
    let completed = Int(metrics.distance / unit.metres + 1e-9)
    guard let split = metrics.lastSplit else {
      guard completed > carried, metrics.state != .preparing else { return }
      report.add(
        "the snapshot at \(metrics.distance) m does not carry \(unit.name) \(carried + 1)", at: event.time,
        lines: [event.line]
      )
      carried = completed
      return
    }
    carried += 1
    if split.kmIndex != carried || carried > completed {
      report.add(
        "the snapshot at \(metrics.distance) m carries \(unit.name) \(split.kmIndex), not \(unit.name) \(carried)",
        at: event.time,
        lines: [event.line])
    }
  }

  private mutating func observeSaved(
    _ saved: HealthSaved, _ event: Occurrence, _ report: inout Report
  ) {
    guard let last, saved.aarcRunId == workout else { return }
    guard abs(saved.duration - last.elapsed) <= Self.tolerance, abs(saved.distance - last.distance) <= Self.tolerance
    else {
      report.add(
        "the watch saved \(saved.distance) m in \(saved.duration) s, and published \(last.distance) m in \(last.elapsed) s",
        at: event.time, lines: [last.line, event.line])
      return
    }
    guard isRun, saved.splits != Int64(saved.distance / unit.metres + 1e-9) else { return }
    report.add(
      "the watch saved \(saved.splits) \(unit.name)s of \(saved.distance) m", at: event.time, lines: [event.line])
  }
}
