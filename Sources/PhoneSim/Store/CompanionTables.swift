import CoachProtocol
import Link
import LinkStore

/// Statements for remarks, cached figures and races.
struct CompanionTables {
  private let setRemarks: Statement
  private let setCached: Statement
  private let restoreRun: Statement
  private let writeRace: Statement
  private let readRaces: Statement
  private let wipes: [Statement]

  init(_ database: Database) {
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    setRemarks = statement(
      """
      UPDATE Run SET label = coalesce(?1, label), userNotes = coalesce(?2, userNotes),
        perceivedEffort = coalesce(?3, perceivedEffort) WHERE id = ?4
      """)
    setCached = statement(
      """
      UPDATE Run SET cachedDistanceMeters = ?1, cachedDurationSeconds = ?2, cachedAvgPaceSecPerKm = ?3 WHERE id = ?4
      """)
    restoreRun = statement(
      """
      INSERT INTO Run (\(PhoneStatements.runColumns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT (id) DO NOTHING
      """)
    writeRace = statement(
      """
      INSERT INTO RaceSetup VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO UPDATE SET name = ?2,
        distanceMeters = ?3, targetTimeSeconds = ?4, pacingStrategy = ?5, fuelingPlan = ?6, hydrationPlan = ?7,
        notes = ?8, scriptId = ?9, runId = ?10
      """)
    readRaces = statement("SELECT * FROM RaceSetup ORDER BY rowid")
    // Referring rows go first.
    wipes = [
      "DELETE FROM WaitingReply", "UPDATE VoiceNote SET aiReplyId = NULL", "DELETE FROM AiReply",
      "DELETE FROM PendingTranscription", "DELETE FROM VoiceNote", "DELETE FROM UnheardMessage",
      "DELETE FROM PlayedMessage", "DELETE FROM ScriptMessage", "DELETE FROM Script", "DELETE FROM RaceSetup",
      "DELETE FROM AIRequest", "DELETE FROM AICache", "DELETE FROM UserMemory", "DELETE FROM Run",
    ].map(statement)
  }

  func apply(_ change: RareChange) throws(StoreError) {
    switch change {
    case .runRemarked(let id, let remarks):
      setRemarks.bind(remarks.label, at: 1)
      setRemarks.bind(remarks.userNotes, at: 2)
      setRemarks.bind(remarks.perceivedEffort.map(Int64.init), at: 3)
      setRemarks.bind(id.text, at: 4)
      try setRemarks.run()
    case .runCached(let id, let cached):
      setCached.bind(cached.distanceMeters, at: 1)
      setCached.bind(cached.durationSeconds, at: 2)
      setCached.bind(cached.avgPaceSecPerKm, at: 3)
      setCached.bind(id.text, at: 4)
      try setCached.run()
    case .runRestored(let run):
      run.bind(to: restoreRun)
      try restoreRun.run()
    case .raceStored(let race): try write(race)
    default: preconditionFailure("\(change) is no change of runs or races")
    }
  }

  /// Deletes every run and everything remembered about the runner.
  func wipe() throws(StoreError) {
    for statement in wipes { try statement.run() }
  }

  private func write(_ race: RaceSetup) throws(StoreError) {
    writeRace.bind(race.id.text, at: 1)
    writeRace.bind(race.name, at: 2)
    writeRace.bind(race.distanceMeters, at: 3)
    writeRace.bind(race.targetTimeSeconds, at: 4)
    writeRace.bind(race.pacingStrategy.rawValue, at: 5)
    writeRace.bind(RaceCue.text(race.fuelingPlan), at: 6)
    writeRace.bind(RaceCue.text(race.hydrationPlan), at: 7)
    writeRace.bind(race.notes, at: 8)
    writeRace.bind(race.scriptId, at: 9)
    writeRace.bind(race.runId?.text, at: 10)
    try writeRace.run()
  }

  func loadRaces() throws(StoreError) -> [RaceSetup] {
    var races: [RaceSetup] = []
    let row = readRaces
    while try row.step() {
      guard let id = Identifier(text: row.text(0)),
        let strategy = RaceSetup.PacingStrategy(rawValue: row.text(4)), let fueling = RaceCue.plan(row.text(5)),
        let hydration = RaceCue.plan(row.text(6))
      else {
        let text = row.text(0)
        row.reset()
        throw StoreError(.corrupt, "the store's race \"\(text)\" has no identifier, strategy or plan")
      }
      races.append(
        RaceSetup(
          id: id, name: row.text(1), distanceMeters: try row.double(2, in: 0...Trail.distanceMax),
          targetTimeSeconds: try row.double(3, in: 0...Trail.distanceMax),
          pacingStrategy: strategy, fuelingPlan: fueling, hydrationPlan: hydration,
          notes: row.isNull(7) ? nil : row.text(7), scriptId: row.isNull(8) ? nil : row.text(8),
          runId: row.isNull(9) ? nil : Identifier(text: row.text(9))))
    }
    return races
  }
}

extension RunRow {
  /// Binds the columns of ``PhoneStatements/runColumns``, in their order.
  func bind(to statement: Statement) {
    statement.bind(id.text, at: 1)
    statement.bind(startedAt.nanoseconds, at: 2)
    statement.bind(endedAt?.nanoseconds, at: 3)
    statement.bind(runType.rawValue, at: 4)
    statement.bind(mode.rawValue, at: 5)
    statement.bind(personality, at: 6)
    statement.bind(healthKitWorkoutUUID?.text, at: 7)
    statement.bind(userNotes, at: 8)
    statement.bind(perceivedEffort.map(Int64.init), at: 9)
    statement.bind(label, at: 10)
    statement.bind(summaryText, at: 11)
    statement.bind(cached?.distanceMeters, at: 12)
    statement.bind(cached?.durationSeconds, at: 13)
    statement.bind(cached?.avgPaceSecPerKm, at: 14)
    statement.bind(Int64(isTrackedHere ? 1 : 0), at: 15)
  }

  /// Reads the columns from `userNotes` on.
  mutating func loadRemarks(_ row: Statement) throws(StoreError) {
    userNotes = row.isNull(7) ? nil : row.text(7)
    perceivedEffort = row.isNull(8) ? nil : Int(row.int64(8))
    label = row.isNull(9) ? nil : row.text(9)
    summaryText = row.isNull(10) ? nil : row.text(10)
    isTrackedHere = row.int64(14) != 0
    guard !row.isNull(11), !row.isNull(12) else { return }
    cached = CachedTruth(
      distanceMeters: try row.double(11, in: 0...Trail.distanceMax),
      durationSeconds: try row.double(12, in: 0...Trail.distanceMax),
      avgPaceSecPerKm: row.isNull(13) ? nil : try row.double(13, in: 0...Trail.distanceMax))
  }
}
