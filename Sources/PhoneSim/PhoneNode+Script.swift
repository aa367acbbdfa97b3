import CoachProtocol
import Link

/// What the script's decisions come to.
extension PhoneNode {
  /// Keeps what a look at the script changed of the run's position, but for what the snapshot's own change tells.
  mutating func keepPosition(isNewScript: Bool, into output: inout NodeOutput) {
    if isNewScript {
      // The first look under a script settles what lines of another one were waiting for.
      keep(.position(engine.position), into: &output)
    } else {
      for entry in engine.touchedEntries { keep(.line(entry), into: &output) }
    }
  }

  /// Makes the decisions of a look durable, writes their lines, and only then speaks.
  mutating func carryOutScript(of runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    var spoken: (message: String, words: Int)?
    for decision in decisions {
      switch decision {
      case .dispatch(let line, let words):
        spoken = (line.message, words)
        keep(.played(PlayedMessage(messageId: line.message, playedAt: now, runId: runId)), into: &output)
        if setup.hasEdge { noteSpoken(line, at: now, into: &output) }
      case .branch(_, let branch, _): keep(.branch(branch), into: &output)
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
    sound(.dispatched(message: message, words: words), at: now, into: &output)
    let notice = AppMessage.companionMessageDispatched(
      CompanionMessageDispatched(messageId: message, sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
    if setup.race != nil { tap(for: message, at: now, into: &output) }
    if setup.plants.contains(.companionEcho) { return queueNotice(notice, at: now, into: &output) }
    session.sendMessage(notice.encoded, kind: notice.kind.rawValue, at: now, into: &output)
  }
}
