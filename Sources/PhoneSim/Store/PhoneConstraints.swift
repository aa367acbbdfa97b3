import CoachProtocol
import Link

/// The constraints of the phone's tables, for the store in memory, which refuses what the database refuses.
///
/// Types rule out most of them: what is not optional is not null, and an enum has the words of its column.
struct PhoneConstraints: Sendable, Equatable {
  /// The keys of the staging table's rows.
  private var staged: [Identifier: AppleDataKey] = [:]
  /// The actions of days.
  private var actions: [Identifier: LocalDay] = [:]

  /// Checks a change before it is applied to a record.
  ///
  /// - Throws: `.system`, as the database for a violated constraint.
  @inline(__always)
  mutating func check(_ change: PhoneChange, of record: PhoneRecord) throws(StoreError) {
    switch change {
    case .heard(let snapshot):
      if snapshot.distance.isNaN { try checkPoint(snapshot, of: record) }
    case .rare(let change): try check(change, of: record)
    }
  }

  private func checkPoint(_ snapshot: HeardSnapshot, of record: PhoneRecord) throws(StoreError) {
    guard snapshot.isOfRun, let milliseconds = Trail.milliseconds(snapshot.elapsed) else { return }
    var trail = record.trail
    trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance)
    if trail.holds(milliseconds) { throw Self.null("Trail.distance") }
  }

  @inline(never)
  private mutating func check(_ change: RareChange, of record: PhoneRecord) throws(StoreError) {
    switch change {
    case .runOpened(let run), .runRestored(let run): try checkEffort(run.perceivedEffort)
    case .runRemarked(let id, let remarks):
      if record.has(run: id) { try checkEffort(remarks.perceivedEffort) }
    case .played(let message): try require(record.has(run: message.runId))
    case .noteStored(let note, let transcription): try checkNote(note, transcription, record)
    case .asked(let request, let old):
      guard let old, old != request.id else { return }
      let ids = record.ai.requests.map(\.id)
      if ids.contains(old), ids.contains(request.id) { throw Self.twice("AIRequest.id") }
    case .replyStored(let reply, let waiting): try checkReply(reply, waiting, record)
    case .scriptStored(let script, _):
      if script.grace.meters.isNaN { throw Self.null("Script.graceMeters") }
      if script.grace.seconds.isNaN { throw Self.null("Script.graceSeconds") }
      if let id = script.runId { try require(record.runs.contains { $0.id.text == id }) }
    case .remembered(let row):
      if row.fact.confidence.isNaN { throw Self.null("UserMemory.confidence") }
      guard (0...1).contains(row.fact.confidence) else { throw Self.check("confidence BETWEEN 0 AND 1") }
    case .raceStored(let race): try checkRace(race, record)
    case .ingestion(let change): try check(change, record.ingestion)
    case .daily(.logged(let entry)):
      guard entry.calories >= 0 else { throw Self.check("calories >= 0") }
      guard entry.protein >= 0 else { throw Self.check("protein >= 0") }
      guard entry.carbs >= 0 else { throw Self.check("carbs >= 0") }
      guard entry.fat >= 0 else { throw Self.check("fat >= 0") }
    case .daily(.aggregated(let aggregate)):
      guard aggregate.revision > 0 else { throw Self.check("revision > 0") }
    case .training(.row(let row)): try checkRow(row, record.training)
    case .secondTraining(.row(let row)): try checkRow(row, record.secondTraining)
    case .consumer, .scriptLoaded, .runNamed, .runEnded, .runFinished, .position, .line, .branch, .ended, .interrupted,
      .silenced, .muted, .audioTaken, .recordingBegan, .recordingEnded, .noteTranscribed, .requestWaits,
      .requestSettled, .answerCached, .replySettled, .runSummarised, .runCached, .daily, .training, .secondTraining,
      .wiped:
      return
    }
  }

  private func checkEffort(_ effort: Int?) throws(StoreError) {
    guard let effort, !(1...10).contains(effort) else { return }
    throw Self.check("perceivedEffort BETWEEN 1 AND 10")
  }

  private func checkNote(
    _ note: VoiceNote, _ transcription: PendingTranscription, _ record: PhoneRecord
  ) throws(StoreError) {
    let known = record.voiceNotes.map(\.id)
    if known.contains(note.id) { throw Self.twice("VoiceNote.id") }
    if let reply = note.aiReplyId { try require(record.replies.contains { $0.id.text == reply }) }
    if record.transcriptions.contains(where: { $0.noteId == transcription.noteId }) {
      throw Self.twice("PendingTranscription.noteId")
    }
    try require(transcription.noteId == note.id || known.contains(transcription.noteId))
  }

  private func checkReply(_ reply: AIReply, _ waiting: WaitingReply?, _ record: PhoneRecord) throws(StoreError) {
    let known = record.replies.map(\.id)
    if known.contains(reply.id) { throw Self.twice("AiReply.id") }
    try require(record.voiceNotes.contains { $0.id == reply.noteId })
    guard let waiting else { return }
    if record.waitingReplies.contains(where: { $0.id == waiting.id }) { throw Self.twice("WaitingReply.replyId") }
    try require(waiting.id == reply.id || known.contains(waiting.id))
  }

  private func checkRace(_ race: RaceSetup, _ record: PhoneRecord) throws(StoreError) {
    if race.distanceMeters.isNaN { throw Self.null("RaceSetup.distanceMeters") }
    if race.targetTimeSeconds.isNaN { throw Self.null("RaceSetup.targetTimeSeconds") }
    guard race.distanceMeters > 0 else { throw Self.check("distanceMeters > 0") }
    guard race.targetTimeSeconds > 0 else { throw Self.check("targetTimeSeconds > 0") }
    if let id = race.runId { try require(record.has(run: id)) }
  }

  private mutating func check(_ change: IngestionChange, _ record: IngestionRecord) throws(StoreError) {
    switch change {
    case .staged(let row):
      if let known = staged[row.id], known != row.key { throw Self.twice("appledata.id") }
      if record.rows[row.key] == nil { staged[row.id] = row.key }
    case .purged(let key): if let row = record.rows[key] { staged[row.id] = nil }
    case .parsed(let key, _, let action, let values):
      guard let row = record.rows[key] else { return }
      if let known = record.actions[row.day] {
        try require(values.isEmpty || known.id == action || actions[action] != nil)
      } else {
        if actions[action] != nil { throw Self.twice("actions.id") }
        actions[action] = row.day
      }
      if values.contains(where: { $0.value.isNaN }) { throw Self.null("measuredActions.value") }
    case .refreshed, .failed, .updated, .synced, .switched, .retained: return
    }
  }

  private func checkRow(_ row: TrainingRow, _ record: TrainingRecord) throws(StoreError) {
    let references = TrainingCatalog.referring[row.table]
    if let rule = row.entity.ruleOfParents {
      guard references.count(where: { row.values[$0.column] != .null }) == 1 else { throw Self.check(rule) }
    }
    for (column, table) in references {
      guard case .text(let text) = row.values[column] else { continue }
      try require(Identifier(text: text).map { record.has($0, in: table) } ?? false)
    }
  }

  // MARK: Refusals

  private func require(_ isKnown: Bool) throws(StoreError) {
    if !isKnown { throw Self.refusal("FOREIGN KEY constraint failed") }
  }

  private static func twice(_ column: String) -> StoreError { refusal("UNIQUE constraint failed: \(column)") }
  private static func check(_ rule: String) -> StoreError { refusal("CHECK constraint failed: \(rule)") }
  private static func null(_ column: String) -> StoreError { refusal("NOT NULL constraint failed: \(column)") }

  private static func refusal(_ text: String) -> StoreError { StoreError(.system, "the phone's store: \(text)") }
}

extension PhoneRecord {
  fileprivate func has(run id: Identifier) -> Bool { runs.contains { $0.id == id } }
}

extension TrainingRecord {
  /// Whether a table has a row.
  fileprivate func has(_ id: Identifier, in table: Int) -> Bool { tables[table][id] != nil }
}

extension TrainingCatalog {
  /// The columns of each table that refer to a row, with that row's table.
  fileprivate static let referring: [[(column: Int, table: Int)]] = all.map { entity in
    entity.columns.enumerated().compactMap { index, column in
      guard case .reference(let name, _) = column.kind else { return nil }
      return (index, TrainingCatalog.index(of: name))
    }
  }
}
