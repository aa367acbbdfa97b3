package import CoachProtocol
package import Link

/// A voice note that is being recorded; in memory only, and lost with the app.
package struct VoiceRecording: Sendable, Equatable {
  package let order: RecordCommand
  /// The id of the resulting note.
  package let noteId: Identifier
  /// The run it belongs to.
  package let runId: Identifier
  /// By the watch's clock.
  package let recordedAt: WatchTime
  /// By the watch's timers.
  package let from: VirtualTime

  /// When it ends, unless it ends earlier.
  package var until: VirtualTime { from + order.span }

  /// The note if the recording ends at `end` or at its full length, whichever is sooner; nil for less than a
  /// millisecond.
  package func metadata(endingAt end: VirtualTime) -> VoiceNoteMetadata? {
    let milliseconds = (min(end, until) - from).nanoseconds / 1_000_000
    guard milliseconds > 0 else { return nil }
    return VoiceNoteMetadata(
      noteId: noteId, runId: runId, recordedAt: recordedAt, seconds: Double(milliseconds) / 1000, says: order.says,
      transcription: order.transcription)
  }
}
