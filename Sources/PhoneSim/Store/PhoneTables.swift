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

  package static func orphans(among names: [String], of record: PhoneRecord) -> [String] {
    record.orphans(among: names)
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
      try statements.forgetTrail.run(kept)
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
    case .runNamed(let id, let startedAt): try statements.setRunStart.run(startedAt.nanoseconds, id.text)
    case .runEnded(let id, let endedAt): try statements.setRunEnd.run(endedAt.nanoseconds, id.text)
    case .runFinished(let id, let uuid): try statements.setRunUUID.run(uuid.text, id.text)
    case .position(let position): try write(position)
    case .line(let entry): try write(entry)
    case .branch(let branch): try statements.setBranch.run(branch)
    case .played(let message): try add(message)
    case .ended(let id): try settle(id, isInterrupted: false)
    case .interrupted(let id): try settle(id, isInterrupted: true)
    case .silenced:
      try statements.interruptUnheard.run()
      try statements.forgetUnheard.run()
      unheard = []
    case .muted(let isMuted): try statements.setMuted.run(isMuted ? 1 : 0)
    case .audioTaken(let isTaken): try statements.setSoundTaken.run(isTaken ? 1 : 0)
    case .recordingBegan(let id): try statements.setRecording.run(id.text)
    case .recordingEnded: try statements.setRecording.run(nil as String?)
    case .noteStored(let note, let transcription): try add(note, transcription)
    case .noteTranscribed(let id, let status, let transcript): try settle(id, status, transcript)
    case .asked, .requestWaits, .requestSettled, .answerCached, .replyStored, .replySettled, .scriptStored,
      .runSummarised, .remembered:
      try ai.apply(change)
    case .runRemarked, .runCached, .runRestored, .raceStored: try companion.apply(change)
    case .ingestion(let change): try ingestionTables.apply(change, &stagingMemory)
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
    try statements.writeBelief.run(
      marks.heardCount, record.beliefText, record.liveness.isRaised ? 1 : 0, record.liveness.isRunning ? 1 : 0,
      record.liveness.countedFrom.nanoseconds, record.freshness.last.map { Int64($0.epoch.rawValue) },
      record.freshness.last.map { Int64(bitPattern: $0.seq.rawValue) }, record.freshness.last?.arrivedAt.nanoseconds)
  }

  // MARK: Runs

  private mutating func open(_ run: RunRow) throws(StoreError) {
    try run.write(with: statements.openRun)
    // The marks may be in the trail.
    try writeFreshness()
    trail = Trail()
    try statements.clearTrail.run()
    try ai.clearWaiting.run()
    try write(ScriptPosition())
  }

  // MARK: The script position

  private mutating func write(_ position: ScriptPosition) throws(StoreError) {
    marks.evaluations = position.evaluations
    marks.furthestDistance = position.furthestDistance
    marks.furthestElapsed = position.furthestElapsed
    try statements.writePosition.run(
      marks.heardCount, position.evaluations, position.furthestDistance, position.furthestElapsed, position.branch,
      position.lastDispatch?.nanoseconds)
    try statements.clearLines.run()
    for entry in position.records { try write(entry) }
  }

  private func write(_ entry: ScriptPosition.Entry) throws(StoreError) {
    guard entry.record != .blank else { return try statements.forgetLine.run(entry.message) }
    try statements.writeLine.run(
      entry.message, entry.record.isSpoken ? 1 : 0, entry.record.isExpired ? 1 : 0, entry.record.lastMultiple,
      entry.record.lastDispatch?.nanoseconds, entry.record.dueSince, entry.record.dueMultiple)
  }

  // MARK: Played lines

  private mutating func add(_ message: PlayedMessage) throws(StoreError) {
    playedCount += 1
    try statements.addPlayed.run(
      playedCount, message.messageId, message.playedAt.nanoseconds, message.runId.text, message.wasInterrupted ? 1 : 0)
    try statements.addUnheard.run(playedCount)
    unheard.append((playedCount, message.messageId))
    try statements.setLastDispatch.run(message.playedAt.nanoseconds)
  }

  private mutating func settle(_ messageId: String, isInterrupted: Bool) throws(StoreError) {
    guard let index = unheard.firstIndex(where: { $0.messageId == messageId }) else { return }
    let row = unheard.remove(at: index).row
    if isInterrupted { try statements.setInterrupted.run(row) }
    try statements.removeUnheard.run(row)
  }

  // MARK: Voice notes

  private func add(_ note: VoiceNote, _ transcription: PendingTranscription) throws(StoreError) {
    try statements.addNote.run(
      note.id.text, note.runId?.text, note.recordedAt, note.audioFilePath, note.transcript, note.status.rawValue,
      note.aiReplyId)
    try statements.addPending.run(transcription.noteId.text, transcription.says, transcription.outcome.rawValue)
  }

  private func settle(_ note: Identifier, _ status: VoiceNote.Status, _ transcript: String?) throws(StoreError) {
    try statements.setTranscript.run(status.rawValue, transcript, note.text)
    try statements.removePending.run(note.text)
  }
}

extension Statement {
  func bind(_ value: Int64?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }

  func bind(_ value: Double?, at parameter: Int32) {
    if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
  }
}
