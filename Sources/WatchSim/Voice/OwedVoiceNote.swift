package import CoachProtocol
package import Link

/// A voice note that the phone does not have yet.
package struct OwedVoiceNote: Sendable, Equatable {
  /// Its number on this watch, from 1.
  package var number: Int
  /// The metadata of its file.
  package var metadata: VoiceNoteMetadata
  /// The transfer to the phone; nil while there is none.
  package var transfer: Identifier?
  /// How often it could not be queued, or its transfer failed.
  package var failures = 0
  /// When it is queued again, while there is no transfer.
  package var retryAt = VirtualTime.start

  /// The delay after the first failure; doubles with each further one.
  package static let retryAfter = VirtualTime.Span.seconds(30)
  package static let retryAfterMax = VirtualTime.Span.seconds(300)

  package var note: Identifier { metadata.noteId }

  /// Its audio, derived from its id.
  package var content: FileContent {
    VoiceNoteMetadata.audio(of: note, seconds: metadata.seconds)
  }

  /// The transfer's offer of the file.
  package var offer: FileOffer {
    let content = content
    return FileOffer(
      name: "\(note.text).m4a", byteCount: content.byteCount, digest: content.digest,
      metadata: FileMetadata.voiceNote(metadata).encoded)
  }

  /// Records a failure to queue or to transfer, and schedules the retry.
  package mutating func fail(at now: VirtualTime) {
    transfer = nil
    var wait = Self.retryAfter
    for _ in 0..<min(failures, 8) { wait = min(wait + wait, Self.retryAfterMax) }
    failures += 1
    retryAt = now + wait
  }
}

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
