import CoachProtocol
import CoachReference
package import Link

/// `no-missed-dispatch`: every due line is spoken, unless a rule forbids it.
///
/// At every fresh snapshot of a running run the checker independently computes which lines are due, have expired, are
/// skipped and rank first, and compares the result with the phone's trace lines.
package struct MissedDispatchChecker: Checker {
  package static let invariant = "no-missed-dispatch"
  package static let about =
    "A due message is dispatched, outranked, held back by the window, skipped or expired, exactly as the rules say."

  /// The priority of a reply of the AI coach.
  static let replyPriority = 45.0
  /// How long after its arrival a reply may still be spoken.
  static let replyGrace = VirtualTime.Span.seconds(120)

  /// A reply that waits to be spoken.
  private struct Reply {
    var id: String
    var arrived: VirtualTime
    /// The count of the judged snapshot from which it is due.
    var since: Int
    var line: Int
  }

  /// The phone's decision at a snapshot.
  private struct Decision {
    enum Outcome: Equatable {
      case dispatched, expired
      case skipped(first: Int64, last: Int64)
    }

    let outcome: Outcome
    let message: String
    let isReply: Bool
    let multiple: Int64?
    let event: EventBody
    let place: Occurrence

    init(_ dispatch: ScriptDispatched, _ place: Occurrence) {
      self.init(.dispatched, of: dispatch.rank, .scriptDispatch(dispatch), place)
    }

    init(_ expired: ScriptExpired, _ place: Occurrence) {
      self.init(.expired, of: expired.rank, .scriptExpired(expired), place)
    }

    init(_ skipped: ScriptSkipped, _ place: Occurrence) {
      outcome = .skipped(first: skipped.first, last: skipped.last)
      (message, isReply, multiple) = (skipped.message, false, nil)
      event = .scriptSkipped(skipped)
      self.place = place
    }

    private init(_ outcome: Outcome, of rank: ScriptRank, _ event: EventBody, _ place: Occurrence) {
      self.outcome = outcome
      (message, isReply, multiple) = (rank.message, rank.isReply, rank.multiple)
      self.event = event
      self.place = place
    }
  }

  private var reference: ReferenceRun
  /// Whether the last received snapshot is not judged yet.
  private var isOpen = false
  private var decisions: [Decision] = []
  private var judgedCount = 0
  /// In the order of their arrival.
  private var replies: [Reply] = []
  /// The run of the replies.
  private var repliesOf: Identifier?
  /// Messages whose missed dispatch was reported: once is enough until they are spoken.
  private var reported: Set<String> = []

  package init(header: TraceHeader) { reference = ReferenceRun(header: header) }

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: event.place == .phone, &report)
    reference.observe(snapshot, at: event)
    isOpen = reference.isSnapshot(on: event.line)
    if !decisions.isEmpty { decisions.removeAll(keepingCapacity: true) }
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    decide(Decision(dispatch, event))
  }

  package mutating func scriptExpired(_ expired: ScriptExpired, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    decide(Decision(expired, event))
  }

  package mutating func scriptSkipped(_ skipped: ScriptSkipped, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    decide(Decision(skipped, event))
  }

  package mutating func answered(_ answer: AnswerFields, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: event.place == .phone, &report)
    guard answer.speaks == true else { return }
    replies.append(Reply(id: answer.id.text, arrived: event.time, since: judgedCount + 1, line: event.line))
  }

  package mutating func messageReceived(_: MessageReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: event.place == .phone, &report)
  }

  package mutating func transferDelivered(_: TransferDelivered, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: event.place == .phone, &report)
  }

  package mutating func contextReceived(_: ContextReceived, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: event.place == .phone, &report)
  }

  package mutating func nodeStarted(_: NodeStarted, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: event.place == .phone, &report)
  }

  package mutating func nodeKilled(_ killed: NodeKilled, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    if killed.target == .phone { observeEnd(point: killed.point, &report) }
  }

  package mutating func nodeFailed(_ failed: NodeFailed, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    if failed.target == .phone { observeEnd(point: nil, &report) }
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: run.cause != "snapshot", &report)
    reference.observe(run, at: event)
    forgetReplies()
  }

  package mutating func scriptLoaded(_ loaded: ScriptLoaded, at event: Occurrence, into report: inout Report) {
    // The script that is loaded next is the one of the run that the snapshot opened: it is evaluated against it.
    pass(to: event, closes: !reference.changedState, &report)
    reference.observe(loaded, at: event)
    forgetReplies()
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    reference.observe(fault, at: event)
    forgetReplies()
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    pass(to: event, closes: false, &report)
    reference.observe(fault, at: event)
    forgetReplies()
  }

  /// Judges the open snapshot once the phone has finished with it.
  ///
  /// - Parameter closes: Whether a line of this kind shows it at the instant of the snapshot, as any later line does.
  @inline(__always)
  private mutating func pass(to event: Occurrence, closes: Bool, _ report: inout Report) {
    if isOpen, closes || event.time != reference.snapshotTime { judge(into: &report) }
  }

  private mutating func decide(_ decision: Decision) {
    // Applied after the snapshot is judged, because due lines depend on the state before it.
    if isOpen { decisions.append(decision) } else { apply(decision) }
  }

  private mutating func forgetReplies() {
    guard repliesOf != reference.belief.workout else { return }
    repliesOf = reference.belief.workout
    replies = []
  }

  /// Judges the decisions of a phone that was killed while it evaluated the snapshot; missing decisions are no
  /// violation.
  ///
  /// A dispatch is the last decision, written after the whole evaluation was committed.
  private mutating func observeEnd(point: String?, _ report: inout Report) {
    guard isOpen else { return }
    let isDecided = decisions.contains { $0.outcome == .dispatched }
    // Only the dispatch's crash point lies within an evaluation.
    let isBehind = point.map { $0 != CrashPoint.dispatchCommitted.name } ?? false
    if isDecided || isBehind { judge(into: &report) } else { abandon() }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A truncated trace may end before the decision was written.
    if isOpen, ending.isComplete { judge(into: &report) }
  }

  private mutating func abandon() {
    isOpen = false
    reference.absorb()
    for decision in decisions { apply(decision) }
  }

  /// Updates the state of the script; a reply that was spoken or expired no longer waits.
  private mutating func apply(_ decision: Decision) {
    reference.observe(decision.event, at: decision.place)
    if decision.isReply { replies.removeAll { $0.id == decision.message } }
  }

  private mutating func judge(into report: inout Report) {
    defer { abandon() }
    guard !reference.rules.isEmpty || !replies.isEmpty else { return }
    reference.absorb()
    guard reference.isJudged else { return }
    judgedCount += 1
    if decisions.isEmpty, replies.isEmpty, reference.hasNothingToJudge { return }
    reference.evaluate()
    // With a full disk no played line can be stored, so none is spoken; points still pass.
    let isExcused = !reference.fullDisks.isEmpty
    reference.watchRules()
    var best = reference.rankConditions(at: judgedCount)
    for index in reference.rulesToJudge {
      let rule = reference.rules[index]
      if case .every = rule.kind { judgeSkip(index, &report) }
      switch reference.standpoint(of: index) {
      case .notDue: reference.setDue(rule, since: nil, multiple: 0)
      case .expired(let multiple):
        reference.setDue(rule, since: nil, multiple: 0)
        let id = reference.id(of: index)
        if !hasExpired(id, multiple: multiple) {
          report.add(
            "\"\(id)\" is past its grace at \(reference.latest.position), but was not expired",
            at: reference.latest.time, lines: [reference.latest.line])
          reference.giveUp(rule, multiple: multiple)
        }
      case .due(let multiple):
        let standing = reference.standing(of: rule)
        let isSameStretch = standing.dueSince != nil && standing.dueMultiple == multiple
        let since = isSameStretch ? standing.dueSince ?? judgedCount : judgedCount
        if !isSameStretch { reference.setDue(rule, since: since, multiple: multiple) }
        let candidate = ReferenceRun.Candidate(
          index: index, multiple: multiple, since: since, priority: rule.priority)
        if best.map({ candidate.ranks(before: $0) }) ?? true { best = candidate }
      }
    }
    if !decisions.isEmpty { judgeExpiries(&report) }
    guard !isExcused else { return }
    if !replies.isEmpty, judgeReplies(before: best, &report) { return }
    if let best { judgeDispatch(best, reference.id(of: best.index), &report) }
  }

  /// Judges the replies that wait.
  ///
  /// - Returns: Whether one of them ranks before every line of the script.
  private mutating func judgeReplies(
    before best: ReferenceRun.Candidate?, _ report: inout Report
  ) -> Bool {
    let snapshot = reference.latest
    let isOver: (Reply) -> Bool = { snapshot.time - $0.arrived > Self.replyGrace }
    for reply in replies where isOver(reply) {
      guard !hasExpired(reply.id, multiple: 0), reported.insert(reply.id).inserted else {
        continue
      }
      report.add(
        "a reply waited for more than 120 s, but was not expired", at: snapshot.time,
        lines: [reply.line, snapshot.line])
    }
    guard let reply = replies.first(where: { !isOver($0) }) else { return false }
    if let best {
      guard best.priority <= Self.replyPriority else { return false }
      if best.priority == Self.replyPriority, best.since <= reply.since { return false }
    }
    let dispatch = decisions.first { $0.outcome == .dispatched }
    if let dispatch {
      guard dispatch.message != reply.id else { return true }
      report.add(
        "a reply ranks before \"\(dispatch.message)\", which was dispatched",
        at: snapshot.time, lines: [reply.line, snapshot.line, dispatch.place.line])
      return true
    }
    if let last = reference.lastDispatch, snapshot.time - last < ReferenceRun.window { return true }
    guard reported.insert(reply.id).inserted else { return true }
    report.add(
      "a reply is due, but was not dispatched", at: snapshot.time, lines: [reply.line, snapshot.line])
    return true
  }

  /// Multiples that were passed over are reported at once.
  private mutating func judgeSkip(_ index: Int, _ report: inout Report) {
    let rule = reference.rules[index]
    let standing = reference.standing(of: rule)
    let latest = reference.latestMultiple(rule.at)
    guard latest > standing.lastMultiple +| 1, !(rule.playsOnce && standing.spokenCount > 0),
      reference.isEligible(index)
    else { return }
    let id = reference.id(of: index)
    let range = (first: standing.lastMultiple +| 1, last: latest -| 1)
    let isReported = decisions.contains {
      $0.message == id && $0.outcome == .skipped(first: range.first, last: range.last)
    }
    guard !isReported else { return }
    report.add(
      "\"\(id)\" passed over its multiples \(range.first) to \(range.last), but the phone did not record it",
      at: reference.latest.time, lines: [reference.latest.line])
    reference.giveUp(rule, multiple: range.last)
  }

  private func hasExpired(_ id: String, multiple: Int64) -> Bool {
    decisions.contains {
      $0.outcome == .expired && $0.message == id && (multiple == 0 || $0.multiple == multiple)
    }
  }

  /// Every expiry by the phone must be justified.
  private mutating func judgeExpiries(_ report: inout Report) {
    for decision in decisions where decision.outcome != .dispatched && !decision.isReply {
      let id = decision.message
      let isExpiry = decision.outcome == .expired
      let index = reference.script?.messages.firstIndex { $0.id == id }
      var isRight = false
      if let index, isExpiry, case .expired(let multiple) = reference.standpoint(of: index) {
        isRight = multiple == 0 || decision.multiple == multiple
      } else if let index, !isExpiry, case .every = reference.rules[index].kind {
        let rule = reference.rules[index]
        isRight =
          decision.outcome
          == .skipped(
            first: reference.standing(of: rule).lastMultiple +| 1, last: reference.latestMultiple(rule.at) -| 1)
      }
      guard !isRight else { continue }
      report.add(
        "\"\(id)\" was \(isExpiry ? "expired" : "skipped") without cause", at: decision.place.time,
        lines: [reference.latest.line, decision.place.line])
    }
  }

  private mutating func judgeDispatch(
    _ best: ReferenceRun.Candidate, _ due: String, _ report: inout Report
  ) {
    let snapshot = reference.latest
    let dispatch = decisions.first { $0.outcome == .dispatched }
    if let dispatch {
      let id = dispatch.message
      if dispatch.isReply {
        guard best.priority > Self.replyPriority else { return }
      } else if id == due {
        reported.remove(id)
        return
      }
      report.add(
        "\"\(due)\" ranks before \"\(id)\", which was dispatched", at: snapshot.time,
        lines: [snapshot.line, dispatch.place.line])
      return
    }
    if let last = reference.lastDispatch, snapshot.time - last < ReferenceRun.window { return }
    guard reported.insert(due).inserted else { return }
    let multiple = best.multiple > 0 ? ", its \(best.multiple). time," : ""
    report.add(
      "\"\(due)\"\(multiple) is due at \(snapshot.position), but was not dispatched",
      at: snapshot.time, lines: [snapshot.line])
  }
}
