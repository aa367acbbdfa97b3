package import LinkStore

extension PhoneTables {
  package static let component = Component(
    "companion",
    migrations: [Migration(to: 1, schema)],
    smallTables: [
      "AppState", "Belief", "Freshness", "ScriptPosition", "LinePosition", "Trail", "UnheardMessage", "AIRequest",
      "AICache", "WaitingReply", "UserMemory", "RaceSetup", "measures", "IngestionState",
      "DailyState", "TrainingReport",
    ])

  /// One version: no release has had another.
  static let schema = [coachSchema, ingestionSchema, dailySchema, trainingSchema].joined()

  /// Runs, what was said in them, the script with its position, questions and answers, memory, races.
  ///
  /// Phone timers are in nanoseconds since the scenario's start, clock times in nanoseconds since 1970.
  ///
  /// `heardCount` counts fresh snapshots: of two rows with the same fact, the one with the higher count is newer.
  /// `isTrackedHere` marks runs that the phone tracked itself.
  private static let coachSchema = """
    CREATE TABLE Run (
      id TEXT PRIMARY KEY, startedAt INTEGER NOT NULL, endedAt INTEGER,
      runType TEXT NOT NULL CHECK (runType IN ('outdoor', 'treadmill')),
      mode TEXT NOT NULL CHECK (mode IN ('free', 'training', 'race')),
      personality TEXT NOT NULL, healthKitWorkoutUUID TEXT, userNotes TEXT,
      perceivedEffort INTEGER CHECK (perceivedEffort BETWEEN 1 AND 10), label TEXT, summaryText TEXT,
      cachedDistanceMeters REAL, cachedDurationSeconds REAL, cachedAvgPaceSecPerKm REAL,
      isTrackedHere INTEGER NOT NULL DEFAULT 0 CHECK (isTrackedHere IN (0, 1))
    ) STRICT;
    CREATE INDEX RunOfWorkout ON Run (healthKitWorkoutUUID);
    CREATE TABLE PlayedMessage (
      place INTEGER PRIMARY KEY, messageId TEXT NOT NULL, playedAt INTEGER NOT NULL,
      runId TEXT NOT NULL REFERENCES Run (id), wasInterrupted INTEGER NOT NULL CHECK (wasInterrupted IN (0, 1))
    ) STRICT;
    CREATE INDEX PlayedMessageOfRun ON PlayedMessage (runId);
    CREATE TABLE UnheardMessage (place INTEGER PRIMARY KEY REFERENCES PlayedMessage (place)) STRICT;
    CREATE TABLE VoiceNote (
      id TEXT PRIMARY KEY, runId TEXT, recordedAt INTEGER NOT NULL, audioFilePath TEXT NOT NULL, transcript TEXT,
      transcriptionStatus TEXT NOT NULL CHECK (transcriptionStatus IN ('pending', 'done', 'failed')),
      aiReplyId TEXT REFERENCES AiReply (id)
    ) STRICT;
    CREATE INDEX VoiceNoteOfReply ON VoiceNote (aiReplyId);
    CREATE TABLE PendingTranscription (
      noteId TEXT PRIMARY KEY REFERENCES VoiceNote (id), says TEXT,
      outcome TEXT NOT NULL CHECK (outcome IN ('done', 'failed'))
    ) STRICT;
    CREATE TABLE AppState (
      id INTEGER PRIMARY KEY CHECK (id = 1), isScriptLoaded INTEGER NOT NULL, isMuted INTEGER NOT NULL,
      isSoundTaken INTEGER NOT NULL, recordingNoteId TEXT
    ) STRICT;
    INSERT INTO AppState VALUES (1, 0, 0, 0, NULL);
    CREATE TABLE Belief (
      id INTEGER PRIMARY KEY CHECK (id = 1), heardCount INTEGER NOT NULL, belief TEXT NOT NULL,
      isRaised INTEGER NOT NULL, isRunning INTEGER NOT NULL, countedFrom INTEGER NOT NULL,
      freshEpoch INTEGER, freshSeq INTEGER, freshArrivedAt INTEGER
    ) STRICT;
    CREATE TABLE Trail (
      milliseconds INTEGER PRIMARY KEY, distance REAL NOT NULL, heardCount INTEGER NOT NULL, epoch INTEGER NOT NULL,
      seq INTEGER NOT NULL, arrivedAt INTEGER NOT NULL, believedSentAt INTEGER, looks INTEGER NOT NULL,
      furthestDistance REAL, furthestElapsed REAL
    ) STRICT;
    CREATE TABLE Freshness (
      id INTEGER PRIMARY KEY CHECK (id = 1), heardCount INTEGER NOT NULL, epoch INTEGER NOT NULL,
      seq INTEGER NOT NULL, arrivedAt INTEGER NOT NULL, believedSentAt INTEGER, looks INTEGER NOT NULL,
      furthestDistance REAL, furthestElapsed REAL
    ) STRICT;
    CREATE TABLE ScriptPosition (
      id INTEGER PRIMARY KEY CHECK (id = 1), heardCount INTEGER NOT NULL, looks INTEGER NOT NULL,
      furthestDistance REAL, furthestElapsed REAL, branch TEXT, lastDispatch INTEGER
    ) STRICT;
    INSERT INTO ScriptPosition VALUES (1, 0, 0, NULL, NULL, NULL, NULL);
    CREATE TABLE LinePosition (
      message TEXT PRIMARY KEY, isSpoken INTEGER NOT NULL, isExpired INTEGER NOT NULL, lastMultiple INTEGER NOT NULL,
      lastDispatch INTEGER, dueSince INTEGER NOT NULL, dueMultiple INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE Script (
      place INTEGER PRIMARY KEY, id TEXT, personality TEXT, generatedAt TEXT, model TEXT, inputDigest TEXT,
      branchPolicy TEXT NOT NULL CHECK (branchPolicy IN ('linear', 'branched')), graceMeters REAL NOT NULL,
      graceSeconds REAL NOT NULL, source TEXT NOT NULL CHECK (source IN ('scenario', 'edge', 'fallback')),
      runId TEXT REFERENCES Run (id)
    ) STRICT;
    CREATE INDEX ScriptOfRun ON Script (runId);
    CREATE TABLE ScriptMessage (
      script INTEGER NOT NULL REFERENCES Script (place), place INTEGER NOT NULL, id TEXT NOT NULL,
      triggerSpec TEXT NOT NULL, text TEXT NOT NULL, branchKey TEXT, prerenderedAudioPath TEXT,
      priority INTEGER NOT NULL, playOnce INTEGER NOT NULL CHECK (playOnce IN (0, 1)), PRIMARY KEY (script, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE AiReply (
      id TEXT PRIMARY KEY, voiceNoteId TEXT NOT NULL REFERENCES VoiceNote (id), replyText TEXT NOT NULL,
      requestedAt INTEGER NOT NULL, respondedAt INTEGER, playedAt INTEGER, model TEXT NOT NULL, costUsd REAL
    ) STRICT;
    CREATE INDEX AiReplyOfNote ON AiReply (voiceNoteId);
    CREATE TABLE WaitingReply (
      replyId TEXT PRIMARY KEY REFERENCES AiReply (id), words INTEGER NOT NULL, arrivedAt INTEGER NOT NULL,
      dueSince INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE AIRequest (
      id TEXT PRIMARY KEY, call TEXT NOT NULL CHECK (call IN ('generateScript', 'chatReply', 'postRunSummary')),
      runId TEXT NOT NULL, noteId TEXT, body TEXT NOT NULL, digest TEXT NOT NULL, requestedAt INTEGER NOT NULL,
      attempt INTEGER NOT NULL, retryAt INTEGER
    ) STRICT;
    CREATE TABLE AICache (
      call TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (call, digest)
    ) STRICT;
    CREATE TABLE UserMemory (
      id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('preference', 'goal', 'fact', 'dislike', 'personalReference')),
      key TEXT NOT NULL UNIQUE, value TEXT NOT NULL, confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
      source TEXT NOT NULL CHECK (source IN ('user', 'ai_inferred', 'system_default')), updatedAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE RaceSetup (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, distanceMeters REAL NOT NULL CHECK (distanceMeters > 0),
      targetTimeSeconds REAL NOT NULL CHECK (targetTimeSeconds > 0),
      pacingStrategy TEXT NOT NULL CHECK (pacingStrategy IN ('even', 'negative', 'positive', 'custom')),
      fuelingPlan TEXT NOT NULL, hydrationPlan TEXT NOT NULL, notes TEXT, scriptId TEXT,
      runId TEXT REFERENCES Run (id)
    ) STRICT;
    CREATE INDEX RaceSetupOfRun ON RaceSetup (runId);

    """
}
