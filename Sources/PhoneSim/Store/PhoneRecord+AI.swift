import CoachProtocol
import Link

/// A script that was made for a run.
package struct KeptScript: Sendable, Equatable {
  /// The script.
  package var script: Script
  /// Where it came from.
  package var source: ScriptSource

  /// Creates one.
  package init(script: Script, source: ScriptSource) {
    self.script = script
    self.source = source
  }
}

extension PhoneRecord {
  /// Applies a change of what the coach asked, was answered, or knows.
  mutating func applyAI(_ change: RareChange) {
    switch change {
    case .asked(let request, let old): ai.set(request, replacing: old)
    case .askingWaits(let id, let until):
      if let place = ai.requests.firstIndex(where: { $0.id == id }) { ai.requests[place].retryAt = until }
    case .askingOver(let id): ai.requests.removeAll { $0.id == id }
    case .answerCached(let answer): ai.add(answer)
    case .replyKept(let reply, let waiting):
      replies.append(reply)
      if let waiting { waitingReplies.append(waiting) }
      guard let place = voiceNotes.firstIndex(where: { $0.id == reply.noteId }) else { return }
      // A late answer is kept beside the one that was spoken in its place.
      if voiceNotes[place].aiReplyId == nil { voiceNotes[place].aiReplyId = reply.id.text }
    case .replySettled(let id, let playedAt):
      waitingReplies.removeAll { $0.id == id }
      guard let playedAt, let place = replies.firstIndex(where: { $0.id == id }) else { return }
      replies[place].playedAt = playedAt
    case .scriptKept(let script, let source): self.script = KeptScript(script: script, source: source)
    case .runSummarised(let id, let text): changeRun(id) { $0.summaryText = text }
    case .remembered(let row):
      if let place = memory.firstIndex(where: { $0.fact.key == row.fact.key }) {
        memory[place] = row
      } else {
        memory.append(row)
      }
    case .consumer, .scriptLoaded, .runOpened, .runNamed, .runEnded, .runFinished, .position, .line, .branch, .played,
      .ended, .interrupted, .silenced, .muted, .soundTaken, .recordingBegan, .recordingEnded, .noteKept,
      .noteTranscribed, .runRemarked, .runCached, .runRestored, .raceKept, .wiped:
      preconditionFailure("\(change) is none of the coach's questions")
    }
  }
}
