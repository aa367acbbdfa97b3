package import Link

/// `liveness-clears`: the indicator goes as soon as there is a sign of life, or no run to worry about.
package struct LivenessClearsChecker: Checker {
  package static let invariant = "liveness-clears"
  package static let about =
    "A raised indicator is cleared by the next fresh snapshot, or with the end of the run, and by nothing else."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["snapshot.fresh", "run.state", "liveness.disconnected", "liveness.reconnected", "end"]

  package static let restsFrom: [TraceEvent.Name] = ["snapshot.fresh"]
  /// While the indicator is down.
  package var isAtRest: Bool { raisedLine == nil && due == nil }

  private var raisedLine: Int?
  /// Since when the indicator should be cleared, why, and which line shows it.
  private var due: (time: VirtualTime, reason: String, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if let due, event.time > due.time { tellStuck(due, &report) }
    switch event.name.code {
    case TraceEvent.Name.Code.snapshotFresh:
      if raisedLine != nil, due == nil { due = (event.time, "fresh", line) }
    case TraceEvent.Name.Code.runState:
      if raisedLine != nil, due == nil, event["to"]?.text == "ended" { due = (event.time, "ended", line) }
    case TraceEvent.Name.Code.livenessDisconnected:
      raisedLine = line
      due = nil
    case TraceEvent.Name.Code.livenessReconnected:
      if let objection = objection(to: event) {
        report.append(
          Self.violation(objection, at: event.time, lines: [raisedLine, due?.line, line].compactMap { $0 }))
      }
      raisedLine = nil
      due = nil
    case TraceEvent.Name.Code.end: break
    default:
      // Stopped in the middle of the instant: it is cleared by the next fresh snapshot after the start.
      if NodeLines.isPhoneUp(after: event) == false { due = nil }
    }
  }

  private func objection(to event: TraceEvent) -> String? {
    guard raisedLine != nil else { return "cleared without having been raised" }
    guard let due else { return "cleared without a fresh snapshot and without an end of the run" }
    let reason = event["reason"]?.text ?? ""
    return reason == due.reason ? nil : "cleared with the reason \"\(reason)\" instead of \"\(due.reason)\""
  }

  private mutating func tellStuck(
    _ due: (time: VirtualTime, reason: String, line: Int), _ report: inout [Violation]
  ) {
    self.due = nil
    let why = due.reason == "fresh" ? "a fresh snapshot came" : "the run ended"
    report.append(
      Self.violation("not cleared, though \(why)", at: due.time, lines: [raisedLine, due.line].compactMap { $0 }))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A truncated trace may have broken off just before.
    if let due, ending.isComplete { tellStuck(due, &report) }
  }
}
