import CoachProtocol
import Link

/// Replies that wait to be spoken.
extension CloudCoach {
  /// Schedules the next check of replies by timer, on a whole second; none unless it is needed.
  mutating func scheduleReplyCheck(isNeeded: Bool, at now: VirtualTime) {
    guard isNeeded else { return replyCheckAt = nil }
    guard replyCheckAt == nil else { return }
    let second = (now.nanoseconds + 999_999_999) / 1_000_000_000
    let next = VirtualTime(nanoseconds: second * 1_000_000_000)
    replyCheckAt = next == lastReplyCheck ? next + .seconds(1) : next
  }

  /// Ends a due timer of the replies.
  ///
  /// - Returns: Whether the replies must be checked now.
  mutating func popReplyCheck(at now: VirtualTime) -> Bool {
    guard let at = replyCheckAt, at <= now else { return false }
    replyCheckAt = nil
    lastReplyCheck = now
    return true
  }

  /// The run's elapsed time and distance between two fresh snapshots, as far as known.
  func position(
    in runId: Identifier, _ record: ConsumerRecord, _ trail: Trail, at now: VirtualTime
  ) -> ScriptEngine.RunPosition {
    if let tracker = record.start.tracker, tracker.runId == runId {
      return ScriptEngine.RunPosition(elapsed: tracker.elapsed(at: now))
    }
    let point = trail.points.last
    // The last fresh snapshot may belong to another run.
    guard diary.snapshot != nil || point != nil, let last = record.freshness.last else {
      return ScriptEngine.RunPosition()
    }
    return ScriptEngine.RunPosition(
      epoch: last.epoch, sequence: last.seq,
      elapsed: diary.snapshot?.elapsed ?? point.map { Double($0.milliseconds) / 1000 },
      distance: diary.snapshot?.distance ?? point?.distance)
  }

  /// Records that a line or a reply is about to be spoken.
  mutating func recordSpoken(
    _ line: ScriptDecision.Line, of script: Script?, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    if line.trigger == ScriptEngine.replyTrigger {
      settleReply(line.message, playedAt: turn.now, &changes, in: &turn)
    } else {
      diary.recordLine(line.message, text: script?.messages.first { $0.id == line.message }?.text)
    }
  }

  /// Stores a reply's outcome; `playedAt` is nil if it will never be spoken.
  mutating func settleReply(
    _ id: String, playedAt: VirtualTime?, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    guard let id = Identifier(text: id) else { preconditionFailure("a reply's message is its name") }
    changes.persist(.replySettled(id, playedAt: playedAt), in: &turn)
    guard let index = replyTexts.firstIndex(where: { $0.id == id }) else { return }
    let text = replyTexts.remove(at: index).text
    if playedAt != nil { diary.recordLine(id.text, text: text) }
  }
}
