import LinkStore

/// The prepared statements of the phone's tables, each prepared on first use.
final class PhoneStatements {
  private let database: Database

  init(_ database: Database) { self.database = database }

  static let runColumns = """
    id, startedAt, endedAt, runType, mode, personality, healthKitWorkoutUUID, userNotes, perceivedEffort, label,
    summaryText, cachedDistanceMeters, cachedDurationSeconds, cachedAvgPaceSecPerKm, isTrackedHere
    """

  // Once a second.
  lazy var writePoint = Statement(
    database, "INSERT OR REPLACE INTO Trail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
  lazy var writeFreshness = Statement(
    database, "INSERT OR REPLACE INTO Freshness VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
  lazy var forgetTrail = Statement(database, "DELETE FROM Trail WHERE milliseconds < ?1")
  lazy var clearTrail = Statement(database, "DELETE FROM Trail")
  lazy var writeBelief = Statement(database, "INSERT OR REPLACE INTO Belief VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
  lazy var setScriptLoaded = Statement(database, "UPDATE AppState SET isScriptLoaded = 1")
  lazy var setMuted = Statement(database, "UPDATE AppState SET isMuted = ?1")
  lazy var setSoundTaken = Statement(database, "UPDATE AppState SET isSoundTaken = ?1")
  lazy var setRecording = Statement(database, "UPDATE AppState SET recordingNoteId = ?1")
  lazy var openRun = Statement(
    database,
    """
    INSERT INTO Run (\(Self.runColumns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    ON CONFLICT (id) DO UPDATE SET startedAt = ?2, endedAt = ?3, runType = ?4, mode = ?5, personality = ?6,
      healthKitWorkoutUUID = ?7, userNotes = coalesce(?8, userNotes),
      perceivedEffort = coalesce(?9, perceivedEffort), label = coalesce(?10, label), summaryText = ?11,
      cachedDistanceMeters = ?12, cachedDurationSeconds = ?13, cachedAvgPaceSecPerKm = ?14,
      isTrackedHere = ?15
    """)
  lazy var setRunStart = Statement(database, "UPDATE Run SET startedAt = ?1 WHERE id = ?2")
  lazy var setRunEnd = Statement(database, "UPDATE Run SET endedAt = ?1 WHERE id = ?2")
  lazy var setRunUUID = Statement(database, "UPDATE Run SET healthKitWorkoutUUID = ?1 WHERE id = ?2")
  lazy var writePosition = Statement(
    database, "INSERT OR REPLACE INTO ScriptPosition VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)")
  lazy var setBranch = Statement(database, "UPDATE ScriptPosition SET branch = ?1")
  lazy var setLastDispatch = Statement(database, "UPDATE ScriptPosition SET lastDispatch = ?1")
  lazy var writeLine = Statement(database, "INSERT OR REPLACE INTO LinePosition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
  lazy var forgetLine = Statement(database, "DELETE FROM LinePosition WHERE message = ?1")
  lazy var clearLines = Statement(database, "DELETE FROM LinePosition")
  lazy var addPlayed = Statement(database, "INSERT INTO PlayedMessage VALUES (?1, ?2, ?3, ?4, ?5)")
  lazy var addUnheard = Statement(database, "INSERT INTO UnheardMessage VALUES (?1)")
  lazy var setInterrupted = Statement(database, "UPDATE PlayedMessage SET wasInterrupted = 1 WHERE place = ?1")
  lazy var interruptUnheard = Statement(
    database, "UPDATE PlayedMessage SET wasInterrupted = 1 WHERE place IN (SELECT place FROM UnheardMessage)")
  lazy var removeUnheard = Statement(database, "DELETE FROM UnheardMessage WHERE place = ?1")
  lazy var forgetUnheard = Statement(database, "DELETE FROM UnheardMessage")
  lazy var addNote = Statement(database, "INSERT INTO VoiceNote VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
  lazy var addPending = Statement(database, "INSERT INTO PendingTranscription VALUES (?1, ?2, ?3)")
  lazy var setTranscript = Statement(
    database, "UPDATE VoiceNote SET transcriptionStatus = ?1, transcript = ?2 WHERE id = ?3")
  lazy var removePending = Statement(database, "DELETE FROM PendingTranscription WHERE noteId = ?1")
  lazy var readTrail = Statement(database, "SELECT * FROM Trail ORDER BY milliseconds")
  lazy var readFreshness = Statement(database, "SELECT * FROM Freshness")
  lazy var readBelief = Statement(database, "SELECT * FROM Belief")
  lazy var readPosition = Statement(database, "SELECT * FROM ScriptPosition")
  lazy var readLines = Statement(database, "SELECT * FROM LinePosition")
  lazy var readState = Statement(database, "SELECT * FROM AppState")
  lazy var readRuns = Statement(database, "SELECT \(Self.runColumns) FROM Run ORDER BY rowid")
  lazy var readPlayed = Statement(
    database, "SELECT messageId, playedAt, runId, wasInterrupted FROM PlayedMessage ORDER BY place")
  lazy var readUnheard = Statement(database, "SELECT place FROM UnheardMessage ORDER BY place")
  lazy var readNotes = Statement(database, "SELECT * FROM VoiceNote ORDER BY rowid")
  lazy var readPending = Statement(
    database,
    """
    SELECT noteId, says, outcome, VoiceNote.runId FROM PendingTranscription
    JOIN VoiceNote ON VoiceNote.id = noteId ORDER BY PendingTranscription.rowid
    """)
}
