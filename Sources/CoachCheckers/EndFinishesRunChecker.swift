package import Link

/// `end-finishes-run`: no summary of a run is lost.
package struct EndFinishesRunChecker: Checker {
  package static let invariant = "end-finishes-run"
  package static let about =
    "A delivered `workoutEnded` that names a saved workout finishes the phone's run of that workout at the same instant, unless it is finished already."

  /// Workouts that are remembered; older ones are not judged.
  private static let workoutsMax = 256

  private var opened: [Identifier] = []
  private var finished: [Identifier] = []
  /// An end that was delivered, and has not finished its run yet.
  private var pending: (workoutId: Identifier, time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard event.place == .phone else { return }
    Self.remember(run.workoutId, in: &opened)
  }

  package mutating func runFinished(_ run: RunFinished, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    guard event.place == .phone else { return }
    Self.remember(run.workoutId, in: &finished)
    if pending?.workoutId == run.workoutId { pending = nil }
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    guard event.place == .phone, transfer.details.kind == "workoutEnded", let workoutId = transfer.details.workoutId
    else { return }
    if pending != nil { judge(&report) }
    // Without a name the watch discarded the workout.
    guard transfer.details.healthKitWorkoutUUID != nil, opened.contains(workoutId),
      !finished.contains(workoutId)
    else { return }
    pending = (workoutId, event.time, event.line)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let pending, event.time > pending.time { judge(&report) }
  }

  private static func remember(_ workoutId: Identifier, in list: inout [Identifier]) {
    guard !list.contains(workoutId) else { return }
    if list.count == workoutsMax { list.removeFirst() }
    list.append(workoutId)
  }

  private mutating func judge(_ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    report.add(
      "the end of workout \(pending.workoutId.text) was delivered, and did not finish its run", at: pending.time,
      lines: [pending.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if ending.isComplete { judge(&report) }
  }
}
