import CoachProtocol
import Link

/// Carries out the script's decisions.
extension PhoneNode {
  /// Stores the changes of the script position beyond those in the snapshot's own change.
  mutating func persistPosition(isNewScript: Bool, into output: inout NodeOutput) {
    if isNewScript {
      // The first evaluation under a new script ends the due stretches of lines it lacks.
      persist(.position(engine.position), into: &output)
    } else {
      for entry in engine.changedEntries { persist(.line(entry), into: &output) }
    }
  }

  /// Commits the decisions of an evaluation, records them, and only then speaks.
  mutating func carryOutScript(of runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    var spoken: (message: String, words: Int)?
    for decision in decisions {
      switch decision {
      case .dispatch(let line, let words):
        spoken = (line.message, words)
        persist(.played(PlayedMessage(messageId: line.message, playedAt: now, runId: runId)), into: &output)
        if setup.hasEdge { recordSpoken(line, at: now, into: &output) }
      case .branch(_, let branch, _): persist(.branch(branch), into: &output)
      case .expired(let line) where line.trigger == ScriptEngine.replyTrigger:
        settleReply(line.message, playedAt: nil, into: &output)
      case .expired, .skipped: break
      }
    }
    output.items.append(.commit)
    if output.isRecording { for decision in decisions { output.record(decision.event(at: now)) } }
    decisions.removeAll(keepingCapacity: true)
    if let spoken {
      output.items.append(.crashPoint(.dispatchCommitted))
      speak(spoken.message, words: spoken.words, at: now, into: &output)
    }
  }

  private mutating func speak(_ message: String, words: Int, at now: VirtualTime, into output: inout NodeOutput) {
    updateAudio(.dispatched(message: message, words: words), at: now, into: &output)
    let notice = AppMessage.companionMessageDispatched(
      CompanionMessageDispatched(messageId: message, sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
    if setup.race != nil { tap(for: message, at: now, into: &output) }
    if setup.plants.contains(.companionEcho) { return queueNotice(notice, at: now, into: &output) }
    session.sendMessage(notice.encoded, kind: notice.kind.rawValue, at: now, into: &output)
  }
}
