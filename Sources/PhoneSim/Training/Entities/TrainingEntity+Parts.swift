import CoachProtocol

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
