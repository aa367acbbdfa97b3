package import CoachProtocol
package import Link

/// A voice note that the phone does not have yet.
package struct OwedVoiceNote: Sendable, Equatable {
  /// Which note of this watch it is, from 1.
  package var number: Int
  /// What goes with its file.
  package var metadata: VoiceNoteMetadata
  /// The transfer that brings it to the phone; nil while there is none.
  package var transfer: Identifier?
  /// How often it could not be queued, or its transfer failed.
  package var failures = 0
  /// When it is queued again, while there is no transfer.
  package var retryAt = VirtualTime.start

  /// The wait after the first failure; doubles with each further one.
  package static let retryAfter = VirtualTime.Span.seconds(30)
  /// The longest wait.
  package static let retryAfterMax = VirtualTime.Span.seconds(300)

  /// Creates a note that was just recorded.
  package init(number: Int, _ metadata: VoiceNoteMetadata) {
    self.number = number
    self.metadata = metadata
  }

  /// Names it.
  package var note: Identifier { metadata.noteId }

  /// A stand-in for its audio (M4A): bytes that follow from its name, as many as a recording of its length has.
  package var content: FileContent {
    .generated(
      key: RandomStream.key(note.high, note.low),
      byteCount: VoiceNoteMetadata.audioBytes(seconds: metadata.seconds))
  }

  /// What its sender says of the file.
  package var offer: FileOffer {
    let content = content
    return FileOffer(
      name: "\(note.text).m4a", byteCount: content.byteCount, digest: content.digest,
      metadata: FileMetadata.voiceNote(metadata).encoded)
  }

  /// Notes that it was not queued, or that its transfer failed: it is tried again after a while.
  package mutating func fail(at now: VirtualTime) {
    transfer = nil
    var wait = Self.retryAfter
    for _ in 0..<min(failures, 8) { wait = min(wait + wait, Self.retryAfterMax) }
    failures += 1
    retryAt = now + wait
  }
}
