import LinkStore

/// How the phone's tables came to be what they are.
enum PhoneSchema {
  /// The names of the values in `PhoneState`.
  enum Key: String { case consumer, position, flags }

  /// Oldest first.
  static let migrations = [
    Migration(
      to: 1,
      """
      CREATE TABLE PhoneState (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE Marks (
        id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER, seq INTEGER, arrivedAt INTEGER, newestSentAt INTEGER,
        looks INTEGER NOT NULL, furthestDistance REAL, furthestElapsed REAL
      ) STRICT;
      CREATE TABLE Trail (milliseconds INTEGER PRIMARY KEY, distance REAL NOT NULL) STRICT;
      CREATE TABLE Run (
        place INTEGER PRIMARY KEY, id TEXT NOT NULL, startedAt INTEGER NOT NULL, endedAt INTEGER,
        runType TEXT NOT NULL, mode TEXT NOT NULL, personality TEXT NOT NULL, healthKitWorkoutUUID TEXT
      ) STRICT;
      CREATE TABLE PlayedMessage (
        place INTEGER PRIMARY KEY, messageId TEXT NOT NULL, playedAt INTEGER NOT NULL, runId TEXT NOT NULL,
        wasInterrupted INTEGER NOT NULL, isUnheard INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE VoiceNote (
        place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, runId TEXT, recordedAt INTEGER NOT NULL,
        audioFilePath TEXT NOT NULL, transcript TEXT, transcriptionStatus TEXT NOT NULL, aiReplyId TEXT
      ) STRICT;
      CREATE TABLE PendingTranscription (
        place INTEGER PRIMARY KEY, noteId TEXT NOT NULL REFERENCES VoiceNote (id), says TEXT, outcome TEXT NOT NULL
      ) STRICT;
      """)
  ]
}
