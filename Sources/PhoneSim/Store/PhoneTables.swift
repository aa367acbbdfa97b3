import CoachProtocol
package import Link
package import LinkStore

/// The phone's tables: the companion store, and the state that a restarted app continues from.
///
/// An ordinary snapshot costs one statement: its point of the trail, whose row also holds the marks that every snapshot
/// updates. Loading uses the marks of the newest row.
package final class PhoneTables: SQLRows<PhoneRecord>, AppTables, PhoneRows {
  package typealias Record = PhoneRecord
  package typealias Change = PhoneChange

  var daily: SQLRows<DailyRecord>
  var training: TrainingTables
  var secondTraining: TrainingTables
  private let ingestion: IngestionTables
  private var stagingMemory = StagingMemory()
  /// Mirror of the table `Trail`.
  private var trail = Trail()
  private var marks = HeardMarks()
  private lazy var forgetTrail = Statement(database, "DELETE FROM Trail WHERE milliseconds < ?1")

  package init(_ database: Database) {
    daily = SQLRows(database, prefix: "")
    training = TrainingTables(database, prefix: "")
    secondTraining = TrainingTables(database, prefix: Self.secondPrefix)
    ingestion = IngestionTables(database)
    super.init(database, prefix: "")
  }

  package static func orphans(among names: [String], of record: PhoneRecord) -> [String] {
    record.orphans(among: names)
  }

  // MARK: Schema

  package static let component = Component(
    "companion",
    migrations: [Migration(to: 1, schema)],
    smallTables: [
      "AppState", "Belief", "Freshness", "ScriptPosition", "LinePosition", "Trail", "UnheardMessage", "AIRequest",
      "AICache", "WaitingReply", "UserMemory", "RaceSetup", "measures", "IngestionState",
      "DailyState", "MealBackup", "TrainingReport",
    ])

  /// One version: no release has had another.
  ///
  /// Phone timers are in nanoseconds since the scenario's start, clock times in nanoseconds since 1970, a `day` counts
  /// local days from 1970-01-01.
  static let schema =
    (phoneTypes.map { $0.create() } + dailyTypes.map { $0.create() }).joined() + IngestionTables.schema
    + TrainingTables.create(prefix: "") + TrainingTables.create(prefix: secondPrefix)

  private static let phoneTypes: [any PhoneRow.Type] = [
    RunRow.self, PlayedMessage.self, UnheardMessage.self, VoiceNote.self, PendingTranscription.self, AIReply.self,
    WaitingReply.self, AIRequest.self, CachedAnswer.self, UserMemory.self, RaceSetup.self, AppState.self,
    StoredBelief.self, StoredPoint.self, StoredFreshness.self, StoredPosition.self, ScriptPosition.Entry.self,
    StoredScript.self, StoredLine.self,
  ]
  private static let dailyTypes: [any (StoredRow & DailyRow).Type] = [
    NutritionEntry.self, DailyAggregate.self, ChatEntry.self, DailyState.self, MealBackup.self,
  ]

  /// Before the names of the second phone's tables and indexes.
  static let secondPrefix = "Second"

  package func apply(_ change: PhoneChange) throws(StoreError) {
    var rows = self
    try rows.carryOut(change)
  }

  // MARK: Every second

  func apply(_ snapshot: HeardSnapshot) throws(StoreError) {
    marks.apply(snapshot)
    guard snapshot.isOfRun, let milliseconds = Trail.milliseconds(snapshot.elapsed) else { return try writeFreshness() }
    let first = trail.points.first?.milliseconds
    trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance)
    if trail.holds(milliseconds) {
      let point = Trail.Point(milliseconds: milliseconds, distance: snapshot.distance)
      try table(StoredPoint.self).put(StoredPoint(point: point, marks: marks))
    } else {
      // It was older than every stored point.
      try writeFreshness()
    }
    if let first, let kept = trail.points.first?.milliseconds, kept > first { try forgetTrail.run(kept) }
  }

  private func writeFreshness() throws(StoreError) {
    if marks.heardCount > 0 { try table(StoredFreshness.self).put(StoredFreshness(marks: marks)) }
  }

  func clearTrail() throws(StoreError) {
    // The marks may be in the trail.
    try writeFreshness()
    trail = Trail()
    try table(StoredPoint.self).remove(nil)
  }

  // MARK: Now and then

  func apply(_ change: IngestionChange) throws(StoreError) { try ingestion.apply(change, &stagingMemory) }

  func write(_ consumer: ConsumerRecord) throws(StoreError) {
    // Later snapshots are newer than this belief.
    marks.believedSentAt = nil
    try table(StoredBelief.self).put(StoredBelief(consumer, heardCount: marks.heardCount))
  }

  func write(_ position: ScriptPosition) throws(StoreError) {
    count(position)
    try table(StoredPosition.self).put(StoredPosition(heardCount: marks.heardCount, position: position))
    try table(ScriptPosition.Entry.self).remove(nil)
    for entry in position.records { try write(entry) }
  }

  private func count(_ position: ScriptPosition) {
    marks.evaluations = position.evaluations
    marks.furthestDistance = position.furthestDistance
    marks.furthestElapsed = position.furthestElapsed
  }

  func write(_ entry: ScriptPosition.Entry) throws(StoreError) {
    let lines = table(ScriptPosition.Entry.self)
    if entry.record == .blank { try lines.remove(entry.rowKey.cells) } else { try lines.put(entry) }
  }

  func changePosition(_ body: (inout ScriptPosition) -> Void) throws(StoreError) {
    var row = try table(StoredPosition.self).row(OnlyKey().cells) ?? StoredPosition()
    body(&row.position)
    try table(StoredPosition.self).put(row)
  }

  func write(_ script: StoredScript) throws(StoreError) {
    var script = script
    script.place = (try table(StoredScript.self).last()?.place ?? 0) + 1
    try table(StoredScript.self).insert(script)
    let run = script.runId
    for (index, message) in script.script.messages.enumerated() {
      try table(StoredLine.self).insert(StoredLine(script: script.place, place: index, run: run, message: message))
    }
  }

  func removeScripts() throws(StoreError) {
    try table(StoredLine.self).remove(nil)
    try table(StoredScript.self).remove(nil)
  }

  func freeScripts(of run: Identifier) throws(StoreError) {
    for var script in try table(StoredScript.self).rows() where script.runId == run {
      script.script.runId = nil
      _ = try table(StoredScript.self).replace(script.rowKey.cells, with: script)
    }
  }

  // MARK: Reading

  package func load() throws(StoreError) -> PhoneRecord {
    var record = PhoneRecord()
    try loadTrail()
    record.trail = trail
    record.consumer = try loadConsumer()
    record.position = try loadPosition()
    for case let type as any (StoredRow & PhoneRow).Type in Self.phoneTypes { try load(type, into: &record) }
    if let line = record.unheard.first(where: { line in !record.played.contains { $0.place == line.place } }) {
      throw StoreError(.corrupt, "the store has no played line \(line.place)")
    }
    record.script = try loadScript()
    record.ingestion = try ingestion.load()
    stagingMemory = StagingMemory(record.ingestion)
    record.daily = try loadDaily()
    record.training = try training.load()
    record.secondTraining = try secondTraining.load()
    return record
  }

  /// Reads the trail and the newest marks from its rows and the row beside it.
  private func loadTrail() throws(StoreError) {
    trail = Trail()
    marks = HeardMarks()
    for row in try table(StoredPoint.self).rows() {
      guard trail.points.count < Trail.countMax * 2 else {
        throw StoreError(.corrupt, "the store's trail has more than \(Trail.countMax * 2) points")
      }
      trail.append(row.point)
      if row.marks.heardCount > marks.heardCount { marks = row.marks }
    }
    for row in try table(StoredFreshness.self).rows() where row.marks.heardCount > marks.heardCount {
      marks = row.marks
    }
  }

  private func loadConsumer() throws(StoreError) -> ConsumerRecord {
    let row = try table(StoredBelief.self).row(OnlyKey().cells)
    var record = try row?.record() ?? ConsumerRecord(startedAt: .start)
    guard marks.heardCount > row?.heardCount ?? 0 else {
      marks.believedSentAt = nil
      return record
    }
    record.freshness.restore(marks.mark)
    _ = record.liveness.recordFresh(at: marks.mark.arrivedAt)
    if let sentAt = marks.believedSentAt { record.belief.advanceNewestTime(sentAt: WatchTime(nanoseconds: sentAt)) }
    return record
  }

  private func loadPosition() throws(StoreError) -> ScriptPosition {
    let row = try table(StoredPosition.self).row(OnlyKey().cells) ?? StoredPosition()
    var position = row.position
    if marks.heardCount > row.heardCount {
      position.evaluations = marks.evaluations
      position.furthestDistance = marks.furthestDistance
      position.furthestElapsed = marks.furthestElapsed
    } else {
      count(position)
    }
    // Swift's order of text differs from the database's.
    position.records = try table(ScriptPosition.Entry.self).rows().sorted { $0.message < $1.message }
    return position
  }

  private func loadScript() throws(StoreError) -> StoredScript? {
    guard var script = try table(StoredScript.self).last() else { return nil }
    script.script.messages = try table(StoredLine.self).rows(of: script.place.cell).map(\.message)
    guard Set(script.script.messages.map(\.id)).count == script.script.messages.count else {
      throw StoreError(.corrupt, "the script in the store has two lines with one identifier")
    }
    return script
  }

  private func loadDaily() throws(StoreError) -> DailyRecord {
    var record = DailyRecord()
    for type in Self.dailyTypes { try daily.load(type, into: &record) }
    // The numbers are how the server knows what it has read.
    for (index, entry) in record.chat.enumerated() where entry.number != index + 1 || !ChatMessage.isText(entry.text) {
      throw StoreError(.corrupt, "the chat of the store has no readable message \(index + 1)")
    }
    return record
  }
}
