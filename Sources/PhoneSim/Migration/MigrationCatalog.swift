import CoachProtocol

/// What becomes of each old table.
enum MigrationCatalog {
  static let all: [MigrationStep] = drills + [skills] + points + splits + intervals + [competitions, artifacts]

  /// Columns of the same name in both.
  private static func same(_ names: [String]) -> [(String, MigrationStep.Value)] { names.map { ($0, .column($0)) } }

  // MARK: B

  private static func drill(_ source: OldEntity, _ discipline: TrainingDiscipline?) -> MigrationStep {
    let own = source.columns.map(\.name).filter { $0 != "id" }
    return MigrationStep(
      .drills, source, to: .drillSession,
      same(own) + (discipline.map { [("discipline", .word($0.rawValue))] } ?? []))
  }

  private static let drills = [
    drill(.ridingDrillSession, .riding), drill(.shootingDrillSession, .shooting), drill(.unifiedDrillSession, nil),
  ]

  // MARK: C

  private static func holds(_ discipline: TrainingDiscipline) -> String {
    "EXISTS (SELECT 1 FROM \(discipline.table) s WHERE s.id = lower(o.sourceSessionId))"
  }
  private static let holders = TrainingDiscipline.allCases.map(holds).joined(separator: " + ")

  /// The type is the one of the four tables that has the session.
  private static let skills = MigrationStep(
    .skills, .skillDomainScore, to: .skillSnapshot,
    same(["recordedAt", "domain", "score", "discipline", "contributingMetrics"]) + [
      ("sourceSessionID", .column("sourceSessionId")), ("athleteProfile", .relation("athleteProfile")),
      (
        "sourceSessionType",
        .sql(
          "CASE WHEN \(holders) <> 1 THEN ''"
            + TrainingDiscipline.allCases.map { " WHEN \(holds($0)) THEN '\($0.table)'" }.joined() + " ELSE '' END")
      ),
    ],
    notes: [
      .init(
        condition: "o.sourceSessionId IS NOT NULL AND \(holders) = 0",
        reason: "sourceSessionId is no session, and sourceSessionType stays empty"),
      .init(
        condition: "\(holders) > 1",
        reason: "sourceSessionId is a session of several tables, and sourceSessionType stays empty"),
    ])

  // MARK: D

  private static let points = [
    (OldEntity.locationPoint, TrainingDiscipline.riding), (.runningLocationPoint, .running),
    (.swimmingLocationPoint, .swimming),
  ].map { source, discipline in
    let part = discipline.partColumn
    return MigrationStep(
      .points, source, to: .gpsPoint,
      same(["latitude", "longitude", "altitude", "timestamp", "horizontalAccuracy", "speed"]) + [
        ("parentType", .word(discipline.partWord ?? "")), ("parentID", .sql("lower(o.\(part))")), (part, .part(part)),
      ])
  }

  // MARK: E

  private static let splits = [
    MigrationStep(
      .splitsAndIntervals, .runningSplit, to: .split,
      same(["orderIndex", "distance", "duration", "cadence", "heartRate", "elevation"]) + [
        ("discipline", .word("run")), ("runningSession", .part("runningSession")),
      ]),
    MigrationStep(
      .splitsAndIntervals, .swimmingLap, to: .split,
      same(["orderIndex", "distance", "duration", "heartRate", "strokeCount", "strokeType"]) + [
        ("discipline", .word("swim")), ("swimmingSession", .part("swimmingSession")),
      ]),
  ]

  private static func interval(
    _ source: OldEntity, _ own: [String], _ values: [(String, MigrationStep.Value)]
  ) -> MigrationStep {
    let shared = [
      "orderIndex", "name", "targetDistance", "targetPace", "targetDuration", "restDuration", "isCompleted",
      "actualDistance", "actualDuration",
    ]
    return MigrationStep(.splitsAndIntervals, source, to: .interval, same(shared + own) + values)
  }

  private static let intervals = [
    interval(
      .runningInterval, ["actualCadence", "actualHeartRate"],
      [("discipline", .word("run")), ("runningSession", .part("runningSession"))]),
    interval(
      .swimmingInterval, ["actualStrokes"],
      [("discipline", .word("swim")), ("swimmingSession", .part("swimmingSession"))]),
    interval(
      .workoutBlock, ["targetGait", "intensity"],
      [("discipline", .word("ride"))]
        + (OldEntity.hasTemplates ? [("workoutTemplate", .relation("workoutTemplate"))] : [])),
  ]

  // MARK: F

  /// The old column with the result of a discipline.
  private static func flat(_ discipline: TrainingDiscipline) -> String {
    switch discipline {
    case .running: "runningTime"
    case .riding: "ridingScore"
    case .swimming: "swimmingTime"
    case .shooting: "shootingScore"
    }
  }

  /// Whether the session `s` has the competition's result; seconds and points agree to a thousandth, as caches do.
  private static func hasResult(_ discipline: TrainingDiscipline) -> String {
    let own =
      switch discipline {
      case .running, .swimming: "s.totalDuration"
      case .shooting: "s.totalScore"
      case .riding:
        "(SELECT r.score FROM RideScore r WHERE r.ride = s.id ORDER BY r.recordedAt DESC, r.rowid DESC LIMIT 1)"
      }
    return "abs(\(own) - o.\(flat(discipline))) < 0.0005"
  }

  private static let dayNanoseconds = 86_400_000_000_000

  /// The sessions `s` of the competition's day, in UTC, with its result.
  private static func candidates(_ discipline: TrainingDiscipline, _ columns: String) -> String {
    let day = "o.date / \(dayNanoseconds) * \(dayNanoseconds)"
    return "(SELECT \(columns) FROM \(discipline.table) s WHERE s.startDate >= \(day) "
      + "AND s.startDate < \(day) + \(dayNanoseconds) AND \(hasResult(discipline)))"
  }

  private static let competitions = MigrationStep(
    .competitions, .oldCompetition, to: .competition,
    same(["name", "date"]) + [("horse", .relation("horse"))]
      + TrainingDiscipline.allCases.flatMap { discipline -> [(String, MigrationStep.Value)] in
        [
          (discipline.cacheColumn, .column(flat(discipline))),
          (
            discipline.competitionColumn,
            .sql(candidates(discipline, "CASE WHEN count(*) = 1 THEN max(s.id) END"))
          ),
        ]
      },
    notes: TrainingDiscipline.allCases.flatMap { discipline -> [MigrationStep.Remark] in
      let flat = flat(discipline)
      return [("= 0", "no session"), ("> 1", "several sessions")].map { count, found in
        MigrationStep.Remark(
          condition: "o.\(flat) IS NOT NULL AND \(candidates(discipline, "count(*)")) \(count)",
          reason: "\(flat): \(found) of that day with this result, and none is linked")
      }
    })

  // MARK: G

  /// A column of the artifact's session; null if there is none.
  private static func session(_ column: String, of disciplines: [TrainingDiscipline] = TrainingDiscipline.allCases)
    -> String
  {
    "CASE o.disciplineRaw"
      + disciplines.map {
        " WHEN '\($0.rawValue)' THEN (SELECT s.\(column) FROM \($0.table) s WHERE s.id = lower(o.sessionID))"
      }.joined() + " END"
  }

  private static func drift(_ copy: String, _ column: String) -> MigrationStep.Remark {
    .init(condition: "(\(session(column))) IS o.\(copy)", reason: "\(copy) is not the session's \(column)")
  }

  /// Members of `disciplineData`: each is a column of the session.
  private static let data = [
    ("averageHeartRate", TrainingDiscipline.allCases), ("totalStrokes", [.swimming]), ("poolLength", [.swimming]),
    ("totalScore", [.shooting]),
  ]

  private static let artifacts = MigrationStep(
    .artifacts, .trainingArtifact, to: nil,
    conditions: [
      .init(
        condition: "(\(session("id"))) IS NOT NULL", reason: "sessionID is no session of the discipline"),
      drift("name", "name"), drift("startTime", "startDate"), drift("endTime", "endDate"),
      drift("distance", "totalDistance"),
      .init(
        condition: "CASE WHEN o.disciplineData IS NULL THEN 1 WHEN typeof(o.disciplineData) <> 'text' THEN 0 "
          + "WHEN NOT json_valid(o.disciplineData) THEN 0 WHEN json_type(o.disciplineData) <> 'object' THEN 0 "
          + "ELSE NOT EXISTS (SELECT 1 FROM json_each(o.disciplineData) j WHERE j.value IS NOT CASE j.key"
          + data.map { " WHEN '\($0.0)' THEN (\(session($0.0, of: $0.1)))" }.joined() + " END) END",
        reason: "disciplineData is not the session's"),
    ])
}
