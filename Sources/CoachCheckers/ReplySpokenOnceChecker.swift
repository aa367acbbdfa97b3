import CoachReference
package import Link

/// `reply-spoken-once`: an answer is spoken while it is still of interest, and not twice.
package struct ReplySpokenOnceChecker: Checker {
  package static let invariant = "reply-spoken-once"
  package static let about =
    "A reply is dispatched at most once, at most 120 seconds after it arrived, in its own run, and never when it came too late."
  package static let interests: [TraceEvent.Name] = [
    "run.state", "ai.reply", "ai.fallback", "ai.cached", "ai.late", "script.dispatch", "script.expired",
  ]

  /// How long after its arrival a reply may be spoken.
  private static let grace = VirtualTime.Span.seconds(120)

  private struct Reply: Sendable {
    var arrived: VirtualTime
    var line: Int
    /// The line at which it was spoken or expired; nil while it waits.
    var settledLine: Int?
  }

  private var belief = ReferenceBelief()
  /// The replies of the active run; for lookup only.
  private var replies: [String: Reply] = [:]
  /// The lines of answers that came too late; for lookup only.
  private var late: [String: Int] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .runState(let run): if belief.observe(run) { replies = [:] }
    case .aiLate(let answer): if let id = answer.reply { late[id.text] = line }
    case .scriptDispatch(let dispatch): settle(dispatch.rank, isSpoken: true, event, line, &report)
    case .scriptExpired(let expired): settle(expired.rank, isSpoken: false, event, line, &report)
    default:
      guard let answer = event.body.answer, answer.kind == "chatReply" else { return }
      replies[answer.id.text] = Reply(arrived: event.time, line: line)
    }
  }

  private mutating func settle(
    _ rank: ScriptRank, isSpoken: Bool, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard rank.isReply else { return }
    let id = rank.message
    if isSpoken, let lateLine = late[id] {
      report.append(
        Self.violation("an answer was dispatched that had arrived too late", at: event.time, lines: [lateLine, line]))
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
          "a reply was \(isSpoken ? "dispatched" : "expired") that had been dispatched or expired before",
          at: event.time,
          lines: [settled, line]))
      return
    }
    replies[id]?.settledLine = line
    let age = event.time - reply.arrived
    if isSpoken, age > Self.grace {
      report.append(
        Self.violation(
          "a reply was dispatched \(age.text) after it arrived, more than \(Self.grace.text)", at: event.time,
          lines: [reply.line, line])
      )
    } else if !isSpoken, age <= Self.grace {
      report.append(
        Self.violation(
          "a reply was expired \(age.text) after it arrived, while it could be spoken", at: event.time,
          lines: [reply.line, line]))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
