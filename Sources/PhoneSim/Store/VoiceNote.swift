package import CoachProtocol
package import Link

/// Something the runner said: a row of the companion store's `VoiceNote`.
package struct VoiceNote: Sendable, Equatable {
  /// Whether its words are known.
  package enum Status: String, Sendable, CaseIterable {
    case pending, done, failed
  }

  /// Names the note.
  package var id: Identifier
  /// The run it belongs to, which the phone may not have heard of yet; nil where none was on.
  package var runId: Identifier?
  /// When its recording began, in nanoseconds since 1970 by the clock of the device that recorded it.
  package var recordedAt: Int64
  /// The audio's name in the app's folder.
  package var audioFilePath: String
  /// What was said; nil until it is known, and for good where the transcription failed.
  package var transcript: String?
  /// Whether its words are known.
  package var status: Status
  /// The coach's answer; nil while there is none.
  package var aiReplyId: String?

  /// Creates the row of a note whose words are not known yet.
  package init(
    id: Identifier, runId: Identifier?, recordedAt: Int64, transcript: String? = nil, status: Status = .pending,
    aiReplyId: String? = nil
  ) {
    self.id = id
    self.runId = runId
    self.recordedAt = recordedAt
    audioFilePath = Self.audioFileName(id)
    self.transcript = transcript
    self.status = status
    self.aiReplyId = aiReplyId
  }

  /// The name under which a note's audio is kept: a plain file name whatever the note is called elsewhere.
  package static func audioFileName(_ id: Identifier) -> String { "voice-\(id.text).m4a" }
}

/// A note whose words are still to be found.
package struct PendingTranscription: Sendable, Equatable {
  /// Which note.
  package var noteId: Identifier
  /// The run that the note belongs to; nil where none was on.
  package var runId: Identifier?
  /// What the recogniser hears; nil for nothing.
  package var says: String?
  /// How it ends.
  package var outcome: VoiceNoteMetadata.Transcription

  /// Creates one.
  package init(
    noteId: Identifier, runId: Identifier?, says: String?, outcome: VoiceNoteMetadata.Transcription
  ) {
    self.noteId = noteId
    self.runId = runId
    self.says = says
    self.outcome = outcome
  }
}
