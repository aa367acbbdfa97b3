package import Link

/// `reply-spoken-once`: an answer is said while somebody still wants to hear it, and not twice.
package struct ReplySpokenOnceChecker: Checker {
  package static let invariant = "reply-spoken-once"
  package static let about =
    "A reply is dispatched at most once, at most 120 seconds after it arrived, in its own run, and never when it came too late."
  package static let interests: [TraceEvent.Name] = [
    "run.state", "ai.reply", "ai.fallback", "ai.cached", "ai.late", "script.dispatch", "script.expired",
  ]

  /// How long after its arrival a reply may be said.
  private static let grace = VirtualTime.Span.seconds(120)

  private struct Reply: Sendable {
    var arrived: VirtualTime
    var line: Int
    /// Where it was spoken or let go; nil while it waits.
    var settledLine: Int?
  }

  private var belief = ReckonedBelief()
  /// The replies of the run that is on; looked up only.
  private var replies: [String: Reply] = [:]
  /// Where answers came that were too late; looked up only.
  private var late: [String: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    switch event.name.code {
    case TraceEvent.Name.Code.runState:
      if belief.observe(event) { replies = [:] }
    case TraceEvent.Name.Code.aiReply, TraceEvent.Name.Code.aiFallback, TraceEvent.Name.Code.aiCached:
      guard event["kind"]?.text == "chatReply", let id = event["id"]?.text else { return }
      replies[id] = Reply(arrived: event.time, line: line)
    case TraceEvent.Name.Code.aiLate: if let id = event["reply"]?.text { late[id] = line }
    default:
      guard event["trigger"]?.text == "ai_reply", let id = event["message"]?.text else { return }
      settle(id, event, line, &report)
    }
  }

  private mutating func settle(_ id: String, _ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    let isSpoken = event.name.code == TraceEvent.Name.Code.scriptDispatch
    if isSpoken, let lateLine = late[id] {
      report.append(Self.violation("an answer that came too late was spoken", at: event.time, lines: [lateLine, line]))
      return
    }
    guard let reply = replies[id] else {
      report.append(
        Self.violation("\"\(id)\" is no reply that arrived in this run", at: event.time, lines: [line]))
      return
    }
    if let settled = reply.settledLine {
      report.append(
        Self.violation(
          "a reply was \(isSpoken ? "spoken" : "let go") that was spoken or let go before", at: event.time,
          lines: [settled, line]))
      return
    }
    replies[id]?.settledLine = line
    let age = event.time - reply.arrived
    if isSpoken, age > Self.grace {
      report.append(
        Self.violation(
          "a reply was spoken \(age.seconds) s after it arrived", at: event.time, lines: [reply.line, line])
      )
    } else if !isSpoken, age <= Self.grace {
      report.append(
        Self.violation(
          "a reply was let go \(age.seconds) s after it arrived", at: event.time, lines: [reply.line, line]))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
