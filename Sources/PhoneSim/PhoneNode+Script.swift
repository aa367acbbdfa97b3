import CoachProtocol
import Link

/// Carries out the script's decisions.
extension PhoneNode {
  /// Stores the changes of the script position beyond those in the snapshot's own change.
  mutating func persistPosition(isNewScript: Bool, in turn: inout Turn) {
    if isNewScript {
      // The first evaluation under a new script ends the due stretches of lines it lacks.
      persist(.position(engine.position), in: &turn)
    } else {
      for entry in engine.changedEntries { persist(.line(entry), in: &turn) }
    }
  }

  /// Commits the decisions of an evaluation, records them, and only then speaks.
  mutating func carryOutScript(of runId: Identifier, in turn: inout Turn) {
    let now = turn.now
    var spoken: (message: String, words: Int)?
    for decision in decisions {
      switch decision {
      case .dispatch(let line, let words):
        spoken = (line.message, words)
        persist(.played(PlayedMessage(messageId: line.message, playedAt: now, runId: runId)), in: &turn)
        if setup.hasEdge { coach.recordSpoken(line, of: engine.script, &changes, in: &turn) }
      case .branch(_, let branch, _): persist(.branch(branch), in: &turn)
      case .expired(let line) where line.trigger == ScriptEngine.replyTrigger:
        coach.settleReply(line.message, playedAt: nil, &changes, in: &turn)
      case .expired, .skipped: break
      }
    }
    turn.items.append(.commit)
    if turn.isRecording { for decision in decisions { turn.record(decision.event(at: now)) } }
    decisions.removeAll(keepingCapacity: true)
    if let spoken {
      turn.items.append(.crashPoint(.dispatchCommitted))
      speak(spoken.message, words: spoken.words, in: &turn)
    }
  }

  private mutating func speak(_ message: String, words: Int, in turn: inout Turn) {
    updateAudio(.dispatched(message: message, words: words), in: &turn)
    let notice = AppMessage.companionMessageDispatched(
      CompanionMessageDispatched(messageId: message, sentAt: PhoneTime(nanoseconds: clock.reading(at: turn.now))))
    if setup.race != nil { tap(for: message, in: &turn) }
    if setup.plants.contains(.companionEcho) { return queueNotice(notice, in: &turn) }
    session.sendMessage(notice.encoded, kind: notice.kind.rawValue, in: &turn)
  }
}
