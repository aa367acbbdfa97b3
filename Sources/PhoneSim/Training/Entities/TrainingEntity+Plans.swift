import CoachProtocol

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
