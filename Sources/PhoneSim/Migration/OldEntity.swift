/// A table of TetraTrack's old shape, with its columns in order.
///
/// The old tables are not strict: whatever type a column declares, SQLite may hold any value in it, or none.
package struct OldEntity: Sendable {
  /// The table.
  package let name: String
  /// What a row is.
  package let about: String
  package let columns: [OldColumn]

  init(_ name: String, _ about: String, _ columns: [OldColumn]) {
    self.name = name
    self.about = about
    self.columns = [.text("id")] + columns
  }

  /// The statement that creates it.
  package var sql: String {
    "CREATE TABLE \(name) (\(columns.map { "\"\($0.name)\" \($0.type.rawValue)" }.joined(separator: ", ")))"
  }
}

/// A column of an ``OldEntity``.
package struct OldColumn: Sendable {
  /// The declared type.
  package enum Kind: String, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
  }

  package let name: String
  package let type: Kind

  static func text(_ name: String) -> Self { Self(name: name, type: .text) }
  static func integer(_ name: String) -> Self { Self(name: name, type: .integer) }
  static func real(_ name: String) -> Self { Self(name: name, type: .real) }
}

/// Every table of the old shape that the unified form replaces.
package enum OldCatalog {
  package static let all: [OldEntity] = [
    .locationPoint, .runningLocationPoint, .swimmingLocationPoint,
    .runningSplit, .swimmingLap,
    .runningInterval, .swimmingInterval, .workoutBlock,
    .ridingDrillSession, .shootingDrillSession, .unifiedDrillSession,
    .skillDomainScore, .oldCompetition, .trainingArtifact,
  ]
}

/// The old tables. Names are the founding document's; where it does not list a column, the one of the unified form.
///
/// Dates are integers, in nanoseconds since 1970, as in the rest of the store. Identifiers may have capital letters.
extension OldEntity {
  private static func points(_ name: String, of parent: String) -> OldEntity {
    OldEntity(
      name, "A point of a route.",
      [
        .real("latitude"), .real("longitude"), .real("altitude"), .integer("timestamp"), .real("horizontalAccuracy"),
        .real("speed"), .text(parent),
      ])
  }

  static let locationPoint = points("LocationPoint", of: "ride")
  static let runningLocationPoint = points("RunningLocationPoint", of: "runningSession")
  static let swimmingLocationPoint = points("SwimmingLocationPoint", of: "swimmingSession")

  static let runningSplit = OldEntity(
    "RunningSplit", "A kilometre of a run.",
    [
      .integer("orderIndex"), .real("distance"), .real("duration"), .real("cadence"), .real("heartRate"),
      .real("elevation"), .text("runningSession"),
    ])

  static let swimmingLap = OldEntity(
    "SwimmingLap", "A length of a swim.",
    [
      .integer("orderIndex"), .real("distance"), .real("duration"), .real("heartRate"), .integer("strokeCount"),
      .text("strokeType"), .text("swimmingSession"),
    ])

  private static let interval: [OldColumn] = [
    .integer("orderIndex"), .text("name"), .real("targetDistance"), .real("targetPace"), .real("targetDuration"),
    .real("restDuration"), .integer("isCompleted"), .real("actualDistance"), .real("actualDuration"),
  ]

  static let runningInterval = OldEntity(
    "RunningInterval", "A stretch of a run with a target.",
    interval + [.real("actualCadence"), .real("actualHeartRate"), .text("runningSession")])
  static let swimmingInterval = OldEntity(
    "SwimmingInterval", "A stretch of a swim with a target.",
    interval + [.integer("actualStrokes"), .text("swimmingSession")])
  static let workoutBlock = OldEntity(
    "WorkoutBlock", "A stretch of a planned ride.",
    interval + [.text("targetGait"), .text("intensity")] + (hasTemplates ? [.text("workoutTemplate")] : []))
  /// Whether the unified form has templates, to which blocks belong.
  static let hasTemplates = TrainingEntity.interval.columns.contains { $0.name == "workoutTemplate" }

  private static let drill: [OldColumn] = [
    .integer("startDate"), .integer("endDate"), .text("drillType"), .text("difficultyLevel"), .text("notes"),
  ]

  static let ridingDrillSession = OldEntity(
    "RidingDrillSession", "An exercise of riding.",
    drill + [.real("stability"), .real("symmetry"), .real("endurance"), .real("coordination"), .real("rhythm")])
  static let shootingDrillSession = OldEntity(
    "ShootingDrillSession", "An exercise of shooting.",
    drill + [
      .real("stability"), .real("breathing"), .real("reaction"), .real("averageGroupSize"), .integer("shotCount"),
    ])
  static let unifiedDrillSession = OldEntity(
    "UnifiedDrillSession", "An exercise of any discipline.",
    drill + [
      .text("discipline"), .real("stability"), .real("symmetry"), .real("endurance"), .real("coordination"),
      .real("breathing"), .real("rhythm"), .real("reaction"), .real("averageGroupSize"), .integer("shotCount"),
    ])

  static let skillDomainScore = OldEntity(
    "SkillDomainScore", "What a session shows of a skill, without the session's table.",
    [
      .integer("recordedAt"), .text("domain"), .real("score"), .text("discipline"), .text("sourceSessionId"),
      .text("contributingMetrics"), .text("athleteProfile"),
    ])

  /// The document's `Competition` before its change.
  ///
  /// The store has the new table of that name beside it.
  static let oldCompetition = OldEntity(
    "OldCompetition", "A competition with flat scores.",
    [
      .text("name"), .integer("date"), .text("horse"), .integer("shootingScore"), .real("swimmingTime"),
      .real("runningTime"), .real("ridingScore"),
    ])

  static let trainingArtifact = OldEntity(
    "TrainingArtifact", "What was shared of a session: copied fields.",
    [
      .text("sessionID"), .text("disciplineRaw"), .text("name"), .integer("startTime"), .integer("endTime"),
      .real("distance"), .text("disciplineData"),
    ])
}
