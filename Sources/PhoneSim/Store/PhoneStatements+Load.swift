import CoachProtocol
import Foundation
import Link
import LinkStore

/// How the phone's rows are read.
extension PhoneStatements {
  /// Everything the app begins with.
  ///
  /// - Throws: `.corrupt` where a row does not say what it must.
  func load() throws(StoreError) -> (PhoneRecord, HeardMarks?) {
    var record = PhoneRecord()
    let state = Statement(database, "SELECT key, value FROM PhoneState")
    while try state.step() {
      let text = state.text(1)
      switch PhoneSchema.Key(rawValue: state.text(0)) {
      case .consumer: record.consumer = try consumer(text)
      case .position: record.position = try position(text)
      case .flags:
        let flags = PhoneFlags(text: text)
        record.isScriptLoaded = flags.isScriptLoaded
        record.isMuted = flags.isMuted
        record.isSoundTaken = flags.isSoundTaken
        record.recording = flags.recording
      case nil: throw damaged("PhoneState", state.text(0))
      }
    }
    let heard = try loadMarks(into: &record)
    let trail = Statement(database, "SELECT milliseconds, distance FROM Trail ORDER BY milliseconds")
    while try trail.step() {
      record.trail.add(elapsed: Double(trail.int64(0)) / 1000, distance: trail.double(1))
    }
    try loadRuns(into: &record)
    try loadPlayed(into: &record)
    try loadNotes(into: &record)
    return (record, heard)
  }

  private func loadMarks(into record: inout PhoneRecord) throws(StoreError) -> HeardMarks? {
    let marks = Statement(
      database,
      "SELECT epoch, seq, arrivedAt, newestSentAt, looks, furthestDistance, furthestElapsed FROM Marks WHERE id = 1")
    guard try marks.step() else { return nil }
    var heard: HeardMarks?
    if !marks.isNull(0) {
      heard = HeardMarks(
        last: Freshness.Mark(
          epoch: Epoch(UInt32(clamping: marks.int64(0))),
          seq: SequenceNumber(UInt64(bitPattern: marks.int64(1))),
          arrivedAt: VirtualTime(nanoseconds: marks.int64(2))),
        newestWord: marks.isNull(3) ? nil : WatchTime(nanoseconds: marks.int64(3)))
      heard?.move(&record.consumer)
    }
    record.position.looks = marks.int64(4)
    record.position.furthestDistance = marks.isNull(5) ? nil : marks.double(5)
    record.position.furthestElapsed = marks.isNull(6) ? nil : marks.double(6)
    marks.reset()
    return heard
  }

  private func loadRuns(into record: inout PhoneRecord) throws(StoreError) {
    let runs = Statement(
      database,
      "SELECT id, startedAt, endedAt, runType, mode, personality, healthKitWorkoutUUID FROM Run ORDER BY place")
    while try runs.step() {
      guard let type = RunType(rawValue: runs.text(3)), let mode = RunMode(rawValue: runs.text(4)) else {
        throw damaged("Run", "\(runs.text(3)) \(runs.text(4))")
      }
      record.runs.append(
        RunRow(
          id: try identifier(runs.text(0), "Run"), startedAt: WatchTime(nanoseconds: runs.int64(1)),
          endedAt: runs.isNull(2) ? nil : WatchTime(nanoseconds: runs.int64(2)), runType: type, mode: mode,
          personality: runs.text(5),
          healthKitWorkoutUUID: runs.isNull(6) ? nil : try identifier(runs.text(6), "Run")))
    }
  }

  private func loadPlayed(into record: inout PhoneRecord) throws(StoreError) {
    let played = Statement(
      database, "SELECT messageId, playedAt, runId, wasInterrupted, isUnheard FROM PlayedMessage ORDER BY place")
    while try played.step() {
      if played.int64(4) != 0 { record.unheard.append(record.played.count) }
      record.played.append(
        PlayedMessage(
          messageId: played.text(0), playedAt: VirtualTime(nanoseconds: played.int64(1)),
          runId: try identifier(played.text(2), "PlayedMessage"), wasInterrupted: played.int64(3) != 0))
    }
  }

  private func loadNotes(into record: inout PhoneRecord) throws(StoreError) {
    let notes = Statement(
      database, "SELECT id, runId, recordedAt, transcript, transcriptionStatus, aiReplyId FROM VoiceNote ORDER BY place"
    )
    while try notes.step() {
      guard let status = VoiceNote.Status(rawValue: notes.text(4)) else { throw damaged("VoiceNote", notes.text(4)) }
      record.voiceNotes.append(
        VoiceNote(
          id: try identifier(notes.text(0), "VoiceNote"),
          runId: notes.isNull(1) ? nil : try identifier(notes.text(1), "VoiceNote"), recordedAt: notes.int64(2),
          transcript: notes.isNull(3) ? nil : notes.text(3), status: status,
          aiReplyId: notes.isNull(5) ? nil : notes.text(5)))
    }
    let pending = Statement(database, "SELECT noteId, says, outcome FROM PendingTranscription ORDER BY place")
    while try pending.step() {
      guard let outcome = VoiceNoteMetadata.Transcription(rawValue: pending.text(2)) else {
        throw damaged("PendingTranscription", pending.text(2))
      }
      record.transcriptions.append(
        PendingTranscription(
          noteId: try identifier(pending.text(0), "PendingTranscription"),
          says: pending.isNull(1) ? nil : pending.text(1), outcome: outcome))
    }
  }

  // MARK: Values

  private func consumer(_ text: String) throws(StoreError) -> ConsumerRecord {
    do { return try JSONDecoder().decode(ConsumerRecord.self, from: Data(text.utf8)) } catch {
      throw damaged("PhoneState", "consumer: \(error)")
    }
  }

  private func position(_ text: String) throws(StoreError) -> ScriptPosition {
    do throws(Diagnostics) { return try ScriptPosition(text: text) } catch {
      throw damaged("PhoneState", "position: \(error.description)")
    }
  }

  private func identifier(_ text: String, _ table: String) throws(StoreError) -> Identifier {
    guard let identifier = Identifier(text: text) else { throw damaged(table, text) }
    return identifier
  }

  private func damaged(_ table: String, _ found: String) -> StoreError {
    StoreError(.corrupt, "\(database.path): a row of \(table) makes no sense: \(found)")
  }
}
