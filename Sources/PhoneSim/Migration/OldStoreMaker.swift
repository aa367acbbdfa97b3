import CoachProtocol
package import Link
import LinkStore

/// Makes stores of the old shape, for tests and the benchmark.
///
/// Each discipline has a session a day; the old rows belong to them. Identifiers have capital letters and are scattered,
/// as random ones are.
package enum OldStoreMaker {
  /// How many rows there are.
  package struct Size: Sendable {
    /// Points of all routes.
    package var points: Int64
    /// Rows of each other old table.
    package var others: Int64
    /// Sessions of each discipline.
    package var sessions: Int64

    package init(points: Int64, others: Int64, sessions: Int64) {
      self.points = points
      self.others = others
      self.sessions = max(1, sessions)
    }
  }

  private static let day: Int64 = 86_400_000_000_000
  private static let begin: Int64 = 1_700_006_400_000_000_000

  /// Creates a phone's store with old tables, without the indexes that phase A brings.
  package static func make(in folder: String, _ size: Size) throws(StoreError) {
    let database = try StoreFile.open(folder: folder, DeviceStore<PhoneTables>.components)
    try database.transaction { () throws(StoreError) in
      for discipline in TrainingDiscipline.allCases { try database.execute("DROP INDEX \(discipline.table)ByDate") }
      for entity in OldCatalog.all { try database.execute(entity.sql) }
      try fillSessions(database, size)
      try fillPoints(database, size)
      try fillParts(database, size)
      try fillOthers(database, size)
    }
  }

  /// An identifier in SQL, of the row `number` of a kind.
  package static func identifier(_ kind: Int, _ number: String) -> String {
    "printf('%08X-%04X-4000-8000-%012X', ((\(number)) * 2654435761 + \(kind)) % 4294967296, \(kind), \(number))"
  }

  private static func session(_ discipline: TrainingDiscipline, _ number: String) -> String {
    identifier(TrainingDiscipline.allCases.firstIndex(of: discipline) ?? 0, number)
  }

  private static func insert(
    _ database: Database, _ table: String, _ columns: String, rows: Int64, _ values: String
  ) throws(StoreError) {
    guard rows > 0 else { return }
    try database.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows - 1))
      INSERT INTO \(table) (\(columns)) SELECT \(values) FROM n
      """)
  }

  private static func fillSessions(_ database: Database, _ size: Size) throws(StoreError) {
    for discipline in TrainingDiscipline.allCases {
      let own: (String, String) =
        switch discipline {
        case .shooting: (", totalScore", ", i % 500")
        case .swimming: (", totalStrokes, poolLength", ", 400 + i % 90, 25")
        case .running, .riding: ("", "")
        }
      try insert(
        database, discipline.table,
        "id, startDate, endDate, name, totalDistance, totalDuration, averageHeartRate\(own.0)", rows: size.sessions,
        """
        lower(\(session(discipline, "i"))), \(begin) + i * \(day), \(begin) + i * \(day) + 3600000000000, 'Session',
        5000 + i * 0.125, 1800 + i * 0.25, 120 + i % 60\(own.1)
        """)
    }
    try insert(
      database, "RideScore", "id, score, recordedAt, ride", rows: size.sessions,
      "lower(\(identifier(20, "i"))), 40 + i % 60, \(begin) + i * \(day), lower(\(session(.riding, "i")))")
    try insert(database, "AthleteProfile", "id, name", rows: 1, "lower(\(identifier(21, "0"))), 'Mia'")
    try insert(database, "Horse", "id, name", rows: 1, "lower(\(identifier(22, "0"))), 'Apollo'")
  }

  /// Three eighths of the points are of rides, a half of runs, an eighth of swims.
  private static func fillPoints(_ database: Database, _ size: Size) throws(StoreError) {
    let shares: [(OldEntity, TrainingDiscipline, Int64)] = [
      (.locationPoint, .riding, size.points / 8 * 3), (.swimmingLocationPoint, .swimming, size.points / 8),
      (.runningLocationPoint, .running, size.points - size.points / 8 * 4),
    ]
    for (index, (entity, discipline, rows)) in shares.enumerated() {
      // The points of a session follow each other.
      let parent = "i * \(size.sessions) / \(max(1, rows))"
      try insert(
        database, entity.name, entity.columns.map { "\"\($0.name)\"" }.joined(separator: ", "), rows: rows,
        """
        \(identifier(30 + index, "i")), 47.5 + i % 1000 * 0.00001, 8.25 + i % 700 * 0.00001, 400 + i % 50,
        \(begin) + i * 1000000000, 5, 2.5 + i % 10 * 0.1, \(session(discipline, parent))
        """)
    }
  }

  private static func fillParts(_ database: Database, _ size: Size) throws(StoreError) {
    let (run, swim) = (
      session(.running, "i % \(size.sessions)"), session(.swimming, "i % \(size.sessions)")
    )
    let columns = "id, orderIndex, distance, duration, heartRate"
    try insert(
      database, "RunningSplit", "\(columns), cadence, elevation, runningSession", rows: size.others,
      "\(identifier(40, "i")), i / \(size.sessions), 1000, 300.5 + i % 60, 150, 170, CASE i % 3 WHEN 0 THEN NULL ELSE 4.5 END, \(run)"
    )
    try insert(
      database, "SwimmingLap", "\(columns), strokeCount, strokeType, swimmingSession", rows: size.others,
      "\(identifier(41, "i")), i / \(size.sessions), 25, 31.25, NULL, 18 + i % 4, 'breaststroke', \(swim)")
    let interval = "id, orderIndex, name, targetDistance, restDuration, isCompleted, actualDistance, actualDuration"
    let values = "i / \(size.sessions), '400 m fast', 400, 30, i % 2, 398.5, 91.25"
    try insert(
      database, "RunningInterval", "\(interval), actualCadence, actualHeartRate, runningSession", rows: size.others,
      "\(identifier(42, "i")), \(values), 182, 171, \(run)")
    try insert(
      database, "SwimmingInterval", "\(interval), actualStrokes, swimmingSession", rows: size.others,
      "\(identifier(43, "i")), \(values), 160, \(swim)")
    try insert(
      database, "WorkoutBlock", "id, orderIndex, name, targetDuration, isCompleted, targetGait, intensity",
      rows: size.others, "\(identifier(44, "i")), i, 'Größe ' || i, 300, 0, 'trot', 'easy'")
  }

  private static func fillOthers(_ database: Database, _ size: Size) throws(StoreError) {
    let drill = "id, startDate, endDate, drillType, difficultyLevel, notes, stability"
    func values(_ kind: Int) -> String {
      "\(identifier(kind, "i")), \(begin) + i, \(begin) + i + 60, 'balance', 'medium', '', i % 100"
    }
    try insert(
      database, "RidingDrillSession", "\(drill), symmetry, rhythm", rows: size.others, "\(values(50)), 71.5, 60")
    try insert(
      database, "ShootingDrillSession", "\(drill), breathing, averageGroupSize, shotCount", rows: size.others,
      "\(values(51)), 80, 34.5, 20")
    try insert(
      database, "UnifiedDrillSession", "\(drill), discipline", rows: size.others, "\(values(52)), 'swimming'")
    let sources = TrainingDiscipline.allCases.enumerated().map { index, discipline in
      "WHEN \(index) THEN \(session(discipline, "i % \(size.sessions)"))"
    }
    try insert(
      database, "SkillDomainScore", "id, recordedAt, domain, score, discipline, sourceSessionId, athleteProfile",
      rows: size.others,
      """
      \(identifier(53, "i")), \(begin) + i, 'stability', 50.5, 'running', CASE i % 4 \(sources.joined(separator: " ")) END,
      \(identifier(21, "0"))
      """)
    // Each is on the day of the sessions that it is about; every fifth has a time that no run has.
    try insert(
      database, "OldCompetition", "id, name, date, horse, shootingScore, swimmingTime, runningTime, ridingScore",
      rows: min(size.others, size.sessions),
      """
      \(identifier(54, "i")), 'Tetrathlon ' || i, \(begin) + i * \(day) + 60, \(identifier(22, "0")), i % 500,
      1800 + i * 0.25, 1800 + i * 0.25 + (i % 5 = 0), CASE i % 2 WHEN 0 THEN 40 + i % 60 END
      """)
    // Every seventh has another name than its session.
    try insert(
      database, "TrainingArtifact", "id, sessionID, disciplineRaw, name, startTime, endTime, distance, disciplineData",
      rows: min(size.others, size.sessions),
      """
      \(identifier(55, "i")), \(session(.running, "i")), 'running', CASE i % 7 WHEN 0 THEN 'Mine' ELSE 'Session' END,
      \(begin) + i * \(day), \(begin) + i * \(day) + 3600000000000, 5000 + i * 0.125,
      json_object('averageHeartRate', 120 + i % 60)
      """)
  }
}
