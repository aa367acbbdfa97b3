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
