package import Link

/// `run-survives-disconnect`: the watch's workout is complete, whatever the link did.
package struct RunSurvivesChecker: Checker {
  package static let invariant = "run-survives-disconnect"
  package static let about =
    "The watch publishes a snapshot at every whole second of a workout up to its end, and queues the end; no workout is without snapshots."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + [
      "snapshot", "ghost.snapshot", "snapshot.fresh", "transfer.queued", "workout.state", "end",
    ]

  /// The observed state of a workout.
  private struct Workout {
    /// Whether the watch published a snapshot of it.
    var hasSnapshot = false
    /// The line of its first fresh snapshot, if none was published before it.
    var freshLine: Int?
    var startedLine: Int?
    /// When it first appeared.
    var shownTime: VirtualTime
    var hasEndEvent = false
    var endedLine: Int?
    var endedTime = VirtualTime.start
  }

  private var workouts: [Identifier: Workout] = [:]
  private var order: [Identifier] = []
  /// The workout that is being published.
  private var current: Identifier?
  private var isCurrentOver = true
  /// The beginning of the workout's first second; nil after the watch was down, because its seconds may then restart.
  private var anchor: VirtualTime?
  private var last = VirtualTime.start
  private var lastLine = 0
  private var isWatchUp = true
  /// Whether the watch was down since the previous snapshot, so that snapshots may be missing.
  private var wasDown = false
  /// The last workout that began since the watch was down: its first snapshot is that of its beginning.
  private var begun: Identifier?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .snapshot(let snapshot): observeSnapshot(snapshot.metrics, event, line, &report)
    case .snapshotFresh(let snapshot): observeFresh(snapshot.metrics.workoutId, event, line)
    case .transferQueued(let queued): observeQueued(queued.details, event, line)
    case .workoutState(let change): if change.from == nil { begun = change.workoutId }
    case .ghostSnapshot(let snapshot):
      // A ghost has no runner, so nothing can be missing.
      update(snapshot.metrics.workoutId, at: event.time) { $0.hasSnapshot = true }
    default:
      guard let isUp = NodeLines.isUp(.watch, after: event) else { return }
      if !isUp {
        wasDown = true
        anchor = nil
        begun = nil
      }
      isWatchUp = isUp
    }
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let workout = metrics.workoutId
    if workout == current {
      judgeGap(event, line, &report)
    } else {
      if let current, !isCurrentOver, !wasDown {
        report.append(
          Self.violation(
            "workout \(current.text) had not ended when another one began", at: event.time, lines: [lastLine, line]))
      }
      current = workout
      isCurrentOver = false
      anchor = !wasDown || begun == workout ? event.time : nil
      update(workout, at: event.time) { $0.hasSnapshot = true }
    }
    wasDown = false
    last = event.time
    lastLine = line
    if metrics.hasEnded {
      isCurrentOver = true
      update(workout, at: event.time) {
        $0.endedLine = line; $0.endedTime = event.time
      }
    }
  }

  private mutating func judgeGap(_ event: TypedEvent, _ line: Int, _ report: inout [Violation]) {
    guard !wasDown, !isCurrentOver else { return }
    let second = VirtualTime.Span.seconds(1)
    var next = last + second
    if let anchor {
      let passed = (last - anchor).nanoseconds % second.nanoseconds
      next = last + VirtualTime.Span(nanoseconds: second.nanoseconds - passed)
    }
    guard event.time > next else { return }
    report.append(
      Self.violation(
        "the watch published no snapshot at \(next.text), a whole second of the workout", at: next,
        lines: [lastLine, line]))
  }

  private mutating func observeQueued(_ details: TransferDetails, _ event: TypedEvent, _ line: Int) {
    guard event.place == .watch, let workout = details.workoutId else { return }
    switch details.kind {
    case "workoutStarted": update(workout, at: event.time) { $0.startedLine = line }
    case "workoutEnded": update(workout, at: event.time) { $0.hasEndEvent = true }
    default: break
    }
  }

  private mutating func observeFresh(_ workout: Identifier, _ event: TypedEvent, _ line: Int) {
    guard workout != current else { return }
    update(workout, at: event.time) { if !$0.hasSnapshot, $0.freshLine == nil { $0.freshLine = line } }
  }

  private mutating func update(_ workout: Identifier, at time: VirtualTime, _ change: (inout Workout) -> Void) {
    if workouts[workout] == nil { order.append(workout) }
    change(&workouts[workout, default: Workout(shownTime: time)])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // Received snapshots must have been published before, even if the trace is truncated or the watch died.
    let isWhole = ending.isComplete && isWatchUp
    for identifier in order {
      guard let workout = workouts[identifier], !workout.hasSnapshot,
        let line = workout.freshLine ?? (isWhole ? workout.startedLine : nil)
      else { continue }
      report.append(
        Self.violation(
          "the watch published no snapshot of workout \(identifier.text)", at: workout.shownTime, lines: [line]))
    }
    guard isWhole else { return }
    if let current, !isCurrentOver {
      report.append(
        Self.violation("workout \(current.text) never ended", at: last, lines: [lastLine, ending.line]))
    }
    for identifier in order {
      guard let workout = workouts[identifier], let started = workout.startedLine, let ended = workout.endedLine,
        !workout.hasEndEvent
      else { continue }
      report.append(
        Self.violation(
          "workout \(identifier.text) ended, but the watch queued no workoutEnded", at: workout.endedTime,
          lines: [started, ended]))
    }
  }
}
