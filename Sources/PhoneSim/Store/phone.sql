CREATE TABLE Run (
  id TEXT PRIMARY KEY, startedAt INTEGER NOT NULL, endedAt INTEGER,
  runType TEXT NOT NULL CHECK (runType IN ('outdoor', 'treadmill')),
  mode TEXT NOT NULL CHECK (mode IN ('free', 'training', 'race')),
  personality TEXT NOT NULL, healthKitWorkoutUUID TEXT, userNotes TEXT,
  perceivedEffort INTEGER CHECK (perceivedEffort BETWEEN 1 AND 10), label TEXT, summaryText TEXT,
  cachedDistanceMeters REAL, cachedDurationSeconds REAL, cachedAvgPaceSecPerKm REAL
, isTrackedHere INTEGER NOT NULL DEFAULT 0 CHECK (isTrackedHere IN (0, 1))) STRICT;
CREATE TABLE PlayedMessage (
  place INTEGER PRIMARY KEY, messageId TEXT NOT NULL, playedAt INTEGER NOT NULL,
  runId TEXT NOT NULL REFERENCES Run (id), wasInterrupted INTEGER NOT NULL CHECK (wasInterrupted IN (0, 1))
) STRICT;
CREATE INDEX PlayedMessageOfRun ON PlayedMessage (runId);
CREATE TABLE UnheardMessage (place INTEGER PRIMARY KEY REFERENCES PlayedMessage (place)) STRICT;
CREATE TABLE VoiceNote (
  id TEXT PRIMARY KEY, runId TEXT, recordedAt INTEGER NOT NULL, audioFilePath TEXT NOT NULL, transcript TEXT,
  transcriptionStatus TEXT NOT NULL CHECK (transcriptionStatus IN ('pending', 'done', 'failed')), aiReplyId TEXT REFERENCES AiReply (id)) STRICT;
CREATE TABLE PendingTranscription (
  noteId TEXT PRIMARY KEY REFERENCES VoiceNote (id), says TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'failed'))
) STRICT;
CREATE TABLE AppState (
  id INTEGER PRIMARY KEY CHECK (id = 1), isScriptLoaded INTEGER NOT NULL, isMuted INTEGER NOT NULL,
  isSoundTaken INTEGER NOT NULL, recordingNoteId TEXT
) STRICT;
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
CREATE TABLE LinePosition (
  message TEXT PRIMARY KEY, isSpoken INTEGER NOT NULL, isExpired INTEGER NOT NULL, lastMultiple INTEGER NOT NULL,
  lastDispatch INTEGER, dueSince INTEGER NOT NULL, dueMultiple INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE Script (
  place INTEGER PRIMARY KEY, id TEXT, personality TEXT, generatedAt TEXT, model TEXT, inputDigest TEXT,
  branchPolicy TEXT NOT NULL CHECK (branchPolicy IN ('linear', 'branched')), graceMeters REAL NOT NULL,
  graceSeconds REAL NOT NULL, source TEXT NOT NULL CHECK (source IN ('scenario', 'edge', 'fallback'))
, runId TEXT REFERENCES Run (id)) STRICT;
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
CREATE INDEX RunOfWorkout ON Run (healthKitWorkoutUUID);
CREATE INDEX ScriptOfRun ON Script (runId);
CREATE INDEX VoiceNoteOfReply ON VoiceNote (aiReplyId);
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
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX RideByDate ON Ride (startDate, id);
CREATE INDEX RideOfHorse ON Ride (horse);
CREATE TABLE RunningSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX RunningSessionByDate ON RunningSession (startDate, id);
CREATE TABLE SwimmingSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL, totalStrokes INTEGER NOT NULL DEFAULT 0,
  poolLength REAL
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX SwimmingSessionByDate ON SwimmingSession (startDate, id);
CREATE TABLE ShootingSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL, totalScore INTEGER NOT NULL DEFAULT 0
, weather TEXT, heartRateSeries TEXT) STRICT;
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
, workoutTemplate TEXT REFERENCES WorkoutTemplate (id) ON DELETE CASCADE, ride TEXT REFERENCES Ride (id) ON DELETE CASCADE) STRICT;
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
, targetScanAnalysis TEXT REFERENCES TargetScanAnalysis (id) ON DELETE SET NULL) STRICT;
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
CREATE INDEX IntervalOfWorkoutTemplate ON Interval (workoutTemplate);
CREATE INDEX ShootingEndOfTargetScanAnalysis ON ShootingEnd (targetScanAnalysis);
CREATE TABLE RemovedSession (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE SecondAthleteProfile (
  id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE SecondHorse (
  id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE SecondRide (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL,
  horse TEXT REFERENCES SecondHorse (id) ON DELETE SET NULL
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX SecondRideByDate ON SecondRide (startDate, id);
CREATE INDEX SecondRideOfHorse ON SecondRide (horse);
CREATE TABLE SecondRunningSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX SecondRunningSessionByDate ON SecondRunningSession (startDate, id);
CREATE TABLE SecondSwimmingSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL, totalStrokes INTEGER NOT NULL DEFAULT 0,
  poolLength REAL
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX SecondSwimmingSessionByDate ON SecondSwimmingSession (startDate, id);
CREATE TABLE SecondShootingSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL DEFAULT '', totalDistance REAL NOT NULL DEFAULT 0,
  totalDuration REAL NOT NULL DEFAULT 0, averageHeartRate REAL, totalScore INTEGER NOT NULL DEFAULT 0
, weather TEXT, heartRateSeries TEXT) STRICT;
CREATE INDEX SecondShootingSessionByDate ON SecondShootingSession (startDate, id);
CREATE TABLE SecondGPSPoint (
  id TEXT PRIMARY KEY, latitude REAL NOT NULL DEFAULT 0, longitude REAL NOT NULL DEFAULT 0,
  altitude REAL NOT NULL DEFAULT 0, timestamp INTEGER NOT NULL DEFAULT 0,
  horizontalAccuracy REAL NOT NULL DEFAULT 0, speed REAL NOT NULL DEFAULT 0,
  parentType TEXT NOT NULL DEFAULT '', parentID TEXT NOT NULL DEFAULT '',
  ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE,
  runningSession TEXT REFERENCES SecondRunningSession (id) ON DELETE CASCADE,
  swimmingSession TEXT REFERENCES SecondSwimmingSession (id) ON DELETE CASCADE,
  CHECK ((ride IS NOT NULL) + (runningSession IS NOT NULL) + (swimmingSession IS NOT NULL) = 1)
) STRICT;
CREATE INDEX SecondGPSPointOfRide ON SecondGPSPoint (ride);
CREATE INDEX SecondGPSPointOfRunningSession ON SecondGPSPoint (runningSession);
CREATE INDEX SecondGPSPointOfSwimmingSession ON SecondGPSPoint (swimmingSession);
CREATE TABLE SecondSplit (
  id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, distance REAL NOT NULL DEFAULT 0,
  duration REAL NOT NULL DEFAULT 0, cadence REAL, heartRate REAL, elevation REAL, strokeCount INTEGER,
  strokeType TEXT, discipline TEXT NOT NULL DEFAULT '',
  runningSession TEXT REFERENCES SecondRunningSession (id) ON DELETE CASCADE,
  swimmingSession TEXT REFERENCES SecondSwimmingSession (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondSplitOfRunningSession ON SecondSplit (runningSession);
CREATE INDEX SecondSplitOfSwimmingSession ON SecondSplit (swimmingSession);
CREATE TABLE SecondInterval (
  id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, name TEXT NOT NULL DEFAULT '',
  targetDistance REAL, targetPace REAL, targetDuration REAL, restDuration REAL,
  isCompleted INTEGER NOT NULL DEFAULT 0, actualDistance REAL, actualDuration REAL, actualCadence REAL,
  actualHeartRate REAL, actualStrokes INTEGER, targetGait TEXT, intensity TEXT,
  discipline TEXT NOT NULL DEFAULT '',
  runningSession TEXT REFERENCES SecondRunningSession (id) ON DELETE CASCADE,
  swimmingSession TEXT REFERENCES SecondSwimmingSession (id) ON DELETE CASCADE
, workoutTemplate TEXT REFERENCES SecondWorkoutTemplate (id) ON DELETE CASCADE, ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE) STRICT;
CREATE INDEX SecondIntervalOfRunningSession ON SecondInterval (runningSession);
CREATE INDEX SecondIntervalOfSwimmingSession ON SecondInterval (swimmingSession);
CREATE TABLE SecondGaitSegment (
  id TEXT PRIMARY KEY, gait TEXT NOT NULL DEFAULT '', startDate INTEGER NOT NULL DEFAULT 0,
  endDate INTEGER NOT NULL DEFAULT 0, distance REAL NOT NULL DEFAULT 0,
  ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondGaitSegmentOfRide ON SecondGaitSegment (ride);
CREATE TABLE SecondReinSegment (
  id TEXT PRIMARY KEY, rein TEXT NOT NULL DEFAULT '', startDate INTEGER NOT NULL DEFAULT 0,
  endDate INTEGER NOT NULL DEFAULT 0, ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondReinSegmentOfRide ON SecondReinSegment (ride);
CREATE TABLE SecondGaitTransition (
  id TEXT PRIMARY KEY, fromGait TEXT NOT NULL DEFAULT '', toGait TEXT NOT NULL DEFAULT '',
  timestamp INTEGER NOT NULL DEFAULT 0, ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondGaitTransitionOfRide ON SecondGaitTransition (ride);
CREATE TABLE SecondRideScore (
  id TEXT PRIMARY KEY, score REAL NOT NULL DEFAULT 0, recordedAt INTEGER NOT NULL DEFAULT 0,
  ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondRideScoreOfRide ON SecondRideScore (ride);
CREATE TABLE SecondShootingEnd (
  id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, totalScore INTEGER NOT NULL DEFAULT 0,
  session TEXT REFERENCES SecondShootingSession (id) ON DELETE CASCADE
, targetScanAnalysis TEXT REFERENCES SecondTargetScanAnalysis (id) ON DELETE SET NULL) STRICT;
CREATE INDEX SecondShootingEndOfSession ON SecondShootingEnd (session);
CREATE TABLE SecondShot (
  id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, score INTEGER NOT NULL DEFAULT 0,
  timestamp INTEGER NOT NULL DEFAULT 0, "end" TEXT REFERENCES SecondShootingEnd (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondShotOfEnd ON SecondShot ("end");
CREATE TABLE SecondDrillSession (
  id TEXT PRIMARY KEY, startDate INTEGER NOT NULL DEFAULT 0, endDate INTEGER,
  discipline TEXT NOT NULL DEFAULT '', drillType TEXT NOT NULL DEFAULT '',
  difficultyLevel TEXT NOT NULL DEFAULT '', notes TEXT NOT NULL DEFAULT '', stability REAL, symmetry REAL,
  endurance REAL, coordination REAL, breathing REAL, rhythm REAL, reaction REAL, averageGroupSize REAL,
  shotCount INTEGER
) STRICT;
CREATE TABLE SecondDrillSet (
  id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, duration REAL NOT NULL DEFAULT 0,
  reps INTEGER, score REAL, session TEXT REFERENCES SecondDrillSession (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondDrillSetOfSession ON SecondDrillSet (session);
CREATE TABLE SecondSkillSnapshot (
  id TEXT PRIMARY KEY, recordedAt INTEGER NOT NULL DEFAULT 0, domain TEXT NOT NULL DEFAULT '',
  score REAL NOT NULL DEFAULT 0, discipline TEXT NOT NULL DEFAULT '', sourceSessionID TEXT,
  sourceSessionType TEXT NOT NULL DEFAULT '', contributingMetrics TEXT,
  athleteProfile TEXT REFERENCES SecondAthleteProfile (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX SecondSkillSnapshotOfAthleteProfile ON SecondSkillSnapshot (athleteProfile);
CREATE TABLE SecondCompetition (
  id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', date INTEGER NOT NULL DEFAULT 0,
  horse TEXT REFERENCES SecondHorse (id) ON DELETE SET NULL,
  competitionRide TEXT REFERENCES SecondRide (id) ON DELETE SET NULL,
  competitionRunningSession TEXT REFERENCES SecondRunningSession (id) ON DELETE SET NULL,
  competitionSwimmingSession TEXT REFERENCES SecondSwimmingSession (id) ON DELETE SET NULL,
  competitionShootingSession TEXT REFERENCES SecondShootingSession (id) ON DELETE SET NULL,
  storedShootingScore INTEGER, storedSwimmingTime REAL, storedRunningTime REAL, storedRidingScore REAL
) STRICT;
CREATE INDEX SecondCompetitionOfHorse ON SecondCompetition (horse);
CREATE INDEX SecondCompetitionOfCompetitionRide ON SecondCompetition (competitionRide);
CREATE INDEX SecondCompetitionOfCompetitionRunningSession ON SecondCompetition (competitionRunningSession);
CREATE INDEX SecondCompetitionOfCompetitionSwimmingSession ON SecondCompetition (competitionSwimmingSession);
CREATE INDEX SecondCompetitionOfCompetitionShootingSession ON SecondCompetition (competitionShootingSession);
CREATE INDEX SecondGPSPointOfParent ON SecondGPSPoint (parentID);
CREATE INDEX SecondSkillSnapshotByDomain ON SecondSkillSnapshot (domain, recordedAt);
CREATE INDEX SecondSkillSnapshotOfSource ON SecondSkillSnapshot (sourceSessionID);
CREATE TABLE SecondTrainingReport (
  workoutId TEXT NOT NULL, part INTEGER NOT NULL, report TEXT NOT NULL, PRIMARY KEY (workoutId, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE SecondWorkoutTemplate (
  id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', discipline TEXT NOT NULL DEFAULT '',
  createdAt INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE SecondCompetitionTask (
  id TEXT PRIMARY KEY, orderIndex INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL DEFAULT '',
  isCompleted INTEGER NOT NULL DEFAULT 0, completedAt INTEGER,
  competition TEXT REFERENCES SecondCompetition (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondCompetitionTaskOfCompetition ON SecondCompetitionTask (competition);
CREATE TABLE SecondRidePhoto (
  id TEXT PRIMARY KEY, fileName TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
  takenAt INTEGER NOT NULL DEFAULT 0, ride TEXT REFERENCES SecondRide (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX SecondRidePhotoOfRide ON SecondRidePhoto (ride);
CREATE TABLE SecondTargetScanAnalysis (
  id TEXT PRIMARY KEY, fileName TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '',
  analysedAt INTEGER NOT NULL DEFAULT 0, groupSize REAL
) STRICT;
CREATE INDEX SecondIntervalOfWorkoutTemplate ON SecondInterval (workoutTemplate);
CREATE INDEX SecondShootingEndOfTargetScanAnalysis ON SecondShootingEnd (targetScanAnalysis);
CREATE TABLE SecondRemovedSession (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE SyncRow (
  phone INTEGER NOT NULL CHECK (phone IN (1, 2)), tableName TEXT NOT NULL, id TEXT NOT NULL, cells TEXT NOT NULL,
  PRIMARY KEY (phone, tableName, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE SyncQueue (
  phone INTEGER NOT NULL CHECK (phone IN (1, 2)), tableName TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (phone, tableName, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE SyncState (
  phone INTEGER PRIMARY KEY CHECK (phone IN (1, 2)), editsDone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE ChatMessage (
  number INTEGER PRIMARY KEY CHECK (number > 0), date INTEGER NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX IntervalOfRide ON Interval (ride);
CREATE INDEX SecondIntervalOfRide ON SecondInterval (ride);
INSERT INTO AppState VALUES (1, 0, 0, 0, NULL);
INSERT INTO ScriptPosition VALUES (1, 0, 0, NULL, NULL, NULL, NULL);
