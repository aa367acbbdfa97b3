extension PhoneTables {
  /// Staging table, catalogue of measures, actions: the columns and indexes are the document's.
  ///
  /// Dates are ISO 8601; those of a period have the local offset, so that its day can be read. The upsert needs the third
  /// index. A reason has its own table, since the staging table has no column for it.
  static let version7 = """
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
}
