package import Link

/// `run-has-row`: no run that the watch reported is missing in the phone's list.
package struct RunHasRowChecker: Checker {
  package static let invariant = "run-has-row"
  package static let about =
    "A delivered `workoutStarted` or `workoutEnded` leaves a row of its workout at the same instant, unless there is one: the phone opens the run, or records it."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + [
      "transfer.delivered", "message.received", "tracker.started", "run.opened", "run.recorded", "run.state", "end",
    ]

  /// Workouts whose rows are remembered; a phone that forgets one records it again.
  private static let rowsMax = 256

  private var rows: [Identifier] = []
  /// A start or end that was delivered, and has no row yet.
  private var pending: (workoutId: Identifier, kind: String, time: VirtualTime, line: Int)?
  /// Whether the phone writes what it believes; another program's does not, and is not judged.
  private var speaks = false

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if let pending, event.time > pending.time { judge(&report) }
    switch event.body {
    case .trackerStarted(let run): if event.place == .phone { addRow(of: run.workoutId) }
    case .runOpened(let run): addRow(of: run.workoutId)
    case .runRecorded(let run): addRow(of: run.workoutId)
    case .runState: speaks = true
    case .transferDelivered(let transfer):
      expectRow(transfer.details.kind, of: transfer.details.workoutId, event, line, &report)
    case .messageReceived(let message): expectRow(message.kind, of: message.workoutId, event, line, &report)
    default:
      // A phone that dies before it has stored the row gets the message again.
      if NodeLines.isPhoneUp(after: event) == false { pending = nil }
    }
  }

  private mutating func expectRow(
    _ kind: String?, of workoutId: Identifier?, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard event.place == .phone, let workoutId, let kind, kind == "workoutStarted" || kind == "workoutEnded" else {
      return
    }
    if pending != nil { judge(&report) }
    if !rows.contains(workoutId) { pending = (workoutId, kind, event.time, line) }
  }

  private mutating func addRow(of workoutId: Identifier) {
    speaks = true
    if pending?.workoutId == workoutId { pending = nil }
    guard !rows.contains(workoutId) else { return }
    if rows.count == Self.rowsMax { rows.removeFirst() }
    rows.append(workoutId)
  }

  private mutating func judge(_ report: inout [Violation]) {
    guard let pending else { return }
    self.pending = nil
    guard speaks else { return }
    report.append(
      Self.violation(
        "the \(pending.kind) of workout \(pending.workoutId.text) was delivered, and left no row", at: pending.time,
        lines: [pending.line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if ending.isComplete { judge(&report) }
  }
}
