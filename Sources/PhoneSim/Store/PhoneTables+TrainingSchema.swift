extension PhoneTables {
  /// The unified form of training sessions; tables and columns are the document's, and a test compares them with
  /// ``TrainingCatalog``.
  ///
  /// As the document's sync asks, every column has a default or may be empty, relations are optional, and nothing is
  /// unique but the identifier. Dates are in nanoseconds since 1970. `TrainingReport` holds the parts of reports that are
  /// not complete.
  static let version9 = """
    CREATE TABLE AthleteProfile (
      id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE Horse (
      id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE Ride (
      id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
      totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL,
      horse TEXT REFERENCES Horse (id) ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX RideByDate ON Ride (startDate, id);
    CREATE INDEX RideOfHorse ON Ride (horse);
    CREATE TABLE RunningSession (
      id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
      totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL
    ) STRICT;
    CREATE INDEX RunningSessionByDate ON RunningSession (startDate, id);
    CREATE TABLE SwimmingSession (
      id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
      totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL, totalStrokes INTEGER NOT NULL DEFAULT 0,
      poolLength REAL
    ) STRICT;
    CREATE INDEX SwimmingSessionByDate ON SwimmingSession (startDate, id);
    CREATE TABLE ShootingSession (
      id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
      totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL, totalScore INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX ShootingSessionByDate ON ShootingSession (startDate, id);
    CREATE TABLE GPSPoint (
      id TEXT PRIMARY KEY, latitude REAL NOT NULL DEFAULT 0, longitude REAL NOT NULL DEFAULT 0,
      altitude REAL NOT NULL DEFAULT 0, timestamp INTEGER NOT NULL DEFAULT 0,
      horizontalAccuracy REAL NOT NULL DEFAULT 0, speed REAL NOT NULL DEFAULT 0,
      parentType TEXT NOT NULL DEFAULT '', parentID TEXT NOT NULL DEFAULT '',
      ride TEXT REFERENCES Ride (id) ON DELETE CASCADE,
      runningSession TEXT REFERENCES RunningSession (id) ON DELETE CASCADE,
      swimmingSession TEXT REFERENCES SwimmingSession (id) ON DELETE CASCADE,
      CHECK ((ride IS NOT NULL) + (runningSession IS NOT NULL) + (swimmingSession IS NOT NULL) = 1)
    ) STRICT;
    CREATE INDEX GPSPointOfRide ON GPSPoint (ride);
    CREATE INDEX GPSPointOfRunningSession ON GPSPoint (runningSession);
    CREATE INDEX GPSPointOfSwimmingSession ON GPSPoint (swimmingSession);
    CREATE TABLE Split (
      id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, distance REAL NOT NULL DEFAULT 0,
      duration REAL NOT NULL DEFAULT 0, cadence REAL, heartRate REAL, elevation REAL, strokeCount INTEGER,
      strokeType TEXT, discipline TEXT NOT NULL DEFAULT '',
      runningSession TEXT REFERENCES RunningSession (id) ON DELETE CASCADE,
      swimmingSession TEXT REFERENCES SwimmingSession (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX SplitOfRunningSession ON Split (runningSession);
    CREATE INDEX SplitOfSwimmingSession ON Split (swimmingSession);
    CREATE TABLE Interval (
      id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, name TEXT NOT NULL DEFAULT '',
      targetDistance REAL, targetPace REAL, targetDuration REAL, restDuration REAL,
      isCompleted INTEGER NOT NULL DEFAULT 0, actualDistance REAL, actualDuration REAL, actualCadence REAL,
      actualHeartRate REAL, actualStrokes INTEGER, targetGait TEXT, intensity TEXT,
      discipline TEXT NOT NULL DEFAULT '',
      runningSession TEXT REFERENCES RunningSession (id) ON DELETE CASCADE,
      swimmingSession TEXT REFERENCES SwimmingSession (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX IntervalOfRunningSession ON Interval (runningSession);
    CREATE INDEX IntervalOfSwimmingSession ON Interval (swimmingSession);
    CREATE TABLE GaitSegment (
      id TEXT PRIMARY KEY, gait TEXT NOT NULL DEFAULT '', startDate INTEGER NOT NULL DEFAULT 0,
      endDate INTEGER NOT NULL DEFAULT 0, distance REAL NOT NULL DEFAULT 0,
      ride TEXT REFERENCES Ride (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX GaitSegmentOfRide ON GaitSegment (ride);
    CREATE TABLE ReinSegment (
      id TEXT PRIMARY KEY, rein TEXT NOT NULL DEFAULT '', startDate INTEGER NOT NULL DEFAULT 0,
      endDate INTEGER NOT NULL DEFAULT 0, ride TEXT REFERENCES Ride (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX ReinSegmentOfRide ON ReinSegment (ride);
    CREATE TABLE GaitTransition (
      id TEXT PRIMARY KEY, fromGait TEXT NOT NULL DEFAULT '', toGait TEXT NOT NULL DEFAULT '',
      timestamp INTEGER NOT NULL DEFAULT 0, ride TEXT REFERENCES Ride (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX GaitTransitionOfRide ON GaitTransition (ride);
    CREATE TABLE RideScore (
      id TEXT PRIMARY KEY, score REAL NOT NULL DEFAULT 0, recordedAt INTEGER NOT NULL DEFAULT 0,
      ride TEXT REFERENCES Ride (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX RideScoreOfRide ON RideScore (ride);
    CREATE TABLE ShootingEnd (
      id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, totalScore INTEGER NOT NULL DEFAULT 0,
      session TEXT REFERENCES ShootingSession (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX ShootingEndOfSession ON ShootingEnd (session);
    CREATE TABLE Shot (
      id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, score INTEGER NOT NULL DEFAULT 0,
      timestamp INTEGER NOT NULL DEFAULT 0, "end" TEXT REFERENCES ShootingEnd (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX ShotOfEnd ON Shot ("end");
    CREATE TABLE DrillSession (
      id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER,
      discipline TEXT NOT NULL DEFAULT '', drillType TEXT NOT NULL DEFAULT '',
      difficultyLevel TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '', stability REAL, symmetry REAL,
      endurance REAL, coordination REAL, breathing REAL, rhythm REAL, reaction REAL, averageGroupSize REAL,
      shotCount INTEGER
    ) STRICT;
    CREATE TABLE DrillSet (
      id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, duration REAL NOT NULL DEFAULT 0,
      reps INTEGER, score REAL, session TEXT REFERENCES DrillSession (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX DrillSetOfSession ON DrillSet (session);
    CREATE TABLE SkillSnapshot (
      id TEXT PRIMARY KEY, recordedAt INTEGER NOT NULL DEFAULT 0, domain TEXT NOT NULL DEFAULT '',
      score REAL NOT NULL DEFAULT 0, discipline TEXT NOT NULL DEFAULT '', sourceSessionID TEXT,
      sourceSessionType TEXT NOT NULL DEFAULT '', contributingMetrics TEXT,
      athleteProfile TEXT REFERENCES AthleteProfile (id) ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX SkillSnapshotOfAthleteProfile ON SkillSnapshot (athleteProfile);
    CREATE TABLE Competition (
      id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', date INTEGER NOT NULL DEFAULT 0,
      horse TEXT REFERENCES Horse (id) ON DELETE SET NULL,
      competitionRide TEXT REFERENCES Ride (id) ON DELETE SET NULL,
      competitionRunningSession TEXT REFERENCES RunningSession (id) ON DELETE SET NULL,
      competitionSwimmingSession TEXT REFERENCES SwimmingSession (id) ON DELETE SET NULL,
      competitionShootingSession TEXT REFERENCES ShootingSession (id) ON DELETE SET NULL,
      storedShootingScore INTEGER, storedSwimmingTime REAL, storedRunningTime REAL, storedRidingScore REAL
    ) STRICT;
    CREATE INDEX CompetitionOfHorse ON Competition (horse);
    CREATE INDEX CompetitionOfCompetitionRide ON Competition (competitionRide);
    CREATE INDEX CompetitionOfCompetitionRunningSession ON Competition (competitionRunningSession);
    CREATE INDEX CompetitionOfCompetitionSwimmingSession ON Competition (competitionSwimmingSession);
    CREATE INDEX CompetitionOfCompetitionShootingSession ON Competition (competitionShootingSession);
    CREATE INDEX GPSPointOfParent ON GPSPoint (parentID);
    CREATE INDEX SkillSnapshotByDomain ON SkillSnapshot (domain, recordedAt);
    CREATE INDEX SkillSnapshotOfSource ON SkillSnapshot (sourceSessionID);
    CREATE TABLE TrainingReport (
      workoutId TEXT NOT NULL, part INTEGER NOT NULL, report TEXT NOT NULL, PRIMARY KEY (workoutId, part)
    ) STRICT, WITHOUT ROWID;
    """
}
