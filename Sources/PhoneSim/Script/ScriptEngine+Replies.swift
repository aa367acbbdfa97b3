package import Link

/// Replies to the runner, among the lines of the script.
extension ScriptEngine {
  /// The `type` that the lines of the trace name for a reply.
  package static let replyTrigger = "ai_reply"
  /// The priority of a reply: an ordinary line goes first.
  package static let replyPriority = 45
  /// How long after its arrival a reply is still spoken.
  package static let replyGrace = VirtualTime.Span.seconds(120)

  /// Where the run stands when replies are looked at.
  package struct ReplyLook: Sendable, Equatable {
    /// The epoch of the last fresh snapshot; nil before the run's first, and in a run of the phone's own.
    package var epoch: Epoch?
    /// Its number; nil likewise.
    package var sequence: SequenceNumber?
    /// The run's elapsed time in seconds; nil where it is not known.
    package var elapsed: Double?
    /// The run's distance in metres; nil where nobody measures it.
    package var distance: Double?

    /// Creates one; of what is left out nothing is known.
    package init(
      epoch: Epoch? = nil, sequence: SequenceNumber? = nil, elapsed: Double? = nil, distance: Double? = nil
    ) {
      self.epoch = epoch
      self.sequence = sequence
      self.elapsed = elapsed
      self.distance = distance
    }
  }

  /// Lets a reply wait for its moment; it is due from the next look on.
  ///
  /// - Returns: What the phone's store keeps of it.
  package mutating func add(reply id: Identifier, words: Int, at now: VirtualTime) -> WaitingReply {
    let reply = WaitingReply(id: id, words: words, arrivedAt: now, dueSince: looks + 1)
    replies.append(reply)
    return reply
  }

  /// Looks at the replies alone, with no line of the script to compete: while the run does not run, or nothing is heard
  /// of it.
  package mutating func lookAtReplies(
    _ look: ReplyLook, at now: VirtualTime, canCommit: Bool, into decisions: inout [ScriptDecision]
  ) {
    expireReplies(look, at: now, into: &decisions)
    guard !replies.isEmpty, canCommit, isWindowOpen(at: now) else { return }
    dispatchReply(look, at: now, into: &decisions)
  }

  /// Lets replies that have waited too long go.
  mutating func expireReplies(_ look: ReplyLook, at now: VirtualTime, into decisions: inout [ScriptDecision]) {
    while let oldest = replies.first, now - oldest.arrivedAt > Self.replyGrace {
      decisions.append(.expired(line(oldest, look)))
      replies.removeFirst()
      revision += 1
    }
  }

  /// Whether the reply that waits longest goes before a line: by its priority, and at an equal one by how long it is due.
  ///
  /// Where that is equal, too, the line goes first: a reply has no place in the script.
  func isReplyFirst(before best: Candidate) -> Bool {
    guard let reply = replies.first else { return false }
    guard best.line >= 0, best.priority >= Self.replyPriority else { return true }
    return best.priority == Self.replyPriority && reply.dueSince < best.dueSince
  }

  /// Speaks the reply that waits longest.
  mutating func dispatchReply(_ look: ReplyLook, at now: VirtualTime, into decisions: inout [ScriptDecision]) {
    let reply = replies.removeFirst()
    decisions.append(.dispatch(line(reply, look), words: reply.words))
    lastDispatch = now
    revision += 1
  }

  private func line(_ reply: WaitingReply, _ look: ReplyLook) -> ScriptDecision.Line {
    ScriptDecision.Line(
      message: reply.id.text, trigger: Self.replyTrigger, priority: Self.replyPriority, epoch: look.epoch,
      sequence: look.sequence, elapsed: look.elapsed, distance: look.distance)
  }
}
