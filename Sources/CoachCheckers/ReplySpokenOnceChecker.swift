import CoachReference
package import Link

/// `reply-spoken-once`: an answer is spoken while it is still of interest, and not twice.
package struct ReplySpokenOnceChecker: Checker {
  package static let invariant = "reply-spoken-once"
  package static let about =
    "A reply is dispatched at most once, at most 120 seconds after it arrived, in its own run, and never when it came too late."

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

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    if belief.observe(run) { replies = [:] }
  }

  package mutating func aiLate(_ answer: AIAnsweredLate, at event: Occurrence, into report: inout Report) {
    if let id = answer.reply { late[id.text] = event.line }
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    settle(dispatch.rank, isSpoken: true, event, &report)
  }

  package mutating func scriptExpired(_ expired: ScriptExpired, at event: Occurrence, into report: inout Report) {
    settle(expired.rank, isSpoken: false, event, &report)
  }

  package mutating func answered(_ answer: AnswerFields, at event: Occurrence, into report: inout Report) {
    if answer.kind == "chatReply" { replies[answer.id.text] = Reply(arrived: event.time, line: event.line) }
  }

  private mutating func settle(
    _ rank: ScriptRank, isSpoken: Bool, _ event: Occurrence, _ report: inout Report
  ) {
    guard rank.isReply else { return }
    let id = rank.message
    if isSpoken, let lateLine = late[id] {
      report.add("an answer was dispatched that had arrived too late", at: event.time, lines: [lateLine, event.line])
      return
    }
    guard let reply = replies[id] else {
      report.add("\"\(id)\" is no reply that arrived in this run", at: event.time, lines: [event.line])
      return
    }
    if let settled = reply.settledLine {
      report.add(
        "a reply was \(isSpoken ? "dispatched" : "expired") that had been dispatched or expired before",
        at: event.time,
        lines: [settled, event.line])
      return
    }
    replies[id]?.settledLine = event.line
    let age = event.time - reply.arrived
    if isSpoken, age > Self.grace {
      report.add(
        "a reply was dispatched \(age.text) after it arrived, more than \(Self.grace.text)", at: event.time,
        lines: [reply.line, event.line])
    } else if !isSpoken, age <= Self.grace {
      report.add(
        "a reply was expired \(age.text) after it arrived, while it could be spoken", at: event.time,
        lines: [reply.line, event.line])
    }
  }
}
