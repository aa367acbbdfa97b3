extension PhoneTables {
  /// Meals, which stay on the phone, and the totals that the server gets.
  ///
  /// `date` is in nanoseconds since 1970 by the phone's clock, `day` counts local days from 1970-01-01, `snapshot` is the
  /// JSON that is posted.
  static let version8 = """
    CREATE TABLE NutritionEntry (
      id TEXT PRIMARY KEY, date INTEGER NOT NULL, day INTEGER NOT NULL, name TEXT NOT NULL,
      calories INTEGER NOT NULL CHECK (calories >= 0), protein INTEGER NOT NULL CHECK (protein >= 0)
    ) STRICT;
    CREATE INDEX NutritionEntryOfDay ON NutritionEntry (day);
    CREATE TABLE DailyAggregate (
      day INTEGER PRIMARY KEY, revision INTEGER NOT NULL CHECK (revision > 0), syncedRevision INTEGER NOT NULL,
      snapshot TEXT NOT NULL
    ) STRICT;
    CREATE TABLE DailyState (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """
}
