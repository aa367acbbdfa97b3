package import LinkStore

extension PhoneTables {
  package static let component = Component(
    "companion", migrations: [Migration(to: 1, version1)],
    smallTables: ["AppState", "Belief", "Freshness", "ScriptPosition", "LinePosition", "Trail", "UnheardMessage"])

  /// Times of the phone's timers are nanoseconds since the scenario's start, times of a clock nanoseconds since 1970.
  ///
  /// `heardCount` counts the fresh snapshots: of two rows that tell of the same thing, the one with more is newer.
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
}
