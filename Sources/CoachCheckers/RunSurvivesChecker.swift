package import Link

/// `run-survives-disconnect`: the watch's workout is complete, whatever the link did.
package struct RunSurvivesChecker: Checker {
  package static let invariant = "run-survives-disconnect"
  package static let about =
    "The watch publishes a snapshot at every whole second of a workout up to its end, and queues the end; no workout is without snapshots."

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

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    observeSnapshot(snapshot.metrics, event, &report)
  }

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    observeFresh(snapshot.metrics.workoutId, event)
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    observeQueued(queued.details, event)
  }

  package mutating func workoutState(_ change: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    if change.from == nil { begun = change.workoutId }
  }

  package mutating func ghostSnapshot(
    _ snapshot: GhostSnapshotPublished, at event: Occurrence, into report: inout Report
  ) {
    // A ghost has no athlete, so nothing can be missing.
    update(snapshot.metrics.workoutId, at: event.time) { $0.hasSnapshot = true }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    guard let isUp = change.isUp(.watch) else { return }
    if !isUp {
      wasDown = true
      anchor = nil
      begun = nil
    }
    isWatchUp = isUp
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = metrics.workoutId
    if workout == current {
      judgeGap(event, &report)
    } else {
      if let current, !isCurrentOver, !wasDown {
        report.add(
          "workout \(current.text) had not ended when another one began", at: event.time, lines: [lastLine, event.line])
      }
      current = workout
      isCurrentOver = false
      anchor = !wasDown || begun == workout ? event.time : nil
      update(workout, at: event.time) { $0.hasSnapshot = true }
    }
    wasDown = false
    last = event.time
    lastLine = event.line
    if metrics.hasEnded {
      isCurrentOver = true
      update(workout, at: event.time) {
        $0.endedLine = event.line; $0.endedTime = event.time
      }
    }
  }

  private mutating func judgeGap(_ event: Occurrence, _ report: inout Report) {
    guard !wasDown, !isCurrentOver else { return }
    let second = VirtualTime.Span.seconds(1)
    var next = last + second
    if let anchor {
      let passed = (last - anchor).nanoseconds % second.nanoseconds
      next = last + VirtualTime.Span(nanoseconds: second.nanoseconds - passed)
    }
    guard event.time > next else { return }
    report.add(
      "the watch published no snapshot at \(next.text), a whole second of the workout", at: next,
      lines: [lastLine, event.line])
  }

  private mutating func observeQueued(_ details: TransferDetails, _ event: Occurrence) {
    guard event.place == .watch, let workout = details.workoutId else { return }
    switch details.kind {
    case "workoutStarted": update(workout, at: event.time) { $0.startedLine = event.line }
    case "workoutEnded": update(workout, at: event.time) { $0.hasEndEvent = true }
    default: break
    }
  }

  private mutating func observeFresh(_ workout: Identifier, _ event: Occurrence) {
    guard workout != current else { return }
    update(workout, at: event.time) { if !$0.hasSnapshot, $0.freshLine == nil { $0.freshLine = event.line } }
  }

  private mutating func update(_ workout: Identifier, at time: VirtualTime, _ change: (inout Workout) -> Void) {
    if workouts[workout] == nil { order.append(workout) }
    change(&workouts[workout, default: Workout(shownTime: time)])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // Received snapshots must have been published before, even if the trace is truncated or the watch died.
    let isWhole = ending.isComplete && isWatchUp
    for identifier in order {
      guard let workout = workouts[identifier], !workout.hasSnapshot,
        let line = workout.freshLine ?? (isWhole ? workout.startedLine : nil)
      else { continue }
      report.add(
        "the watch published no snapshot of workout \(identifier.text)", at: workout.shownTime, lines: [line])
    }
    guard isWhole else { return }
    if let current, !isCurrentOver {
      report.add("workout \(current.text) never ended", at: last, lines: [lastLine, ending.line])
    }
    for identifier in order {
      guard let workout = workouts[identifier], let started = workout.startedLine, let ended = workout.endedLine,
        !workout.hasEndEvent
      else { continue }
      report.add(
        "workout \(identifier.text) ended, but the watch queued no workoutEnded", at: workout.endedTime,
        lines: [started, ended])
    }
  }
}

extension SnapshotMetrics {
  /// Whether the snapshot is of a workout that has ended.
  @inline(__always) var hasEnded: Bool { state == .ended }
}
