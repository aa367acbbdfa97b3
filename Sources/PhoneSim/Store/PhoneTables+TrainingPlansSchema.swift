extension PhoneTables {
  /// Planned workouts, tasks of competitions, photos and scans; weather and heart rates of sessions; removed sessions.
  static let version10 = """
    CREATE TABLE WorkoutTemplate (
      id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', discipline TEXT NOT NULL DEFAULT '',
      createdAt INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE CompetitionTask (
      id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL DEFAULT '',
      isCompleted INTEGER NOT NULL DEFAULT 0, completedAt INTEGER,
      competition TEXT REFERENCES Competition (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX CompetitionTaskOfCompetition ON CompetitionTask (competition);
    CREATE TABLE RidePhoto (
      id TEXT PRIMARY KEY, fileName TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
      takenAt INTEGER NOT NULL DEFAULT 0, ride TEXT REFERENCES Ride (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX RidePhotoOfRide ON RidePhoto (ride);
    CREATE TABLE TargetScanAnalysis (
      id TEXT PRIMARY KEY, fileName TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
      analysedAt INTEGER NOT NULL DEFAULT 0, groupSize REAL
    ) STRICT;
    ALTER TABLE Interval ADD COLUMN workoutTemplate TEXT REFERENCES WorkoutTemplate (id) ON DELETE CASCADE;
    CREATE INDEX IntervalOfWorkoutTemplate ON Interval (workoutTemplate);
    ALTER TABLE ShootingEnd ADD COLUMN targetScanAnalysis TEXT REFERENCES TargetScanAnalysis (id) ON DELETE SET NULL;
    CREATE INDEX ShootingEndOfTargetScanAnalysis ON ShootingEnd (targetScanAnalysis);
    ALTER TABLE Ride ADD COLUMN weather TEXT;
    ALTER TABLE Ride ADD COLUMN heartRateSeries TEXT;
    ALTER TABLE RunningSession ADD COLUMN weather TEXT;
    ALTER TABLE RunningSession ADD COLUMN heartRateSeries TEXT;
    ALTER TABLE SwimmingSession ADD COLUMN weather TEXT;
    ALTER TABLE SwimmingSession ADD COLUMN heartRateSeries TEXT;
    ALTER TABLE ShootingSession ADD COLUMN weather TEXT;
    ALTER TABLE ShootingSession ADD COLUMN heartRateSeries TEXT;
    CREATE TABLE RemovedSession (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    """

  private static let lapsOfRides = """
    ALTER TABLE Interval ADD COLUMN ride TEXT REFERENCES Ride (id) ON DELETE CASCADE;
    CREATE INDEX IntervalOfRide ON Interval (ride);
    """

  /// Laps of rides, on both phones.
  static let version13 = lapsOfRides + "\n" + prefixed(lapsOfRides)
}
