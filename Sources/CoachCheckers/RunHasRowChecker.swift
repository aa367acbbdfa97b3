package import Link

/// `run-has-row`: no run that the watch reported is missing in the phone's list.
package struct RunHasRowChecker: Checker {
  package static let invariant = "run-has-row"
  package static let about =
    "A delivered `workoutStarted` or `workoutEnded` leaves a row of its workout at the same instant, unless there is one: the phone opens the run, or records it."

  /// Workouts whose rows are remembered; a phone that forgets one records it again.
  private static let rowsMax = 256

  private var rows: [Identifier] = []
  /// A start or end that was delivered, and has no row yet.
  private var pending: (workoutId: Identifier, kind: String, time: VirtualTime, line: Int)?
  /// Whether the phone writes what it believes; another program's does not, and is not judged.
  private var speaks = false

  package init(header: TraceHeader) {}

  package mutating func trackerStarted(_ run: TrackerStarted, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if event.place == .phone { addRow(of: run.workoutId) }
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    addRow(of: run.workoutId)
  }

  package mutating func runRecorded(_ run: RunRecorded, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    addRow(of: run.workoutId)
  }

  package mutating func runState(_: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    speaks = true
  }

  package mutating func transferDelivered(
    _ transfer: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    expectRow(transfer.details.kind, of: transfer.details.workoutId, event, &report)
  }

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    expectRow(message.kind, of: message.workoutId, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // A phone that dies before it has stored the row gets the message again.
    if change.isUp(.phone) == false { pending = nil }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let pending, event.time > pending.time { judge(&report) }
  }

  private mutating func expectRow(
    _ kind: String?, of workoutId: Identifier?, _ event: Occurrence, _ report: inout Report
  ) {
    guard event.place == .phone, let workoutId, let kind, kind == "workoutStarted" || kind == "workoutEnded" else {
      return
    }
    if pending != nil { judge(&report) }
    if !rows.contains(workoutId) { pending = (workoutId, kind, event.time, event.line) }
  }

  private mutating func addRow(of workoutId: Identifier) {
    speaks = true
    if pending?.workoutId == workoutId { pending = nil }
    guard !rows.contains(workoutId) else { return }
    if rows.count == Self.rowsMax { rows.removeFirst() }
    rows.append(workoutId)
  }

  private mutating func judge(_ report: inout Report) {
    guard let pending else { return }
    self.pending = nil
    guard speaks else { return }
    report.add(
      "the \(pending.kind) of workout \(pending.workoutId.text) was delivered, and left no row", at: pending.time,
      lines: [pending.line])
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    if ending.isComplete { judge(&report) }
  }
}
