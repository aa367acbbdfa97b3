import CoachProtocol
import Link
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// The migration from the old shape: what becomes of the rows.
@Suite struct MigrationTests {
  @Test(arguments: [1, 5, 1_000] as [Int64], [0, 1_000] as [Int64])
  func `counts and sums are equal, and the phone reads the result`(batchRows: Int64, indexedRowsMax: Int64) throws {
    let store = try OldStore(points: 90, others: 13, sessions: 6)
    // By other statements than the migration's own.
    let sums = [
      (
        """
        SELECT total(latitude) + 3 * total(longitude) + 7 * total(speed) + total(altitude) FROM (
        SELECT * FROM LocationPoint UNION ALL SELECT * FROM RunningLocationPoint
        UNION ALL SELECT * FROM SwimmingLocationPoint)
        """,
        "SELECT total(latitude) + 3 * total(longitude) + 7 * total(speed) + total(altitude) FROM GPSPoint"
      ),
      (
        "SELECT total(duration) FROM (SELECT duration FROM RunningSplit UNION ALL SELECT duration FROM SwimmingLap)",
        "SELECT total(duration) FROM Split"
      ),
      ("SELECT total(stability) FROM RidingDrillSession", "SELECT total(stability) / 3 FROM DrillSession"),
      ("SELECT total(runningTime) FROM OldCompetition", "SELECT total(storedRunningTime) FROM Competition"),
    ]
    var before: [Double] = []
    do {
      let database = try store.open()
      for (old, _) in sums { before.append(try #require(try Self.real(database, old))) }
    }
    let report = try store.migrate(batchRows: batchRows, indexedRowsMax: indexedRowsMax)
    #expect(report.agrees && report.phases.map(\.phase) == MigrationPhase.allCases)
    let tables = report.phases.flatMap(\.tables)
    #expect(tables.map(\.source).sorted() == OldCatalog.all.map(\.name).sorted())
    for table in tables { #expect(table.rows == table.moved + table.kept && table.rows > 0, "\(table)") }
    #expect(try store.oldTables() == [])
    do {
      let database = try store.open()
      for ((_, new), expected) in zip(sums, before) {
        let found = try #require(try Self.real(database, new))
        #expect(abs(found - expected) < 1e-6, "\(new)")
      }
      #expect(try StoreFile.findings(in: database) == [])
    }
    let record = try store.record()
    #expect(record.rows("GPSPoint").count == 90 && record.rows("Split").count == 26)
    #expect(record.rows("Interval").count == 39 && record.rows("DrillSession").count == 39)
    #expect(record.rows("SkillSnapshot").count == 13 && record.rows("Competition").count == 6)
  }

  private static func real(_ database: Database, _ sql: String) throws -> Double? {
    let statement = Statement(database, sql)
    return try statement.step() ? statement.double(0) : nil
  }

  @Test func `each row keeps its values, and gets discipline, type and reference`() throws {
    let store = try OldStore()
    var old: [(id: String, parent: String, latitude: Double, timestamp: Int64)] = []
    do {
      let database = try store.open()
      let rows = Statement(database, "SELECT id, ride, latitude, timestamp FROM LocationPoint")
      while try rows.step() { old.append((rows.text(0), rows.text(1), rows.double(2), rows.int64(3))) }
    }
    try store.migrate()
    let record = try store.record()
    #expect(old.count == 9)
    for row in old {
      let id = try #require(Identifier(text: row.id))
      let point = try #require(record.row("GPSPoint", id))
      #expect(point.text("parentType") == "ride" && point.identifier("parentID") == Identifier(text: row.parent))
      #expect(point.identifier("ride") == Identifier(text: row.parent) && point["runningSession"] == .null)
      #expect(point.real("latitude") == row.latitude && point.integer("timestamp") == row.timestamp)
    }
    #expect(Set(record.rows("Split").compactMap { $0.text("discipline") }) == ["run", "swim"])
    #expect(Set(record.rows("Interval").compactMap { $0.text("discipline") }) == ["run", "swim", "ride"])
    #expect(
      Set(record.rows("DrillSession").compactMap { $0.text("discipline") }) == ["riding", "shooting", "swimming"])
    #expect(record.rows("Interval").contains { $0.text("name") == "Größe 3" && $0.text("targetGait") == "trot" })
  }

  @Test func `the type of a skill's source is the table that has the session`() throws {
    let store = try OldStore()
    try store.migrate([.skills])
    let snapshots = try store.record().rows("SkillSnapshot")
    #expect(
      Set(snapshots.compactMap { $0.text("sourceSessionType") })
        == ["Ride", "RunningSession", "SwimmingSession", "ShootingSession"])
    let record = try store.record()
    for snapshot in snapshots {
      let id = try #require(snapshot.identifier("sourceSessionID"))
      #expect(record.row(snapshot.text("sourceSessionType") ?? "", id) != nil)
    }
  }

  @Test func `a competition refers to the one session of its day with its result`() throws {
    let store = try OldStore()
    // A second run of the second day with the same time, and one of a day later.
    try store.execute(
      """
      INSERT INTO RunningSession (id, startDate, endDate, name, totalDistance, totalDuration)
      SELECT '00000000-0000-4000-8000-000000000001', startDate + 5, endDate, name, 1, totalDuration FROM RunningSession
      ORDER BY startDate LIMIT 1 OFFSET 1;
      INSERT INTO RunningSession (id, startDate, endDate, name, totalDistance, totalDuration)
      SELECT '00000000-0000-4000-8000-000000000002', startDate + 86400000000000, endDate, name, 1, totalDuration
      FROM RunningSession ORDER BY startDate LIMIT 1 OFFSET 3;
      """)
    let table = try #require(try store.migrate([.queries, .competitions]).phases.last?.tables.first)
    #expect(table.moved == 6 && table.kept == 0)
    let reasons = Set(table.findings.map(\.reason))
    #expect(reasons.contains { $0.hasPrefix("runningTime: no session") })
    #expect(reasons.contains { $0.hasPrefix("runningTime: several sessions") })
    let record = try store.record()
    for row in record.rows("Competition") {
      let number = try #require(row.text("name").flatMap { Int($0.split(separator: " ")[1]) })
      // Every fifth has a time that no run has, and the second two runs.
      #expect((row.identifier("competitionRunningSession") == nil) == (number % 5 == 0 || number == 1), "\(number)")
      #expect(row.real("storedRunningTime") != nil && row.identifier("competitionShootingSession") != nil)
      #expect((row.identifier("competitionRide") == nil) == (row["storedRidingScore"] == .null))
      if let run = row.identifier("competitionRunningSession") {
        #expect(record.row("RunningSession", run)?.real("totalDuration") == row.real("storedRunningTime"))
      }
    }
  }

  @Test func `artifacts that drifted are reported, the others derived`() throws {
    let store = try OldStore(sessions: 30)
    try store.execute(
      """
      UPDATE TrainingArtifact SET disciplineData = '{"averageHeartRate":1}' WHERE rowid = 2;
      UPDATE TrainingArtifact SET disciplineData = '[' WHERE rowid = 3;
      UPDATE TrainingArtifact SET disciplineData = '{"mood":"good"}' WHERE rowid = 4;
      UPDATE TrainingArtifact SET disciplineRaw = 'riding' WHERE rowid = 5;
      UPDATE TrainingArtifact SET distance = distance + 0.5 WHERE rowid = 6;
      """)
    let report = try store.migrate()
    let table = try #require(report.phases.last?.tables.first)
    #expect(table.rows == 11 && table.kept == 7 && table.moved == 4)
    let found = Dictionary(uniqueKeysWithValues: table.findings.map { ($0.row, $0.reason) })
    #expect(found[1] == "name is not the session's name" && found[8] == "name is not the session's name")
    #expect(found[2] == "disciplineData is not the session's" && found[2] == found[3] && found[2] == found[4])
    #expect(found[5] == "sessionID is no session of the discipline")
    #expect(found[6] == "distance is not the session's totalDistance")
    // What was in them is still there.
    #expect(try store.number("SELECT count(*) FROM MigrationValue WHERE value = '{\"mood\":\"good\"}'") == 1)
    #expect(try store.oldTables() == [])
  }

  @Test func `a second time changes nothing`() throws {
    let store = try OldStore()
    try store.migrate()
    let content = try store.content()
    let again = try store.migrate()
    #expect(again.agrees && again.phases.allSatisfy { $0.tables.isEmpty && $0.newIndexes == 0 })
    #expect(try store.content() == content)
  }

  @Test func `a store without the old shape is left as it is`() throws {
    let directory = try TemporaryDirectory()
    do { _ = try StoreFile.open(folder: directory.path, DeviceStore<PhoneTables>.components) }
    let report = try OldShapeMigration(folder: directory.path).run()
    #expect(report.phases.isEmpty && report.agrees)
    let database = try StoreFile.open(folder: directory.path, DeviceStore<PhoneTables>.components)
    #expect(try database.number("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'Migration%'") == 0)
  }

  @Test(arguments: MigrationPhase.allCases)
  func `a phase alone changes its own tables only`(phase: MigrationPhase) throws {
    let store = try OldStore()
    guard phase != .artifacts else {
      // It needs the one before.
      let content = try store.content()
      #expect(throws: StoreError.self) { try store.migrate([phase]) }
      #expect(try store.content() == content)
      return
    }
    let report = try store.migrate([phase])
    #expect(report.agrees && report.phases.map(\.phase) == [phase])
    let own = Set(report.phases[0].tables.map(\.source))
    #expect(own.isEmpty == (phase == .queries) && report.phases[0].newIndexes == (phase == .queries ? 4 : 0))
    #expect(Set(try store.oldTables()) == Set(OldCatalog.all.map(\.name)).subtracting(own))
    // The app goes on between two phases.
    _ = try store.record()
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `phases in any order that is permitted come to the same`(seed: UInt64) throws {
    let whole = try OldStore()
    try whole.migrate()
    let store = try OldStore()
    let random = RandomStream(seed: seed, name: "order")
    var rest = MigrationPhase.allCases
    var order: [MigrationPhase] = []
    while !rest.isEmpty {
      let permitted = rest.filter { $0.dependency.map { !rest.contains($0) } ?? true }
      let next = permitted[Int(random.number(below: UInt64(permitted.count), for: UInt64(rest.count)))]
      rest.removeAll { $0 == next }
      order.append(next)
      try store.migrate([next])
    }
    func rows(_ content: [String]) -> [String] { content.filter { !$0.hasPrefix("Migration") } }
    #expect(rows(try store.content()) == rows(try whole.content()), "\(order)")
    #expect(
      try store.number("SELECT count(*) FROM MigrationFinding") == whole.number("SELECT count(*) FROM MigrationFinding")
    )
  }

  @Test func `figures that differ keep the old tables`() throws {
    let store = try OldStore()
    try store.execute(
      """
      CREATE TRIGGER spoil AFTER INSERT ON GPSPoint WHEN new.ride IS NOT NULL
      BEGIN UPDATE GPSPoint SET speed = speed * 2 WHERE id = new.id; END
      """)
    let report = try store.migrate()
    #expect(!report.agrees && report.phases.last?.phase == .points)
    let differences = report.phases.last?.tables.flatMap(\.differences) ?? []
    #expect(
      differences.count == 1 && differences[0].hasPrefix("LocationPoint.speed: sum 26."), "\(differences)")
    let left = try store.oldTables()
    #expect(
      left.contains("LocationPoint") && left.contains("RunningLocationPoint") && left.contains("TrainingArtifact"))
    // Again: nothing is copied twice.
    let content = try store.content()
    #expect(try !store.migrate().agrees)
    #expect(try store.content() == content)
    // Repaired by hand, it goes on.
    try store.execute("DROP TRIGGER spoil; UPDATE GPSPoint SET speed = speed / 2 WHERE ride IS NOT NULL")
    #expect(try store.migrate().agrees)
    #expect(try store.oldTables() == [])
  }

  @Test func `rows that vanish meanwhile are noticed`() throws {
    let store = try OldStore()
    var statements = 0
    #expect(throws: StoreError.self) {
      try store.migrate([.points]) { () throws(StoreError) in
        statements += 1
        if statements == 60 { throw StoreError(.system, "stopped") }
      }
    }
    #expect(try store.number("SELECT count(*) FROM GPSPoint") ?? 0 > 0)
    try store.execute("DELETE FROM GPSPoint WHERE rowid = 1; DELETE FROM RunningLocationPoint WHERE rowid = 12")
    let report = try store.migrate([.points])
    let differences = report.phases.last?.tables.flatMap(\.differences) ?? []
    #expect(differences.contains { $0.hasPrefix("LocationPoint: 9 rows to move, and 8 in GPSPoint") }, "\(differences)")
    #expect(differences.contains { $0.hasPrefix("RunningLocationPoint: 12 rows before, 11 now") }, "\(differences)")
    #expect(try store.oldTables().count == OldCatalog.all.count)
  }

  @Test func `the app's own rows between two attempts do not disturb the comparison`() throws {
    let store = try OldStore()
    var statements = 0
    #expect(throws: StoreError.self) {
      try store.migrate([.points]) { () throws(StoreError) in
        statements += 1
        if statements == 60 { throw StoreError(.system, "stopped") }
      }
    }
    try store.execute(
      """
      INSERT INTO GPSPoint (id, parentType, parentID, runningSession)
      SELECT '00000000-0000-4000-8000-000000000001', 'run', id, id FROM RunningSession LIMIT 1
      """)
    #expect(try store.migrate([.points]).agrees)
    #expect(try store.record().rows("GPSPoint").count == 25)
  }

  @Test func `the backup is a store of before, and is made once`() throws {
    let store = try OldStore()
    let other = try TemporaryDirectory()
    try store.migrate([.queries, .drills, .skills])
    let content = try store.content()
    let path = "\(other.path)/\(StoreFile.name)"
    #expect(try store.migrate(backup: path).backup == path)
    let database = try StoreFile.open(folder: other.path, DeviceStore<PhoneTables>.components)
    #expect(try OldStore.content(of: database) == content)
    // A phase that would make one keeps the one that is there.
    try store.execute(try #require(OldCatalog.all.first { $0.name == "RunningSplit" }).sql)
    #expect(try store.migrate(backup: path).backup == nil)
  }
}
