package import CoachProtocol
package import Link

/// A voice note: a row of the companion store's `VoiceNote`.
package struct VoiceNote: Sendable, Equatable {
  /// State of the transcription.
  package enum Status: String, Sendable, CaseIterable {
    case pending, done, failed
  }

  package var id: Identifier
  /// The run it belongs to, possibly not known to the phone yet; nil if none was on.
  package var runId: Identifier?
  /// Start of the recording, in nanoseconds since 1970 by the recording device's clock.
  package var recordedAt: Int64
  /// The audio's file name in the app's folder.
  package var audioFilePath: String
  /// Nil until it is known, and always nil if the transcription failed.
  package var transcript: String?
  package var status: Status
  /// The coach's reply; nil while there is none.
  package var aiReplyId: String?

  /// Creates the row of a note without transcript.
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

  /// The audio's file name for a note.
  package static func audioFileName(_ id: Identifier) -> String { "voice-\(id.text).m4a" }

  /// Whether a file of the app's folder is the audio of a note.
  static func isAudioFileName(_ name: String) -> Bool { name.hasPrefix("voice-") && name.hasSuffix(".m4a") }
}

/// A note whose transcription is pending.
package struct PendingTranscription: Sendable, Equatable {
  package var noteId: Identifier
  /// Nil if no run was on.
  package var runId: Identifier?
  /// What the recogniser will find; nil for nothing.
  package var says: String?
  package var outcome: VoiceNoteMetadata.Transcription
}

extension VoiceNote: StoredRow, PhoneRow {
  static let table = StoredTable(
    "VoiceNote", blank: VoiceNote(id: .blank, runId: nil, recordedAt: 0),
    [
      StoredColumn("id", \.id), StoredColumn("runId", \.runId), StoredColumn("recordedAt", \.recordedAt),
      StoredColumn("audioFilePath", \.audioFilePath), StoredColumn("transcript", \.transcript),
      StoredColumn("transcriptionStatus", \.status),
      StoredColumn("aiReplyId", \.aiReplyId, references: "AiReply"),
    ])
  static var inRecord: Place { \.voiceNotes }
  var rowKey: Identifier { id }
}

extension PendingTranscription: StoredRow, PhoneRow {
  static let table = StoredTable(
    "PendingTranscription", blank: PendingTranscription(noteId: .blank, runId: nil, says: nil, outcome: .done),
    [
      StoredColumn("noteId", \.noteId, references: "VoiceNote"), StoredColumn("runId", \.runId),
      StoredColumn("says", \.says), StoredColumn("outcome", \.outcome),
    ])
  static var inRecord: Place { \.transcriptions }
  var rowKey: Identifier { noteId }
}

extension VoiceNote {
  /// The `voice.received` event.
  func receivedEvent(bytes: UInt64, seconds: Double, at now: VirtualTime) -> TraceEvent {
    TraceEvent(VoiceReceived.self, at: now, on: .phone) {
      $0.note = id
      $0.runId = runId
      $0.recordedAt = recordedAt
      $0.bytes = Int64(clamping: bytes)
      $0.seconds = seconds
    }
  }

  /// The `voice.recorded` event: the watch's fields first, in the watch's order.
  func recordedEvent(bytes: UInt64, seconds: Double, at now: VirtualTime) -> TraceEvent {
    TraceEvent(VoiceRecorded.self, at: now, on: .phone) {
      $0.note = id
      $0.seconds = seconds
      $0.bytes = Int64(clamping: bytes)
      $0.runId = runId
      $0.recordedAt = recordedAt
    }
  }
}
