import LinkStore

/// The prepared statements of the phone's tables, each prepared on first use.
struct PhoneStatements {
  // Once a second.
  let writePoint: Statement
  let writeFreshness: Statement
  let forgetTrail: Statement
  let clearTrail: Statement

  let writeBelief: Statement
  let setScriptLoaded: Statement
  let setMuted: Statement
  let setSoundTaken: Statement
  let setRecording: Statement

  let openRun: Statement
  let setRunStart: Statement
  let setRunEnd: Statement
  let setRunUUID: Statement

  let writePosition: Statement
  let setBranch: Statement
  let setLastDispatch: Statement
  let writeLine: Statement
  let forgetLine: Statement
  let clearLines: Statement

  let addPlayed: Statement
  let addUnheard: Statement
  let setInterrupted: Statement
  let interruptUnheard: Statement
  let removeUnheard: Statement
  let forgetUnheard: Statement

  let addNote: Statement
  let addPending: Statement
  let setTranscript: Statement
  let removePending: Statement

  let readTrail: Statement
  let readFreshness: Statement
  let readBelief: Statement
  let readPosition: Statement
  let readLines: Statement
  let readState: Statement
  let readRuns: Statement
  let readPlayed: Statement
  let readUnheard: Statement
  let readNotes: Statement
  let readPending: Statement

  static let runColumns = """
    id, startedAt, endedAt, runType, mode, personality, healthKitWorkoutUUID, userNotes, perceivedEffort, label,
    summaryText, cachedDistanceMeters, cachedDurationSeconds, cachedAvgPaceSecPerKm, isTrackedHere
    """

  init(_ database: Database) {
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    writePoint = statement("INSERT OR REPLACE INTO Trail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
    writeFreshness = statement("INSERT OR REPLACE INTO Freshness VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    forgetTrail = statement("DELETE FROM Trail WHERE milliseconds < ?1")
    clearTrail = statement("DELETE FROM Trail")

    writeBelief = statement("INSERT OR REPLACE INTO Belief VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    setScriptLoaded = statement("UPDATE AppState SET isScriptLoaded = 1")
    setMuted = statement("UPDATE AppState SET isMuted = ?1")
    setSoundTaken = statement("UPDATE AppState SET isSoundTaken = ?1")
    setRecording = statement("UPDATE AppState SET recordingNoteId = ?1")

    openRun = statement(
      """
      INSERT INTO Run (\(Self.runColumns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      ON CONFLICT (id) DO UPDATE SET startedAt = ?2, endedAt = ?3, runType = ?4, mode = ?5, personality = ?6,
        healthKitWorkoutUUID = ?7, userNotes = coalesce(?8, userNotes),
        perceivedEffort = coalesce(?9, perceivedEffort), label = coalesce(?10, label), summaryText = ?11,
        cachedDistanceMeters = ?12, cachedDurationSeconds = ?13, cachedAvgPaceSecPerKm = ?14,
        isTrackedHere = ?15
      """)
    setRunStart = statement("UPDATE Run SET startedAt = ?1 WHERE id = ?2")
    setRunEnd = statement("UPDATE Run SET endedAt = ?1 WHERE id = ?2")
    setRunUUID = statement("UPDATE Run SET healthKitWorkoutUUID = ?1 WHERE id = ?2")

    writePosition = statement("INSERT OR REPLACE INTO ScriptPosition VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)")
    setBranch = statement("UPDATE ScriptPosition SET branch = ?1")
    setLastDispatch = statement("UPDATE ScriptPosition SET lastDispatch = ?1")
    writeLine = statement("INSERT OR REPLACE INTO LinePosition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    forgetLine = statement("DELETE FROM LinePosition WHERE message = ?1")
    clearLines = statement("DELETE FROM LinePosition")

    addPlayed = statement("INSERT INTO PlayedMessage VALUES (?1, ?2, ?3, ?4, ?5)")
    addUnheard = statement("INSERT INTO UnheardMessage VALUES (?1)")
    setInterrupted = statement("UPDATE PlayedMessage SET wasInterrupted = 1 WHERE place = ?1")
    interruptUnheard = statement(
      "UPDATE PlayedMessage SET wasInterrupted = 1 WHERE place IN (SELECT place FROM UnheardMessage)")
    removeUnheard = statement("DELETE FROM UnheardMessage WHERE place = ?1")
    forgetUnheard = statement("DELETE FROM UnheardMessage")

    addNote = statement("INSERT INTO VoiceNote VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    addPending = statement("INSERT INTO PendingTranscription VALUES (?1, ?2, ?3)")
    setTranscript = statement("UPDATE VoiceNote SET transcriptionStatus = ?1, transcript = ?2 WHERE id = ?3")
    removePending = statement("DELETE FROM PendingTranscription WHERE noteId = ?1")

    readTrail = statement("SELECT * FROM Trail ORDER BY milliseconds")
    readFreshness = statement("SELECT * FROM Freshness")
    readBelief = statement("SELECT * FROM Belief")
    readPosition = statement("SELECT * FROM ScriptPosition")
    readLines = statement("SELECT * FROM LinePosition")
    readState = statement("SELECT * FROM AppState")
    readRuns = statement("SELECT \(Self.runColumns) FROM Run ORDER BY rowid")
    readPlayed = statement(
      "SELECT messageId, playedAt, runId, wasInterrupted FROM PlayedMessage ORDER BY place")
    readUnheard = statement("SELECT place FROM UnheardMessage ORDER BY place")
    readNotes = statement("SELECT * FROM VoiceNote ORDER BY rowid")
    readPending = statement(
      """
      SELECT noteId, says, outcome, VoiceNote.runId FROM PendingTranscription
      JOIN VoiceNote ON VoiceNote.id = noteId ORDER BY PendingTranscription.rowid
      """)
  }
}
