package import Link

/// `liveness-clears`: the indicator goes as soon as there is a sign of life, or no run to worry about.
package struct LivenessClearsChecker: Checker {
  package static let invariant = "liveness-clears"
  package static let about =
    "A raised indicator is cleared by the next fresh snapshot, or with the end of the run, and by nothing else."

  private var raisedLine: Int?
  /// When and why the indicator should have been cleared, and the line that shows it.
  private var due: (time: VirtualTime, reason: String, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func snapshotFresh(_: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if raisedLine != nil, due == nil { due = (event.time, "fresh", event.line) }
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    if raisedLine != nil, due == nil, run.to == "ended" { due = (event.time, "ended", event.line) }
  }

  package mutating func livenessDisconnected(_: LivenessLost, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    raisedLine = event.line
    due = nil
  }

  package mutating func livenessReconnected(
    _ cleared: LivenessRegained, at event: Occurrence, into report: inout Report
  ) {
    pass(to: event, &report)
    if let objection = objection(toReason: cleared.reason) {
      report.add(objection, at: event.time, lines: [raisedLine, due?.line, event.line].compactMap { $0 })
    }
    raisedLine = nil
    due = nil
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
    // The phone stopped within the instant: the next fresh snapshot after its start clears the indicator.
    if change.isUp(.phone) == false { due = nil }
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    pass(to: event, &report)
  }

  /// Judges what had to happen before the instant of an event.
  private mutating func pass(to event: Occurrence, _ report: inout Report) {
    if let due, event.time > due.time { reportStuck(due, &report) }
  }

  private func objection(toReason reason: String) -> String? {
    guard raisedLine != nil else { return "the phone reported the watch as back, but had never reported it as silent" }
    guard let due else { return "the phone reported the watch as back without a fresh snapshot or the end of the run" }
    return reason == due.reason
      ? nil : "the phone reported the watch as back with the reason \"\(reason)\" instead of \"\(due.reason)\""
  }

  private mutating func reportStuck(
    _ due: (time: VirtualTime, reason: String, line: Int), _ report: inout Report
  ) {
    self.due = nil
    let why = due.reason == "fresh" ? "a fresh snapshot came" : "the run ended"
    report.add(
      "the phone still reports the watch as silent, though \(why)", at: due.time,
      lines: [raisedLine, due.line].compactMap { $0 })
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A truncated trace may end just before.
    if let due, ending.isComplete { reportStuck(due, &report) }
  }
}
