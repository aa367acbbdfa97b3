import CoachProtocol
package import Link

/// Replies to the athlete, ranked among the lines of the script.
extension ScriptEngine {
  /// The trigger `type` of a reply in trace events.
  package static let replyTrigger = "ai_reply"
  /// A reply's priority: ordinary lines go first.
  package static let replyPriority = 45
  /// How long after its arrival a reply may still be spoken.
  package static let replyGrace = VirtualTime.Span.seconds(120)

  /// The run's position when replies are checked.
  package struct RunPosition: Sendable, Equatable {
    /// The epoch of the last fresh snapshot; nil before the run's first, and in a run that the phone tracks.
    package var epoch: Epoch?
    /// Its number; nil likewise.
    package var sequence: SequenceNumber?
    /// The run's elapsed time in seconds; nil if unknown.
    package var elapsed: Double?
    /// The run's distance in metres; nil if unmeasured.
    package var distance: Double?
  }

  /// Queues a reply, which is due from the next evaluation on.
  ///
  /// - Returns: The entry for the phone's store.
  package mutating func add(reply id: Identifier, words: Int, at now: VirtualTime) -> WaitingReply {
    let reply = WaitingReply(id: id, words: words, arrivedAt: now, dueSince: evaluations + 1)
    replies.append(reply)
    return reply
  }

  /// Checks the replies alone, without competing lines: while the run is paused or the watch is silent.
  package mutating func checkReplies(
    _ position: RunPosition, at now: VirtualTime, canCommit: Bool, into decisions: inout [ScriptDecision]
  ) {
    expireReplies(position, at: now, into: &decisions)
    guard !replies.isEmpty, canCommit, isWindowOpen(at: now) else { return }
    dispatchReply(position, at: now, into: &decisions)
  }

  /// Checks the replies at a fresh snapshot of the run at which the script is not evaluated.
  mutating func checkReplies(
    at snapshot: LiveMetrics, epoch: Epoch, sequence: SequenceNumber, state: WorkoutState?, at now: VirtualTime,
    canCommit: Bool, into decisions: inout [ScriptDecision]
  ) {
    guard !replies.isEmpty, state == .paused || state == .preparing else { return }
    let position = RunPosition(
      epoch: epoch, sequence: sequence, elapsed: snapshot.elapsed, distance: snapshot.distance)
    checkReplies(position, at: now, canCommit: canCommit, into: &decisions)
  }

  /// Expires replies that have waited too long.
  mutating func expireReplies(_ position: RunPosition, at now: VirtualTime, into decisions: inout [ScriptDecision]) {
    while let oldest = replies.first, now - oldest.arrivedAt > Self.replyGrace {
      decisions.append(.expired(line(oldest, position)))
      replies.removeFirst()
      revision += 1
    }
  }

  /// Whether the longest-waiting reply beats a line: by priority, then by how long it is due.
  ///
  /// In a tie the line goes first.
  func isReplyFirst(before best: Candidate) -> Bool {
    guard let reply = replies.first else { return false }
    guard best.line >= 0, best.priority >= Self.replyPriority else { return true }
    return best.priority == Self.replyPriority && reply.dueSince < best.dueSince
  }

  /// Dispatches the longest-waiting reply.
  mutating func dispatchReply(_ position: RunPosition, at now: VirtualTime, into decisions: inout [ScriptDecision]) {
    let reply = replies.removeFirst()
    decisions.append(.dispatch(line(reply, position), words: reply.words))
    lastDispatch = now
    revision += 1
  }

  private func line(_ reply: WaitingReply, _ position: RunPosition) -> ScriptDecision.Line {
    ScriptDecision.Line(
      message: reply.id.text, trigger: Self.replyTrigger, priority: Self.replyPriority, epoch: position.epoch,
      sequence: position.sequence, elapsed: position.elapsed, distance: position.distance)
  }
}
