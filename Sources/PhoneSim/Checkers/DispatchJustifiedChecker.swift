package import Link

/// `dispatch-justified`: what was said was true.
package struct DispatchJustifiedChecker: Checker {
  package static let invariant = "dispatch-justified"
  package static let about =
    "A dispatched message belongs to the script, its trigger holds on the fresh snapshot that the line names, and there was room to keep that it was played."
  package static let interests = RunReckoning.interests

  private var reckoning: RunReckoning

  package init(header: TraceHeader) { reckoning = RunReckoning(header: header) }

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if event.name.code == TraceEvent.Name.Code.scriptDispatch, event["trigger"]?.text != "ai_reply" {
      if let objection = objection(to: event) {
        let lines = (reckoning.snapshot.map { [$0.line] } ?? []) + [line]
        report.append(
          Self.violation("\"\(event["message"]?.text ?? "")\" \(objection)", at: event.time, lines: lines))
      }
    }
    reckoning.observe(event, line: line)
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  /// What speaks against a dispatch; nil for nothing.
  private mutating func objection(to event: TraceEvent) -> String? {
    guard reckoning.fullDisks.isEmpty else { return "was dispatched while the phone's disk was full" }
    guard let snapshot = reckoning.snapshot, snapshot.time == event.time else {
      return "was dispatched without a fresh snapshot at that instant"
    }
    guard event["epoch"]?.integer == snapshot.epoch, event["seq"]?.integer == snapshot.seq else {
      return "names another snapshot than the fresh one"
    }
    guard event["elapsed"]?.double == snapshot.elapsed, event["distance"]?.double == snapshot.distance else {
      return "tells other figures than the snapshot that it names"
    }
    guard let script = reckoning.script else { return "was dispatched before any script was loaded" }
    guard let index = script.messages.firstIndex(where: { $0.id == event["message"]?.text }) else {
      return "is not in the script"
    }
    let message = script.messages[index]
    guard event["trigger"]?.text == message.type else { return "has the trigger \(message.type), not the one told" }
    // Nothing is due in a run that does not run, and another invariant says so.
    guard reckoning.belief.isRunning else { return nil }
    reckoning.absorb()
    reckoning.evaluate()
    switch reckoning.standpoint(of: index) {
    case .due(let multiple):
      guard multiple > 0, event["multiple"]?.integer != multiple else { return nil }
      return "is due with its multiple \(multiple), not with the one told"
    case .expired: return "is past its grace at \(snapshot.distance) m, \(snapshot.elapsed) s"
    case .notDue: return "is not due at \(snapshot.distance) m, \(snapshot.elapsed) s"
    }
  }
}
