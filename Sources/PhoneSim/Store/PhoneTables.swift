import CoachProtocol
package import Link
package import LinkStore

/// The phone's tables: the companion store, and the state that a restarted app continues from.
///
/// An ordinary snapshot costs one statement: its point of the trail, whose row also holds the marks that every snapshot
/// updates. Loading uses the marks of the newest row.
package struct PhoneTables: AppTables {
  package typealias Record = PhoneRecord
  package typealias Change = PhoneChange

  let statements: PhoneStatements
  let ai: AITables
  let companion: CompanionTables
  let ingestionTables: IngestionTables
  var stagingMemory = StagingMemory()
  let daily: DailyTables
  let training: TrainingTables
  let secondTraining: TrainingTables
  /// Mirror of the table `Trail`.
  var trail = Trail()
  var marks = HeardMarks()
  /// Lines neither finished nor cut off, in order.
  var unheard: [(row: Int64, messageId: String)] = []
  var playedCount: Int64 = 0

  package init(_ database: Database) {
    statements = PhoneStatements(database)
    ai = AITables(database)
    companion = CompanionTables(database)
    ingestionTables = IngestionTables(database)
    daily = DailyTables(database)
    training = TrainingTables(database, phone: 1)
    secondTraining = TrainingTables(database, phone: 2)
  }

  package mutating func apply(_ change: PhoneChange) throws(StoreError) {
    switch change {
    case .heard(let snapshot): try apply(snapshot)
    case .rare(let change): try apply(change)
    }
  }

  // MARK: Every second

  private mutating func apply(_ snapshot: HeardSnapshot) throws(StoreError) {
    marks.apply(snapshot)
    guard snapshot.isOfRun, let milliseconds = Trail.milliseconds(snapshot.elapsed) else { return try writeFreshness() }
    let first = trail.points.first?.milliseconds
    trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance)
    if trail.holds(milliseconds) {
      try writePoint(milliseconds, snapshot.distance)
    } else {
      // It was older than every stored point.
      try writeFreshness()
    }
    if let first, let kept = trail.points.first?.milliseconds, kept > first {
      let forget = statements.forgetTrail
      forget.bind(kept, at: 1)
      try forget.run()
    }
  }

  private func writePoint(_ milliseconds: Int64, _ distance: Double) throws(StoreError) {
    let statement = statements.writePoint
    statement.bind(milliseconds, at: 1)
    statement.bind(distance, at: 2)
    marks.bind(to: statement, from: 3)
    try statement.run()
  }

  private func writeFreshness() throws(StoreError) {
    guard marks.heardCount > 0 else { return }
    marks.bind(to: statements.writeFreshness, from: 1)
    try statements.writeFreshness.run()
  }

  // MARK: Now and then

  private mutating func apply(_ change: RareChange) throws(StoreError) {
    switch change {
    case .consumer(let record): try write(record)
    case .scriptLoaded: try statements.setScriptLoaded.run()
    case .runOpened(let run): try open(run)
    case .runNamed(let id, let startedAt): try set(statements.setRunStart, startedAt.nanoseconds, of: id)
    case .runEnded(let id, let endedAt): try set(statements.setRunEnd, endedAt.nanoseconds, of: id)
    case .runFinished(let id, let uuid):
      statements.setRunUUID.bind(uuid.text, at: 1)
      statements.setRunUUID.bind(id.text, at: 2)
      try statements.setRunUUID.run()
    case .position(let position): try write(position)
    case .line(let entry): try write(entry)
    case .branch(let branch):
      statements.setBranch.bind(branch, at: 1)
      try statements.setBranch.run()
    case .played(let message): try add(message)
    case .ended(let id): try settle(id, isInterrupted: false)
    case .interrupted(let id): try settle(id, isInterrupted: true)
    case .silenced:
      try statements.interruptUnheard.run()
      try statements.forgetUnheard.run()
      unheard = []
    case .muted(let isMuted):
      statements.setMuted.bind(isMuted ? 1 : 0, at: 1)
      try statements.setMuted.run()
    case .audioTaken(let isTaken):
      statements.setSoundTaken.bind(isTaken ? 1 : 0, at: 1)
      try statements.setSoundTaken.run()
    case .recordingBegan(let id): try setRecording(id)
    case .recordingEnded: try setRecording(nil)
    case .noteStored(let note, let transcription): try add(note, transcription)
    case .noteTranscribed(let id, let status, let transcript): try settle(id, status, transcript)
    case .asked, .requestWaits, .requestSettled, .answerCached, .replyStored, .replySettled, .scriptStored,
      .runSummarised,
      .remembered:
      try ai.apply(change)
    case .runRemarked, .runCached, .runRestored, .raceStored: try companion.apply(change)
    case .ingestion(let change):
      try ingestionTables.apply(change, &stagingMemory)
    case .daily(let change): try daily.apply(change)
    case .training(let change): try training.apply(change)
    case .secondTraining(let change): try secondTraining.apply(change)
    case .wiped:
      try companion.wipe()
      unheard = []
      playedCount = 0
    }
  }

  private mutating func write(_ record: ConsumerRecord) throws(StoreError) {
    // Later snapshots are newer than this belief.
    marks.believedSentAt = nil
    let statement = statements.writeBelief
    statement.bind(marks.heardCount, at: 1)
    statement.bind(record.beliefText, at: 2)
    statement.bind(record.liveness.isRaised ? 1 : 0, at: 3)
    statement.bind(record.liveness.isRunning ? 1 : 0, at: 4)
    statement.bind(record.liveness.countedFrom.nanoseconds, at: 5)
    statement.bind(record.freshness.last.map { Int64($0.epoch.rawValue) }, at: 6)
    statement.bind(record.freshness.last.map { Int64(bitPattern: $0.seq.rawValue) }, at: 7)
    statement.bind(record.freshness.last?.arrivedAt.nanoseconds, at: 8)
    try statement.run()
  }

  // MARK: Runs

  private mutating func open(_ run: RunRow) throws(StoreError) {
    run.bind(to: statements.openRun)
    try statements.openRun.run()
    // The marks may be in the trail.
    try writeFreshness()
    trail = Trail()
    try statements.clearTrail.run()
    try ai.clearWaiting.run()
    try write(ScriptPosition())
  }

  private func set(_ statement: Statement, _ time: Int64, of run: Identifier) throws(StoreError) {
    statement.bind(time, at: 1)
    statement.bind(run.text, at: 2)
    try statement.run()
  }

  // MARK: The script position

  private mutating func write(_ position: ScriptPosition) throws(StoreError) {
    marks.evaluations = position.evaluations
    marks.furthestDistance = position.furthestDistance
    marks.furthestElapsed = position.furthestElapsed
    let statement = statements.writePosition
    statement.bind(marks.heardCount, at: 1)
    statement.bind(position.evaluations, at: 2)
    statement.bind(position.furthestDistance, at: 3)
    statement.bind(position.furthestElapsed, at: 4)
    statement.bind(position.branch, at: 5)
    statement.bind(position.lastDispatch?.nanoseconds, at: 6)
    try statement.run()
    try statements.clearLines.run()
    for entry in position.records { try write(entry) }
  }

  private func write(_ entry: ScriptPosition.Entry) throws(StoreError) {
    guard entry.record != .blank else {
      statements.forgetLine.bind(entry.message, at: 1)
      return try statements.forgetLine.run()
    }
    let statement = statements.writeLine
    statement.bind(entry.message, at: 1)
    statement.bind(entry.record.isSpoken ? 1 : 0, at: 2)
    statement.bind(entry.record.isExpired ? 1 : 0, at: 3)
    statement.bind(entry.record.lastMultiple, at: 4)
    statement.bind(entry.record.lastDispatch?.nanoseconds, at: 5)
    statement.bind(entry.record.dueSince, at: 6)
    statement.bind(entry.record.dueMultiple, at: 7)
    try statement.run()
  }

  // MARK: Played lines

  private mutating func add(_ message: PlayedMessage) throws(StoreError) {
    playedCount += 1
    let statement = statements.addPlayed
    statement.bind(playedCount, at: 1)
    statement.bind(message.messageId, at: 2)
    statement.bind(message.playedAt.nanoseconds, at: 3)
    statement.bind(message.runId.text, at: 4)
    statement.bind(message.wasInterrupted ? 1 : 0, at: 5)
    try statement.run()
    statements.addUnheard.bind(playedCount, at: 1)
    try statements.addUnheard.run()
    unheard.append((playedCount, message.messageId))
    statements.setLastDispatch.bind(message.playedAt.nanoseconds, at: 1)
    try statements.setLastDispatch.run()
  }

  private mutating func settle(_ messageId: String, isInterrupted: Bool) throws(StoreError) {
    guard let index = unheard.firstIndex(where: { $0.messageId == messageId }) else { return }
    let row = unheard.remove(at: index).row
    if isInterrupted {
      statements.setInterrupted.bind(row, at: 1)
      try statements.setInterrupted.run()
    }
    statements.removeUnheard.bind(row, at: 1)
    try statements.removeUnheard.run()
  }

  // MARK: Voice notes

  private func setRecording(_ id: Identifier?) throws(StoreError) {
    statements.setRecording.bind(id?.text, at: 1)
    try statements.setRecording.run()
  }

  private func add(_ note: VoiceNote, _ transcription: PendingTranscription) throws(StoreError) {
    let statement = statements.addNote
    statement.bind(note.id.text, at: 1)
    statement.bind(note.runId?.text, at: 2)
    statement.bind(note.recordedAt, at: 3)
    statement.bind(note.audioFilePath, at: 4)
    statement.bind(note.transcript, at: 5)
    statement.bind(note.status.rawValue, at: 6)
    statement.bind(note.aiReplyId, at: 7)
    try statement.run()
    statements.addPending.bind(transcription.noteId.text, at: 1)
    statements.addPending.bind(transcription.says, at: 2)
    statements.addPending.bind(transcription.outcome.rawValue, at: 3)
    try statements.addPending.run()
  }

  private func settle(_ note: Identifier, _ status: VoiceNote.Status, _ transcript: String?) throws(StoreError) {
    statements.setTranscript.bind(status.rawValue, at: 1)
    statements.setTranscript.bind(transcript, at: 2)
    statements.setTranscript.bind(note.text, at: 3)
    try statements.setTranscript.run()
    statements.removePending.bind(note.text, at: 1)
    try statements.removePending.run()
  }
}

extension Statement {
  func bind(_ value: Int64?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }

  func bind(_ value: Double?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }

  func bind(_ value: String?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }
}
