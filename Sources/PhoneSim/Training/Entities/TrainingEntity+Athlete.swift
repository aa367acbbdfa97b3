import CoachProtocol

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
