import CoachReference
package import Link

/// `ended-is-final`: a run that ended stays ended.
package struct EndedIsFinalChecker: Checker {
  package static let invariant = "ended-is-final"
  package static let about =
    "After a workout has ended, no message changes the phone's belief about it, nothing is dispatched for it, and its watch publishes nothing more, unless its app died before it had stored the end."

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

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    guard state.to == WorkoutState.ended.text else { return }
    changed = state.workoutId
    if endedOnWatch?.workout == changed { endedOnWatch?.hasChanged = true }
  }

  package mutating func snapshot(_ snapshot: SnapshotPublished, at event: Occurrence, into report: inout Report) {
    observeSnapshot(snapshot.metrics, event, &report)
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    guard !dispatch.rank.isReply, let workout = belief.workout, let end = ended[workout] else { return }
    report.add(
      "\"\(dispatch.rank.message)\" was dispatched after the run ended", at: event.time, lines: [end, event.line])
  }

  package mutating func runFinished(_ run: RunFinished, at event: Occurrence, into report: inout Report) {
    // The only message allowed after the end, once; it may come just before or just after the end itself.
    if let before = finished[run.workoutId] {
      report.add("workout \(run.workoutId.text) was finished again", at: event.time, lines: [before, event.line])
    }
    finished[run.workoutId] = event.line
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    objectIfEnded(run.workoutId, event, &report)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    objectIfEnded(run.workoutId, event, &report)
    _ = belief.observe(run)
    if belief.hasEnded { ended[run.workoutId] = event.line }
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    if endedOnWatch?.hasChanged == false, change.isUp(.watch) == false { endedOnWatch = nil }
  }

  private func objectIfEnded(
    _ workout: Identifier, _ event: Occurrence, _ report: inout Report
  ) {
    if let end = ended[workout] {
      report.add(
        "the \(event.place.text) changed what it knew about workout \(workout.text), which had ended",
        at: event.time, lines: [end, event.line])
    }
  }

  private mutating func observeSnapshot(
    _ metrics: SnapshotMetrics, _ event: Occurrence, _ report: inout Report
  ) {
    let workout = metrics.workoutId
    if let end = endedOnWatch, end.workout == workout {
      report.add(
        "the watch published another snapshot of a workout that had ended", at: event.time,
        lines: [end.line, event.line])
    }
    if metrics.hasEnded { endedOnWatch = (workout, event.line, changed == workout) }
  }
}
