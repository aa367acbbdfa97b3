import CoachProtocol
import Link
import LinkStore

/// Statements for remarks, cached figures and races.
final class CompanionTables {
  private let database: Database

  init(_ database: Database) { self.database = database }

  private lazy var setRemarks = Statement(
    database,
    """
    UPDATE Run SET label = coalesce(?1, label), userNotes = coalesce(?2, userNotes),
      perceivedEffort = coalesce(?3, perceivedEffort) WHERE id = ?4
    """)
  private lazy var setCached = Statement(
    database,
    """
    UPDATE Run SET cachedDistanceMeters = ?1, cachedDurationSeconds = ?2, cachedAvgPaceSecPerKm = ?3 WHERE id = ?4
    """)
  private lazy var restoreRun = Statement(
    database,
    """
    INSERT INTO Run (\(PhoneStatements.runColumns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT (id) DO NOTHING
    """)
  private lazy var writeRace = Statement(
    database,
    """
    INSERT INTO RaceSetup VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO UPDATE SET name = ?2,
      distanceMeters = ?3, targetTimeSeconds = ?4, pacingStrategy = ?5, fuelingPlan = ?6, hydrationPlan = ?7,
      notes = ?8, scriptId = ?9, runId = ?10
    """)
  // Referring rows go first.
  private lazy var wipes = [
    "DELETE FROM WaitingReply", "UPDATE VoiceNote SET aiReplyId = NULL", "DELETE FROM AiReply",
    "DELETE FROM PendingTranscription", "DELETE FROM VoiceNote", "DELETE FROM UnheardMessage",
    "DELETE FROM PlayedMessage", "DELETE FROM ScriptMessage", "DELETE FROM Script", "DELETE FROM RaceSetup",
    "DELETE FROM AIRequest", "DELETE FROM AICache", "DELETE FROM UserMemory", "DELETE FROM Run",
  ].map { Statement(database, $0) }
  private lazy var readRaces = Statement(database, "SELECT * FROM RaceSetup ORDER BY rowid")

  func apply(_ change: RareChange) throws(StoreError) {
    switch change {
    case .runRemarked(let id, let remarks):
      try setRemarks.run(remarks.label, remarks.userNotes, remarks.perceivedEffort, id.text)
    case .runCached(let id, let cached):
      try setCached.run(cached.distanceMeters, cached.durationSeconds, cached.avgPaceSecPerKm, id.text)
    case .runRestored(let run): try run.write(with: restoreRun)
    case .raceStored(let race): try write(race)
    default: preconditionFailure("\(change) is no change of runs or races")
    }
  }

  /// Deletes every run and everything remembered about the runner.
  func wipe() throws(StoreError) {
    for statement in wipes { try statement.run() }
  }

  private func write(_ race: RaceSetup) throws(StoreError) {
    try writeRace.run(
      race.id.text, race.name, race.distanceMeters, race.targetTimeSeconds, race.pacingStrategy.rawValue,
      RaceCue.text(race.fuelingPlan), RaceCue.text(race.hydrationPlan), race.notes, race.scriptId, race.runId?.text)
  }

  func loadRaces() throws(StoreError) -> [RaceSetup] {
    try readRaces.load { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)),
        let strategy = RaceSetup.PacingStrategy(rawValue: row.text(4)), let fueling = RaceCue.plan(row.text(5)),
        let hydration = RaceCue.plan(row.text(6))
      else {
        throw StoreError(.corrupt, "the store's race \"\(row.text(0))\" has no identifier, strategy or plan")
      }
      return RaceSetup(
        id: id, name: row.text(1), distanceMeters: try row.double(2, in: 0...Trail.distanceMax),
        targetTimeSeconds: try row.double(3, in: 0...Trail.distanceMax), pacingStrategy: strategy,
        fuelingPlan: fueling, hydrationPlan: hydration, notes: row.optionalText(7), scriptId: row.optionalText(8),
        runId: Identifier(text: row.text(9)))
    }
  }
}

extension RunRow {
  /// Executes a statement whose parameters are the columns of ``PhoneStatements/runColumns``.
  func write(with statement: Statement) throws(StoreError) {
    try statement.run(
      id.text, startedAt.nanoseconds, endedAt?.nanoseconds, runType.rawValue, mode.rawValue, personality,
      healthKitWorkoutUUID?.text, userNotes, perceivedEffort, label, summaryText, cached?.distanceMeters,
      cached?.durationSeconds, cached?.avgPaceSecPerKm, isTrackedHere ? 1 : 0)
  }

  /// Reads the columns from `userNotes` on.
  mutating func loadRemarks(_ row: Statement) throws(StoreError) {
    userNotes = row.optionalText(7)
    perceivedEffort = row.isNull(8) ? nil : Int(row.int64(8))
    label = row.optionalText(9)
    summaryText = row.optionalText(10)
    isTrackedHere = row.int64(14) != 0
    guard !row.isNull(11), !row.isNull(12) else { return }
    cached = CachedTruth(
      distanceMeters: try row.double(11, in: 0...Trail.distanceMax),
      durationSeconds: try row.double(12, in: 0...Trail.distanceMax),
      avgPaceSecPerKm: row.isNull(13) ? nil : try row.double(13, in: 0...Trail.distanceMax))
  }
}
