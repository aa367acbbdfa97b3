package import CoachProtocol
package import Link

/// A voice note while it is being recorded: it lives in memory, and dies with the app.
package struct VoiceRecording: Sendable, Equatable {
  /// What was ordered.
  package let order: RecordCommand
  /// The note it becomes.
  package let noteId: Identifier
  /// The run it belongs to.
  package let runId: Identifier
  /// When it began, by the watch's clock.
  package let recordedAt: WatchTime
  /// When it began, by the watch's timers.
  package let from: VirtualTime

  /// Begins a recording.
  package init(
    _ order: RecordCommand, noteId: Identifier, runId: Identifier, recordedAt: WatchTime, from: VirtualTime
  ) {
    self.order = order
    self.noteId = noteId
    self.runId = runId
    self.recordedAt = recordedAt
    self.from = from
  }

  /// When it ends, if nothing ends it before.
  package var until: VirtualTime { from + order.span }

  /// The note, where the recording ends at `end` or when its time is up, whichever is sooner; nil where that leaves
  /// less than a millisecond.
  package func note(endingAt end: VirtualTime) -> VoiceNoteMetadata? {
    let milliseconds = (min(end, until) - from).nanoseconds / 1_000_000
    guard milliseconds > 0 else { return nil }
    return VoiceNoteMetadata(
      noteId: noteId, runId: runId, recordedAt: recordedAt, seconds: Double(milliseconds) / 1000, says: order.says,
      transcription: order.transcription)
  }
}
