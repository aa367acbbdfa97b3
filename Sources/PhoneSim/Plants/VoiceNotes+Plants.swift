import CoachProtocol
import Link

/// The wrong behaviour of planted bugs.
extension VoiceNotes {
  /// ``Plants/halfFile``: lists a partly received file as a note.
  mutating func listHalfFile(of session: Session, _ changes: inout [PhoneChange], in turn: inout Turn) {
    let now = turn.now
    guard let half = session.incomingFile, let metadata = try? FileMetadata(decoding: half.offer.metadata),
      case .voiceNote(let note) = metadata, ids.insert(note.noteId).inserted
    else { return }
    let row = VoiceNote(id: note.noteId, runId: note.runId, recordedAt: note.recordedAt.nanoseconds)
    let pending = PendingTranscription(
      noteId: note.noteId, runId: note.runId, says: note.says, outcome: note.transcription)
    changes.commit(.noteStored(row, pending), in: &turn)
    turn.record(row.receivedEvent(bytes: half.receivedBytes, seconds: note.seconds, at: now))
  }

  /// ``Plants/noteAcknowledgedEarly``: closes the transaction before the note's row.
  func acknowledgeEarly(in turn: inout Turn) {
    turn.items.append(.commit)
    turn.items.append(.crashPoint(.handlerCommitted))
  }
}
