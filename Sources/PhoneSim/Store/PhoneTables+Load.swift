import CoachProtocol
package import Link
import LinkStore

extension PhoneTables {
  package mutating func load() throws(StoreError) -> PhoneRecord {
    var record = PhoneRecord()
    try loadTrail()
    record.trail = trail
    record.consumer = try loadConsumer()
    record.position = try loadPosition()
    try loadState(into: &record)
    record.runs = try loadRuns()
    try loadPlayed(into: &record)
    try loadNotes(into: &record)
    try ai.load(into: &record)
    record.races = try companion.loadRaces()
    record.ingestion = try ingestionTables.load()
    stagingMemory = StagingMemory(record.ingestion)
    record.daily = try daily.load()
    record.training = try training.load()
    record.secondTraining = try secondTraining.load()
    return record
  }

  /// Reads the trail and the newest marks from its rows and the row beside it.
  private mutating func loadTrail() throws(StoreError) {
    trail = Trail()
    marks = HeardMarks()
    let rows = statements.readTrail
    while try rows.step() {
      guard trail.points.count < Trail.countMax * 2 else {
        rows.reset()
        throw StoreError(.corrupt, "the store's trail has more than \(Trail.countMax * 2) points")
      }
      trail.append(
        Trail.Point(
          milliseconds: try rows.int64(0, in: -Trail.millisecondsMax...Trail.millisecondsMax),
          distance: try rows.double(1, in: -Trail.distanceMax...Trail.distanceMax)))
      let found = try HeardMarks(rows, from: 2)
      if found.heardCount > marks.heardCount { marks = found }
    }
    let row = statements.readFreshness
    while try row.step() {
      let found = try HeardMarks(row, from: 1)
      if found.heardCount > marks.heardCount { marks = found }
    }
  }

  private mutating func loadConsumer() throws(StoreError) -> ConsumerRecord {
    var record = ConsumerRecord(startedAt: .start)
    var writtenAt: Int64 = 0
    let row = statements.readBelief
    while try row.step() {
      writtenAt = try row.count(1)
      do throws(Diagnostics) { try record.readBelief(row.text(2)) } catch {
        row.reset()
        throw StoreError(.corrupt, "the belief in the store: \(error)")
      }
      record.liveness = LivenessMonitor(
        isRaised: row.int64(3) != 0, isRunning: row.int64(4) != 0,
        countedFrom: VirtualTime(nanoseconds: row.int64(5)))
      if !row.isNull(6) { record.freshness.restore(try Freshness.Mark(row, from: 6)) }
    }
    guard marks.heardCount > writtenAt else {
      marks.believedSentAt = nil
      return record
    }
    record.freshness.restore(marks.mark)
    _ = record.liveness.recordFresh(at: marks.mark.arrivedAt)
    if let sentAt = marks.believedSentAt { record.belief.advanceNewestTime(sentAt: WatchTime(nanoseconds: sentAt)) }
    return record
  }

  private mutating func loadPosition() throws(StoreError) -> ScriptPosition {
    var position = ScriptPosition()
    var writtenAt: Int64 = 0
    let row = statements.readPosition
    while try row.step() {
      writtenAt = try row.count(1)
      position.evaluations = try row.count(2)
      position.furthestDistance =
        row.isNull(3) ? nil : try row.double(3, in: -Trail.distanceMax...Trail.distanceMax)
      position.furthestElapsed = row.isNull(4) ? nil : try row.double(4, in: -Trail.distanceMax...Trail.distanceMax)
      position.branch = row.optionalText(5)
      position.lastDispatch = row.optionalTime(6)
    }
    if marks.heardCount > writtenAt {
      position.evaluations = marks.evaluations
      position.furthestDistance = marks.furthestDistance
      position.furthestElapsed = marks.furthestElapsed
    } else {
      marks.evaluations = position.evaluations
      marks.furthestDistance = position.furthestDistance
      marks.furthestElapsed = position.furthestElapsed
    }
    let rows = statements.readLines
    while try rows.step() {
      var line = MessageRecord()
      line.isSpoken = rows.int64(1) != 0
      line.isExpired = rows.int64(2) != 0
      line.lastMultiple = try rows.int64(3, in: 0...Int64.max / 2)
      line.lastDispatch = rows.optionalTime(4)
      line.dueSince = try rows.count(5)
      line.dueMultiple = try rows.int64(6, in: 0...Int64.max / 2)
      position.records.append(ScriptPosition.Entry(message: rows.text(0), record: line))
    }
    // Swift's order of text differs from the database's.
    position.records.sort { $0.message < $1.message }
    return position
  }

  private func loadState(into record: inout PhoneRecord) throws(StoreError) {
    let row = statements.readState
    while try row.step() {
      record.isScriptLoaded = row.int64(1) != 0
      record.isMuted = row.int64(2) != 0
      record.isAudioTaken = row.int64(3) != 0
      record.recording = Identifier(text: row.text(4))
    }
  }

  private func loadRuns() throws(StoreError) -> [RunRow] {
    try statements.readRuns.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)), let runType = RunType(rawValue: row.text(3)),
        let mode = RunMode(rawValue: row.text(4))
      else {
        throw StoreError(.corrupt, "the store's run \"\(row.text(0))\" has no identifier, type or mode")
      }
      var run = RunRow(
        id: id, startedAt: WatchTime(nanoseconds: row.int64(1)),
        endedAt: row.isNull(2) ? nil : WatchTime(nanoseconds: row.int64(2)), runType: runType, mode: mode,
        personality: row.text(5), healthKitWorkoutUUID: Identifier(text: row.text(6)))
      try run.loadRemarks(row)
      return run
    }
  }

  private mutating func loadPlayed(into record: inout PhoneRecord) throws(StoreError) {
    try statements.readPlayed.forEachRow { (row) throws(StoreError) in
      guard let runId = Identifier(text: row.text(2)) else {
        throw StoreError(.corrupt, "the store's played line \(record.played.count + 1) has no run")
      }
      record.played.append(
        PlayedMessage(
          messageId: row.text(0), playedAt: VirtualTime(nanoseconds: row.int64(1)), runId: runId,
          wasInterrupted: row.int64(3) != 0))
    }
    playedCount = Int64(record.played.count)
    unheard = try statements.readUnheard.load { (row) throws(StoreError) in
      let place = row.int64(0)
      guard place >= 1, place <= record.played.count else {
        throw StoreError(.corrupt, "the store has no played line \(place)")
      }
      record.unheard.append(Int(place) - 1)
      return (place, record.played[Int(place) - 1].messageId)
    }
  }

  private func loadNotes(into record: inout PhoneRecord) throws(StoreError) {
    record.voiceNotes = try statements.readNotes.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)), let status = VoiceNote.Status(rawValue: row.text(5)) else {
        throw StoreError(.corrupt, "a voice note of the store has no identifier or status")
      }
      var note = VoiceNote(
        id: id, runId: Identifier(text: row.text(1)), recordedAt: row.int64(2), transcript: row.optionalText(4),
        status: status, aiReplyId: row.optionalText(6))
      note.audioFilePath = row.text(3)
      return note
    }
    record.transcriptions = try statements.readPending.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)),
        let outcome = VoiceNoteMetadata.Transcription(rawValue: row.text(2))
      else { throw StoreError(.corrupt, "a transcription of the store has no note or outcome") }
      return PendingTranscription(
        noteId: id, runId: Identifier(text: row.text(3)), says: row.optionalText(1), outcome: outcome)
    }
  }
}
