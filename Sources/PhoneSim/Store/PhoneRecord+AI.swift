import CoachProtocol
import Link

/// A script made for a run.
package struct StoredScript: Sendable, Equatable {
  package var script: Script
  package var source: ScriptSource
}

extension PhoneRecord {
  /// Applies a change of requests, answers, scripts or memory.
  mutating func applyAI(_ change: RareChange) {
    switch change {
    case .asked(let request, let old): ai.set(request, replacing: old)
    case .requestWaits(let id, let until):
      if let index = ai.requests.firstIndex(where: { $0.id == id }) { ai.requests[index].retryAt = until }
    case .requestSettled(let id): ai.requests.removeAll { $0.id == id }
    case .answerCached(let answer): ai.add(answer)
    case .replyStored(let reply, let waiting):
      replies.append(reply)
      if let waiting { waitingReplies.append(waiting) }
      guard let index = voiceNotes.firstIndex(where: { $0.id == reply.noteId }) else { return }
      // A late answer does not replace the spoken one.
      if voiceNotes[index].aiReplyId == nil { voiceNotes[index].aiReplyId = reply.id.text }
    case .replySettled(let id, let playedAt):
      waitingReplies.removeAll { $0.id == id }
      guard let playedAt, let index = replies.firstIndex(where: { $0.id == id }) else { return }
      replies[index].playedAt = playedAt
    case .scriptStored(let script, let source): self.script = StoredScript(script: script, source: source)
    case .runSummarised(let id, let text): changeRun(id) { $0.summaryText = text }
    case .remembered(let row):
      if let index = memory.firstIndex(where: { $0.fact.key == row.fact.key }) {
        memory[index] = row
      } else {
        memory.append(row)
      }
    case .consumer, .scriptLoaded, .runOpened, .runNamed, .runEnded, .runFinished, .position, .line, .branch, .played,
      .ended, .interrupted, .silenced, .muted, .audioTaken, .recordingBegan, .recordingEnded, .noteStored,
      .noteTranscribed, .ingestion, .daily, .training, .secondTraining, .runRemarked, .runCached, .runRestored,
      .raceStored, .wiped:
      preconditionFailure("\(change) is none of the coach's questions")
    }
  }
}
