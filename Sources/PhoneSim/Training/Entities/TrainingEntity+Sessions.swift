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
      .optional("actualStrokes", .integer(0...100_000), "of swimming"), .optional("targetGait", .text(20), "of riding"),
      .optional("intensity", .text(40), "of riding"),
      TrainingColumn("discipline", .word(["run", "swim", "ride"]), "whose interval it is"),
    ] + ofRunOrSwim + [
      .optional("workoutTemplate", .reference("WorkoutTemplate", isPart: true), "the planned workout it is part of"),
      .optional("ride", .reference("Ride", isPart: true), "the session of a `ride`"),
    ])
}
