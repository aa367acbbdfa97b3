package import LinkStore

extension PhoneTables {
  package static let component = Component(
    "companion",
    migrations: [
      Migration(to: 1, version1), Migration(to: 2, version2), Migration(to: 3, ""), Migration(to: 4, version4),
      Migration(to: 5, version5), Migration(to: 6, version6), Migration(to: 7, version7), Migration(to: 8, version8),
      Migration(to: 9, version9), Migration(to: 10, version10),
      Migration(to: 11, version11), Migration(to: 12, version12), Migration(to: 13, version13),
    ],
    newest: newest,
    smallTables: [
      "AppState", "Belief", "Freshness", "ScriptPosition", "LinePosition", "Trail", "UnheardMessage", "AIRequest",
      "AICache", "WaitingReply", "UserMemory", "RaceSetup", "measures", "IngestionState",
      "DailyState", "TrainingReport",
    ])

  /// The statements of `phone.sql`, which `sim-runner docs` writes.
  static let newest = String(decoding: PackageResources.phone_sql, as: UTF8.self)

  /// Phone timers are in nanoseconds since the scenario's start, clock times in nanoseconds since 1970.
  ///
  /// `heardCount` counts fresh snapshots: of two rows with the same fact, the one with the higher count is newer.
  private static let version1 = """
    CREATE TABLE Run (
      id TEXT PRIMARY KEY, startedAt INTEGER NOT NULL, endedAt INTEGER,
      runType TEXT NOT NULL CHECK (runType IN ('outdoor', 'treadmill')),
      mode TEXT NOT NULL CHECK (mode IN ('free', 'training', 'race')),
      personality TEXT NOT NULL, healthKitWorkoutUUID TEXT, userNotes TEXT,
      perceivedEffort INTEGER CHECK (perceivedEffort BETWEEN 1 AND 10), label TEXT, summaryText TEXT,
      cachedDistanceMeters REAL, cachedDurationSeconds REAL, cachedAvgPaceSecPerKm REAL
    ) STRICT;
    CREATE TABLE PlayedMessage (
      place INTEGER PRIMARY KEY, messageId TEXT NOT NULL, playedAt INTEGER NOT NULL,
      runId TEXT NOT NULL REFERENCES Run (id), wasInterrupted INTEGER NOT NULL CHECK (wasInterrupted IN (0, 1))
    ) STRICT;
    CREATE INDEX PlayedMessageOfRun ON PlayedMessage (runId);
    CREATE TABLE UnheardMessage (place INTEGER PRIMARY KEY REFERENCES PlayedMessage (place)) STRICT;
    CREATE TABLE VoiceNote (
      id TEXT PRIMARY KEY, runId TEXT, recordedAt INTEGER NOT NULL, audioFilePath TEXT NOT NULL, transcript TEXT,
      transcriptionStatus TEXT NOT NULL CHECK (transcriptionStatus IN ('pending', 'done', 'failed')), aiReplyId TEXT
    ) STRICT;
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
    """

  /// Requests, answers, and memory.
  private static let version2 = """
    CREATE TABLE Script (
      place INTEGER PRIMARY KEY, id TEXT, runId TEXT, personality TEXT, generatedAt TEXT, model TEXT, inputDigest TEXT,
      branchPolicy TEXT NOT NULL CHECK (branchPolicy IN ('linear', 'branched')), graceMeters REAL NOT NULL,
      graceSeconds REAL NOT NULL, source TEXT NOT NULL CHECK (source IN ('scenario', 'edge', 'fallback'))
    ) STRICT;
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
    """

  /// Races, and missing foreign keys.
  ///
  /// A column that becomes a foreign key is a new column, so that rows of the referring tables stay as they are.
  /// Dangling references are dropped.
  private static let version4 = """
    CREATE TABLE RaceSetup (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, distanceMeters REAL NOT NULL CHECK (distanceMeters > 0),
      targetTimeSeconds REAL NOT NULL CHECK (targetTimeSeconds > 0),
      pacingStrategy TEXT NOT NULL CHECK (pacingStrategy IN ('even', 'negative', 'positive', 'custom')),
      fuelingPlan TEXT NOT NULL, hydrationPlan TEXT NOT NULL, notes TEXT, scriptId TEXT,
      runId TEXT REFERENCES Run (id)
    ) STRICT;
    CREATE INDEX RaceSetupOfRun ON RaceSetup (runId);
    CREATE INDEX RunOfWorkout ON Run (healthKitWorkoutUUID);
    ALTER TABLE Script ADD COLUMN ofRun TEXT REFERENCES Run (id);
    UPDATE Script SET ofRun = runId WHERE runId IN (SELECT id FROM Run);
    ALTER TABLE Script DROP COLUMN runId;
    ALTER TABLE Script RENAME COLUMN ofRun TO runId;
    CREATE INDEX ScriptOfRun ON Script (runId);
    ALTER TABLE VoiceNote ADD COLUMN answer TEXT REFERENCES AiReply (id);
    UPDATE VoiceNote SET answer = aiReplyId WHERE aiReplyId IN (SELECT id FROM AiReply);
    ALTER TABLE VoiceNote DROP COLUMN aiReplyId;
    ALTER TABLE VoiceNote RENAME COLUMN answer TO aiReplyId;
    CREATE INDEX VoiceNoteOfReply ON VoiceNote (aiReplyId);
    """

  /// Which runs the phone tracked itself; ``version6`` fills it in for existing rows.
  private static let version5 = """
    ALTER TABLE Run ADD COLUMN isTrackedHere INTEGER NOT NULL DEFAULT 0 CHECK (isTrackedHere IN (0, 1));
    """

  /// Marks runs of earlier releases that the phone tracked: its tracker's run, and given-up starts, the only others
  /// with such rows.
  private static let version6 = """
    UPDATE Run SET isTrackedHere = 1
      WHERE healthKitWorkoutUUID IS NULL AND cachedDurationSeconds IS NULL AND id IN (
        SELECT json_extract(CASE WHEN json_valid(belief) THEN belief END, '$.start.tracker.runId') FROM Belief
        UNION SELECT givenUp.value FROM Belief,
          json_each(CASE WHEN json_valid(belief) THEN belief ELSE '{}' END, '$.withdrawn') AS givenUp
      );
    """
}
