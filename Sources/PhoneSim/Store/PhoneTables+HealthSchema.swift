extension PhoneTables {
  /// Staging table, catalogue of measures, actions: the columns and indexes are the document's.
  ///
  /// Dates are ISO 8601; those of a period have the local offset, so that its day can be read. The upsert needs the third
  /// index. A reason has its own table, since the staging table has no column for it.
  static let ingestionSchema = """
    CREATE TABLE appledata (
      id TEXT PRIMARY KEY, sourceSDK TEXT NOT NULL, dataType TEXT NOT NULL, fetchedAt TEXT NOT NULL,
      startDate TEXT NOT NULL, endDate TEXT NOT NULL, rawJSON TEXT NOT NULL, parsed BOOLEAN DEFAULT 0, parsedAt TEXT,
      purgeAfter TEXT, logTime TEXT NOT NULL
    );
    CREATE INDEX idx_appledata_parsed ON appledata (parsed, sourceSDK, dataType);
    CREATE INDEX idx_appledata_purge ON appledata (purgeAfter) WHERE purgeAfter IS NOT NULL;
    CREATE UNIQUE INDEX idx_appledata_key ON appledata (sourceSDK, dataType, startDate);
    CREATE TABLE AppleDataFailure (
      id TEXT PRIMARY KEY REFERENCES appledata (id) ON DELETE CASCADE, reason TEXT NOT NULL
    ) STRICT;
    CREATE TABLE measures (
      id TEXT PRIMARY KEY, unit TEXT NOT NULL, measureType TEXT NOT NULL, title TEXT NOT NULL,
      detailedDescription TEXT NOT NULL, logTime TEXT NOT NULL
    ) STRICT;
    CREATE TABLE actions (
      id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, detailedDescription TEXT NOT NULL, logTime TEXT NOT NULL
    ) STRICT;
    CREATE TABLE measuredActions (
      actionId TEXT NOT NULL REFERENCES actions (id), measureId TEXT NOT NULL REFERENCES measures (id),
      value REAL NOT NULL, createdAt TEXT NOT NULL, PRIMARY KEY (actionId, measureId)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX measuredActionsOfMeasure ON measuredActions (measureId);
    CREATE TABLE IngestionState (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

    """

  /// Meals, which stay on the phone, the totals that the server gets, and the user's chat.
  ///
  /// Each `date` is in nanoseconds since 1970 by the phone's clock, `day` counts local days from 1970-01-01, `snapshot` is
  /// the JSON that is posted. `number` counts the messages of the chat from 1; `DailyState` has what the server has read
  /// of it.
  static let dailySchema = """
    CREATE TABLE NutritionEntry (
      id TEXT PRIMARY KEY, date INTEGER NOT NULL, day INTEGER NOT NULL, name TEXT NOT NULL,
      calories INTEGER NOT NULL CHECK (calories >= 0), protein INTEGER NOT NULL CHECK (protein >= 0),
      carbs INTEGER NOT NULL CHECK (carbs >= 0), fat INTEGER NOT NULL CHECK (fat >= 0)
    ) STRICT;
    CREATE INDEX NutritionEntryOfDay ON NutritionEntry (day);
    CREATE TABLE DailyAggregate (
      day INTEGER PRIMARY KEY, revision INTEGER NOT NULL CHECK (revision > 0), syncedRevision INTEGER NOT NULL,
      snapshot TEXT NOT NULL
    ) STRICT;
    CREATE TABLE DailyState (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE ChatMessage (
      number INTEGER PRIMARY KEY CHECK (number > 0), date INTEGER NOT NULL, text TEXT NOT NULL
    ) STRICT;

    """
}
