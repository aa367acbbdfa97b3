import CoachProtocol

/// The sessions of the four disciplines, and what they share.
extension TrainingEntity {
  /// The columns of every session, as the document's protocol `TrainingSessionProtocol` has them.
  private static let session = [
    TrainingColumn("startDate", .date, "when it began by the watch's clock"),
    TrainingColumn("endDate", .date, "when it ended by the watch's clock"),
    TrainingColumn("name", name, "its name"),
    TrainingColumn("totalDistance", metres, "metres"),
    TrainingColumn("totalDuration", seconds, "seconds, pauses excluded"),
    TrainingColumn.optional("averageHeartRate", .real(1...250), "beats per minute"),
  ]

  /// The last columns of every session, as JSON: a table of their own would have a row for every value.
  private static let series = [
    TrainingColumn.optional("weather", .json(1_000), "what `recordWeather` entered: an object"),
    TrainingColumn.optional(
      "aiSummary", .json(20_000), "the edge's summary of a run: an object with `summaryText` and `extractedFacts`"),
    TrainingColumn.optional(
      "heartRateSeries", .json(200_000), "`[seconds since the start, beats per minute]`, one in 10 s"),
  ]

  static let ride = TrainingEntity(
    "Ride", "A session of `riding`.",
    session + [.optional("horse", .reference("Horse", isPart: false), "the horse")] + series)
  static let runningSession = TrainingEntity("RunningSession", "A session of `running`.", session + series)
  static let swimmingSession = TrainingEntity(
    "SwimmingSession", "A session of `swimming`.",
    session + [
      TrainingColumn("totalStrokes", .integer(0...10_000_000), "of all splits"),
      .optional("poolLength", metres, "metres of a length"),
    ] + series)
  static let shootingSession = TrainingEntity(
    "ShootingSession", "A session of `shooting`.",
    session + [TrainingColumn("totalScore", .integer(0...100_000), "the sum of its ends")] + series)

  static let gpsPoint = TrainingEntity(
    "GPSPoint", "A point of a route, whatever its session; one of the three last columns is set.",
    [
      TrainingColumn("latitude", .real(-90...90), "degrees north"),
      TrainingColumn("longitude", .real(-180...180), "degrees east"),
      TrainingColumn(
        "altitude", .real(-1_000...20_000), "metres; of a model above its start; 0 if unknown, as in a trace"),
      TrainingColumn("timestamp", .date, "when it was measured by the watch's clock"),
      TrainingColumn("horizontalAccuracy", .real(0...100_000), "metres; 0 if unknown, as in a recording"),
      TrainingColumn("speed", .real(0...1_000), "metres per second"),
      TrainingColumn("parentType", .word(["ride", "run", "swim"]), "whose point it is"),
      TrainingColumn("parentID", .identifier, "the session"),
      .optional("ride", .reference("Ride", isPart: true), "the session of a `ride`"),
      .optional("runningSession", .reference("RunningSession", isPart: true), "the session of a `run`"),
      .optional("swimmingSession", .reference("SwimmingSession", isPart: true), "the session of a `swim`"),
    ])

  private static let ofRunOrSwim = [
    TrainingColumn.optional("runningSession", .reference("RunningSession", isPart: true), "the session of a `run`"),
    TrainingColumn.optional("swimmingSession", .reference("SwimmingSession", isPart: true), "the session of a `swim`"),
  ]

  /// As HealthKit and FIT name them.
  private static let strokes = TrainingColumn.Kind.word(
    SwimStroke.allCases.compactMap(\.text) + ["kickboard", "unknown"])

  static let split = TrainingEntity(
    "Split", "A kilometre of a run, or a length of a swim.",
    [
      TrainingColumn("orderIndex", .integer(0...1_000_000), "from 0"), TrainingColumn("distance", metres, "metres"),
      TrainingColumn("duration", seconds, "seconds"),
      .optional("cadence", .real(1...1_000), "of running, in steps per minute"),
      .optional("heartRate", .real(1...250), "beats per minute"),
      .optional("elevation", .real(-10_000...10_000), "of running: how many metres were climbed in it"),
      .optional("strokeCount", .integer(1...10_000), "of swimming"),
      .optional("strokeType", strokes, "of swimming; the watch's model swims `freestyle`"),
      TrainingColumn("discipline", .word(["run", "swim"]), "whose split it is"),
    ] + ofRunOrSwim)

  static let interval = TrainingEntity(
    "Interval", "A stretch with a target, and what came of it.",
    [
      TrainingColumn("orderIndex", .integer(0...1_000_000), "from 0"), TrainingColumn("name", name, "its name"),
      .optional("targetDistance", metres, "metres"), .optional("targetPace", seconds, "seconds for 100 m"),
      .optional("targetDuration", seconds, "seconds"), .optional("restDuration", seconds, "seconds after it"),
      TrainingColumn("isCompleted", .integer(0...1), "whether all of it was done"),
      .optional("actualDistance", metres, "metres"), .optional("actualDuration", seconds, "seconds"),
      .optional("actualCadence", .real(1...1_000), "of running, in steps per minute"),
      .optional("actualHeartRate", .real(1...250), "mean, in beats per minute"),
      .optional("actualStrokes", .integer(0...10_000_000), "of swimming"),
      .optional("targetGait", .text(20), "of riding"),
      .optional("intensity", .text(40), "of riding"),
      TrainingColumn("discipline", .word(["run", "swim", "ride"]), "whose interval it is"),
    ] + ofRunOrSwim + [
      .optional("workoutTemplate", .reference("WorkoutTemplate", isPart: true), "the planned workout it is part of"),
      .optional("ride", .reference("Ride", isPart: true), "the session of a `ride`"),
    ])
}

/// Planned workouts, tasks of a competition, and references to files.
extension TrainingEntity {
  private static let file = [
    TrainingColumn("fileName", name, "the file's name; the file itself is not stored"),
    TrainingColumn("digest", .text(64), "SHA-256 of the file, in hexadecimal digits"),
  ]

  static let workoutTemplate = TrainingEntity(
    "WorkoutTemplate", "A planned workout, whose intervals are done again and again.",
    [
      TrainingColumn("name", name, "its name"), TrainingColumn("discipline", disciplines, "what is planned"),
      TrainingColumn("createdAt", .date, "when it was planned"),
    ])

  static let competitionTask = TrainingEntity(
    "CompetitionTask", "Something to do before or at a competition.",
    [
      TrainingColumn("orderIndex", .integer(0...1_000), "from 0"), TrainingColumn("title", name, "what is to be done"),
      TrainingColumn("isCompleted", .integer(0...1), "whether it is done"),
      .optional("completedAt", .date, "when it was done"),
      TrainingColumn("competition", .reference("Competition", isPart: true), "the competition"),
    ])

  static let ridePhoto = TrainingEntity(
    "RidePhoto", "A photo of a ride: a reference to its file.",
    file + [
      TrainingColumn("takenAt", .date, "when it was added"),
      TrainingColumn("ride", .reference("Ride", isPart: true), "the ride"),
    ])

  static let targetScanAnalysis = TrainingEntity(
    "TargetScanAnalysis", "What a scan of a target says: a reference to its picture, and the group of the shots.",
    file + [
      TrainingColumn("analysedAt", .date, "when it was scanned"),
      .optional("groupSize", .real(0...10_000), "the largest distance between two holes, in millimetres"),
    ])
}

/// The parts of rides and of shooting sessions.
extension TrainingEntity {
  private static let ofRide = TrainingColumn("ride", .reference("Ride", isPart: true), "the ride")
  private static let gaits = TrainingColumn.Kind.word(Gait.allCases.map(\.text))

  static let horse = TrainingEntity("Horse", "A horse.", [TrainingColumn("name", name, "its name")])

  static let gaitSegment = TrainingEntity(
    "GaitSegment", "A stretch of a ride in one gait.",
    [
      TrainingColumn("gait", gaits, "the gait"), TrainingColumn("startDate", .date, "when it began"),
      TrainingColumn("endDate", .date, "when it ended"), TrainingColumn("distance", metres, "metres"), ofRide,
    ])

  static let reinSegment = TrainingEntity(
    "ReinSegment", "A stretch of a ride on one rein.",
    [
      TrainingColumn("rein", .word(Rein.allCases.map(\.text)), "the inner rein"),
      TrainingColumn("startDate", .date, "when it began"), TrainingColumn("endDate", .date, "when it ended"), ofRide,
    ])

  static let gaitTransition = TrainingEntity(
    "GaitTransition", "A change of gait: where one segment ends and the next begins.",
    [
      TrainingColumn("fromGait", gaits, "before"), TrainingColumn("toGait", gaits, "after"),
      TrainingColumn("timestamp", .date, "when"), ofRide,
    ])

  static let rideScore = TrainingEntity(
    "RideScore", "What a judge gave a ride; the last one counts.",
    [TrainingColumn("score", score, "0 to 100"), TrainingColumn("recordedAt", .date, "when it was entered"), ofRide])

  static let shootingEnd = TrainingEntity(
    "ShootingEnd", "An end of shots.",
    [
      TrainingColumn("orderIndex", .integer(0...1_000), "from 0"),
      TrainingColumn("totalScore", .integer(0...100_000), "the sum of its shots"),
      TrainingColumn("session", .reference("ShootingSession", isPart: true), "the session"),
      .optional(
        "targetScanAnalysis", .reference("TargetScanAnalysis", isPart: false), "the newest scan of its target"),
    ])

  static let shot = TrainingEntity(
    "Shot", "A shot.",
    [
      TrainingColumn("orderIndex", .integer(0...1_000), "from 0 in its end"),
      TrainingColumn("score", .integer(0...10), "rings"), TrainingColumn("timestamp", .date, "when"),
      TrainingColumn("end", .reference("ShootingEnd", isPart: true), "the end"),
    ])
}

/// The athlete, skills and competitions.
extension TrainingEntity {
  static let disciplines = TrainingColumn.Kind.word(TrainingDiscipline.allCases.map(\.rawValue))
  static let name = TrainingColumn.Kind.text(200)
  static let seconds = TrainingColumn.Kind.real(0...1e9)
  static let metres = TrainingColumn.Kind.real(0...1e8)
  static let score = TrainingColumn.Kind.real(0...100)

  static let athleteProfile = TrainingEntity(
    "AthleteProfile", "The athlete. Averages are queried from the snapshots, and stored nowhere.",
    [TrainingColumn("name", name, "the athlete's name")])

  static let skillSnapshot = TrainingEntity(
    "SkillSnapshot", "What a session or an exercise shows of a skill.",
    [
      TrainingColumn("recordedAt", .date, "when it ended"),
      TrainingColumn(
        "domain", .text(40), "`rhythm`, `symmetry`, `stability`, of exercises also `balance` and their other subscores"),
      TrainingColumn("score", score, "0 to 100"),
      TrainingColumn("discipline", disciplines, "of the session"),
      .optional("sourceSessionID", .identifier, "the session, or the exercise"),
      TrainingColumn("sourceSessionType", .text(40), "its table"),
      .optional("contributingMetrics", .text(2_000), "the numbers behind the score, as a JSON object"),
      .optional("athleteProfile", .reference("AthleteProfile", isPart: false), "whose skill it is"),
    ])

  static let competition = TrainingEntity(
    "Competition", "A competition: a container of sessions. `stored…` are a cache of what these say.",
    [
      TrainingColumn("name", name, "its name"), TrainingColumn("date", .date, "when it is"),
      .optional("horse", .reference("Horse", isPart: false), "the horse that competes"),
      .optional("competitionRide", .reference("Ride", isPart: false), "the riding result"),
      .optional("competitionRunningSession", .reference("RunningSession", isPart: false), "the running result"),
      .optional("competitionSwimmingSession", .reference("SwimmingSession", isPart: false), "the swimming result"),
      .optional("competitionShootingSession", .reference("ShootingSession", isPart: false), "the shooting result"),
      .optional("storedShootingScore", .integer(0...100_000), "the session's total score"),
      .optional("storedSwimmingTime", seconds, "the session's time in seconds"),
      .optional("storedRunningTime", seconds, "the session's time in seconds"),
      .optional("storedRidingScore", score, "the ride's last score"),
    ])

  static let drillSession = TrainingEntity(
    "DrillSession", "An exercise of any discipline.",
    [
      TrainingColumn("startDate", .date, "when it began"), .optional("endDate", .date, "when it ended"),
      TrainingColumn("discipline", disciplines, "what is exercised"),
      TrainingColumn("drillType", .text(100), "the exercise"),
      TrainingColumn("difficultyLevel", .text(100), "in the athlete's words"),
      TrainingColumn("notes", .text(2_000), "in the athlete's words"),
      .optional("stability", score, "0 to 100"), .optional("symmetry", score, "0 to 100"),
      .optional("endurance", score, "0 to 100"), .optional("coordination", score, "0 to 100"),
      .optional("breathing", score, "0 to 100"), .optional("rhythm", score, "0 to 100"),
      .optional("reaction", score, "0 to 100"),
      .optional("averageGroupSize", .real(0...10_000), "of shooting, in millimetres"),
      .optional("shotCount", .integer(0...10_000), "of shooting"),
    ])

  static let drillSet = TrainingEntity(
    "DrillSet", "A set of an exercise.",
    [
      TrainingColumn("orderIndex", .integer(0...10_000), "from 0"), TrainingColumn("duration", seconds, "seconds"),
      .optional("reps", .integer(0...100_000), "repetitions"), .optional("score", score, "0 to 100"),
      TrainingColumn("session", .reference("DrillSession", isPart: true), "the exercise"),
    ])
}
