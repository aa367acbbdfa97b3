import Console
import CoachProtocol
import Link
import LinkStore
import PhoneSim

/// A month's page of a long training history, compared with the same SQL, which reads the columns and builds nothing.
enum SessionsMeasurement: BenchMeasurement {
  static let name = "sessions"
  static let about = "a month's page of 100,000 training sessions in four tables"
  // One thread in one process.
  static let hasFreeFigures = false

  private static let hour: Int64 = 3_600_000_000_000

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let count = Int64(setting.pick(tiny: 2_000, quick: 100_000, full: 100_000))
    let folder = try BenchFolder.make()
    let database = try BareLoops.storing { () throws(StoreError) in try fill(folder.path, count: count) }
    let service = SessionQueryService(database)
    // A session an hour: a month in the middle, 720 of them.
    let query = SessionQuery(period: count / 2 * hour...(count / 2 + 719) * hour, countMax: 1_000)
    let times = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
      try BareLoops.storing { () throws(StoreError) in
        let begin = ContinuousClock.now
        let found = variant == 0 ? try service.sessions(query).count : try read(database, query)
        precondition(found == 720, "\(found) sessions of a month")
        return begin.secondsSince * 1e3
      }
    }
    return [
      BenchRow("a month's page", "ms", Spread(times[0]), .atMost(5)),
      BenchRow("plain SQL", "ms", Spread(times[1])),
      BenchRow("a month's page / plain SQL", "ratio", .ratio(times[0], to: times[1])),
    ]
  }

  /// Creates the store of a phone with this many sessions, a quarter of each discipline.
  private static func fill(_ folder: String, count: Int64) throws(StoreError) -> Database {
    let database = try StoreFile.open(folder: folder, DeviceStore<PhoneTables>.components)
    for (number, discipline) in TrainingDiscipline.allCases.enumerated() {
      try database.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT \(number) UNION ALL SELECT i + 4 FROM n WHERE i + 4 < \(count))
        INSERT INTO \(discipline.table) (id, startDate, endDate, name, totalDistance, totalDuration)
        SELECT printf('%08x-0000-4000-8000-%012x', i, i), i * \(hour), i * \(hour) + \(hour / 2), 'Session', 5000, 1800
        FROM n
        """)
    }
    return database
  }

  /// Reads the columns of each row, as a C program would.
  private static func read(_ database: Database, _ query: SessionQuery) throws(StoreError) -> Int {
    let statement = Statement(database, SessionQueryService.sql(query.discipline))
    statement.bind(query.period.lowerBound, at: 1)
    statement.bind(query.period.upperBound, at: 2)
    statement.bind("~", at: 3)
    statement.bind(query.countMax, at: 4)
    var count = 0
    var sum = 0.0
    while try statement.step() {
      count += 1
      sum += Double(statement.int64(2)) + Double(statement.int64(3)) + statement.double(5) + statement.double(6)
    }
    precondition(sum > 0, "rows without figures")
    return count
  }
}
