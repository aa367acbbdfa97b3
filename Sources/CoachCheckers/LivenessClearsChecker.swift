package import Link

/// `liveness-clears`: the indicator goes as soon as there is a sign of life, or no run to worry about.
package struct LivenessClearsChecker: Checker {
  package static let invariant = "liveness-clears"
  package static let about =
    "A raised indicator is cleared by the next fresh snapshot, or with the end of the run, and by nothing else."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["snapshot.fresh", "run.state", "liveness.disconnected", "liveness.reconnected", "end"]

  private var raisedLine: Int?
  /// When and why the indicator should have been cleared, and the line that shows it.
  private var due: (time: VirtualTime, reason: String, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if let due, event.time > due.time { reportStuck(due, &report) }
    switch event.body {
    case .snapshotFresh:
      if raisedLine != nil, due == nil { due = (event.time, "fresh", line) }
    case .runState(let run):
      if raisedLine != nil, due == nil, run.to == "ended" { due = (event.time, "ended", line) }
    case .livenessDisconnected:
      raisedLine = line
      due = nil
    case .livenessReconnected(let cleared):
      if let objection = objection(toReason: cleared.reason) {
        report.append(
          Self.violation(objection, at: event.time, lines: [raisedLine, due?.line, line].compactMap { $0 }))
      }
      raisedLine = nil
      due = nil
    default:
      // The phone stopped within the instant: the next fresh snapshot after its start clears the indicator.
      if NodeLines.isPhoneUp(after: event) == false { due = nil }
    }
  }

  private func objection(toReason reason: String) -> String? {
    guard raisedLine != nil else { return "the phone reported the watch as back, but had never reported it as silent" }
    guard let due else { return "the phone reported the watch as back without a fresh snapshot or the end of the run" }
    return reason == due.reason
      ? nil : "the phone reported the watch as back with the reason \"\(reason)\" instead of \"\(due.reason)\""
  }

  private mutating func reportStuck(
    _ due: (time: VirtualTime, reason: String, line: Int), _ report: inout [Violation]
  ) {
    self.due = nil
    let why = due.reason == "fresh" ? "a fresh snapshot came" : "the run ended"
    report.append(
      Self.violation(
        "the phone still reports the watch as silent, though \(why)", at: due.time,
        lines: [raisedLine, due.line].compactMap { $0 }))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A truncated trace may end just before.
    if let due, ending.isComplete { reportStuck(due, &report) }
  }
}
