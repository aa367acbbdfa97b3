import CoachReference
package import Link

/// `ended-is-final`: a run that ended stays ended.
package struct EndedIsFinalChecker: Checker {
  package static let invariant = "ended-is-final"
  package static let about =
    "After a workout has ended, no message changes the phone's belief about it, nothing is dispatched for it, and its watch publishes nothing more, unless its app died before it had stored the end."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + [
      "run.state", "run.opened", "run.finished", "script.dispatch", "snapshot", "workout.state",
    ]

  private var ended: [Identifier: Int] = [:]
  private var finished: [Identifier: Int] = [:]
  private var belief = ReferenceBelief()
  /// The workout whose last snapshot reported its end, and whether the change of its state followed.
  ///
  /// A watch that wakes late publishes one snapshot for a start and an end, before it stores either.
  private var endedOnWatch: (workout: Identifier, line: Int, hasChanged: Bool)?
  /// The workout that changed its state to ended last.
  private var changed: Identifier?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if endedOnWatch?.hasChanged == false, NodeLines.isUp(.watch, after: event) == false { endedOnWatch = nil }
    switch event.body {
    case .workoutState(let state):
      guard state.to == WorkoutState.ended.text else { return }
      changed = state.workoutId
      if endedOnWatch?.workout == changed { endedOnWatch?.hasChanged = true }
    case .snapshot(let snapshot): observeSnapshot(snapshot.metrics, event, line, &report)
    case .scriptDispatch(let dispatch):
      guard !dispatch.rank.isReply, let workout = belief.workout, let end = ended[workout] else { return }
      report.append(
        Self.violation(
          "\"\(dispatch.rank.message)\" was dispatched after the run ended", at: event.time, lines: [end, line]))
    case .runFinished(let run):
      // The only message allowed after the end, once; it may come just before or just after the end itself.
      if let before = finished[run.workoutId] {
        report.append(
          Self.violation("workout \(run.workoutId.text) was finished again", at: event.time, lines: [before, line]))
      }
      finished[run.workoutId] = line
    case .runOpened(let run): objectIfEnded(run.workoutId, event, line, &report)
    case .runState(let run):
      objectIfEnded(run.workoutId, event, line, &report)
      _ = belief.observe(run)
      if belief.hasEnded { ended[run.workoutId] = line }
    default: break
    }
  }

  private func objectIfEnded(
    _ workout: Identifier, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    if let end = ended[workout] {
      report.append(
        Self.violation(
          "the \(event.place.text) changed what it knew about workout \(workout.text), which had ended",
          at: event.time, lines: [end, line]))
    }
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let workout = metrics.workoutId
    if let end = endedOnWatch, end.workout == workout {
      report.append(
        Self.violation(
          "the watch published another snapshot of a workout that had ended", at: event.time, lines: [end.line, line]))
    }
    if metrics.hasEnded { endedOnWatch = (workout, line, changed == workout) }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
