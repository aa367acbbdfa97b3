import CoachProtocol
import Link
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// Old rows that the unified tables cannot hold.
@Suite struct MigrationHostileTests {
  private static let id = "'ABCDEF00-0000-4000-8000-00000000000"

  @Test func `each is kept with all its values and a reason, and the phone reads the rest`() throws {
    let store = try OldStore(points: 80, others: 5, sessions: 5)
    let good = "47.5, 8.5, 400, 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)"
    let bad: [(values: String, reason: String)] = [
      ("\(Self.id)1', NULL, 8.5, 400, 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "latitude"),
      ("\(Self.id)2', 'north', 8.5, 400, 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "latitude"),
      ("\(Self.id)3', 47.5, 9e999, 400, 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "longitude"),
      ("\(Self.id)4', 47.5, -9e999, 400, 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "longitude"),
      ("\(Self.id)5', 47.5, 8.5, 1e300, 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "altitude"),
      ("\(Self.id)6', 47.5, 8.5, x'00ff', 5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "altitude"),
      ("\(Self.id)7', 47.5, 8.5, 400, 0.5, 5, 2.5, (SELECT id FROM RunningSession LIMIT 1)", "timestamp"),
      ("\(Self.id)8', 47.5, 8.5, 400, 5, 5, 9223372036854775807, (SELECT id FROM RunningSession LIMIT 1)", "speed"),
      ("\(Self.id)9', 47.5, 8.5, 400, 5, 5, 2.5, NULL", "runningSession"),
      ("\(Self.id)A', 47.5, 8.5, 400, 5, 5, 2.5, 'nobody'", "runningSession"),
      ("\(Self.id)B', 47.5, 8.5, 400, 5, 5, 2.5, x'61'", "runningSession"),
      ("NULL, \(good)", "id"), ("7, \(good)", "id"), ("'7', \(good)", "id"), ("x'61', \(good)", "id"),
      ("\(Self.id)C' || char(0) || 'x', \(good)", "id"),
      // Of those with one identifier, the first is moved.
      ("(SELECT id FROM RunningLocationPoint WHERE rowid = 3), \(good)", "its id"),
      ("lower((SELECT id FROM RunningLocationPoint WHERE rowid = 30)), \(good)", "its id"),
      ("(SELECT id FROM LocationPoint LIMIT 1), \(good)", "its id"),
    ]
    let columns = "id, latitude, longitude, altitude, timestamp, horizontalAccuracy, speed, runningSession"
    do {
      let database = try store.open()
      for (values, _) in bad {
        try database.execute("INSERT INTO RunningLocationPoint (\(columns)) VALUES (\(values))")
      }
      // NaN: SQLite stores it as null.
      let nan = Statement(
        database, "INSERT INTO RunningLocationPoint (\(columns)) VALUES (\(Self.id)D', ?1, 8.5, 400, 5, 5, 2.5, NULL)")
      nan.bind(Double.nan, at: 1)
      try nan.run()
      try database.execute("UPDATE RunningLocationPoint SET rowid = -5 WHERE rowid = 2")
      try database.execute("UPDATE RunningLocationPoint SET rowid = 9223372036854775807 WHERE rowid = 1")
    }
    for batchRows in [1, 7, 1_000] as [Int64] {
      let copy = try TemporaryDirectory()
      _ = try StoreFile.backUp(store.open(), to: "\(copy.path)/\(StoreFile.name)")
      let report = try OldShapeMigration(folder: copy.path, batchRows: batchRows).run([.points])
      #expect(report.agrees, "\(report.phases.flatMap(\.tables).flatMap(\.differences))")
      let table = try #require(report.phases[0].tables.first { $0.source == "RunningLocationPoint" })
      #expect(table.kept == Int64(bad.count + 1) && table.moved == 40 && table.rows == table.kept + table.moved)
      for (finding, expected) in zip(table.findings, bad.map(\.reason) + ["latitude"]) {
        #expect(finding.reason.hasPrefix(expected) && !finding.isMoved, "\(finding)")
      }
      let migrated = try StoreFile.open(folder: copy.path, DeviceStore<PhoneTables>.components)
      func count(_ value: String) throws -> Int64? {
        try migrated.number("SELECT count(*) FROM MigrationValue WHERE value IS \(value)")
      }
      #expect(try count("x'00ff'") == 1 && count("9e999") == 1 && count("-9e999") == 1)
      #expect(try count("9223372036854775807.0") == 1 && count("'nobody'") == 1)
      let values = try migrated.number("SELECT count(*) FROM MigrationValue")
      #expect(values == Int64((bad.count + 1) * 8))
      #expect(try StoreFile.findings(in: migrated) == [])
    }
    try store.migrate()
    #expect(try store.record().rows("GPSPoint").count == 80)
  }

  @Test func `texts that are too long, or no UTF-8, are kept; lost relations become empty and are reported`() throws {
    let store = try OldStore()
    try store.execute(
      """
      UPDATE UnifiedDrillSession SET discipline = 'chess' WHERE rowid = 1;
      UPDATE UnifiedDrillSession SET notes = NULL WHERE rowid = 2;
      UPDATE UnifiedDrillSession SET drillType = CAST(x'616263ff' AS TEXT) WHERE rowid = 3;
      UPDATE UnifiedDrillSession SET drillType = replace(hex(zeroblob(40)), '00', 'äää') WHERE rowid = 4;
      UPDATE UnifiedDrillSession SET drillType = 'a' || char(0) || 'b' WHERE rowid = 5;
      UPDATE UnifiedDrillSession SET drillType = 'Größe' WHERE rowid = 6;
      UPDATE SkillDomainScore SET sourceSessionId = '00000000-0000-4000-8000-000000000001' WHERE rowid = 1;
      UPDATE SkillDomainScore SET sourceSessionId = NULL WHERE rowid = 2;
      UPDATE SkillDomainScore SET athleteProfile = 'nobody' WHERE rowid = 3;
      UPDATE SkillDomainScore SET score = 101 WHERE rowid = 4;
      INSERT INTO Ride SELECT id, startDate, endDate, name, 1, 1, NULL, NULL, NULL, NULL, NULL FROM RunningSession
        WHERE id = (SELECT lower(sourceSessionId) FROM SkillDomainScore WHERE rowid = 5);
      UPDATE OldCompetition SET horse = 'nobody', date = 9223372036854775807 WHERE rowid = 1;
      UPDATE OldCompetition SET shootingScore = 2.5 WHERE rowid = 2;
      UPDATE SwimmingLap SET strokeType = 'paddling' WHERE rowid = 1;
      UPDATE RunningSplit SET cadence = 'x' WHERE rowid = 2;
      """)
    let report = try store.migrate()
    #expect(report.agrees)
    func findings(_ source: String) -> [Int64: String] {
      let table = report.phases.flatMap(\.tables).first { $0.source == source }
      return Dictionary(table?.findings.map { ($0.row, $0.reason) } ?? []) { first, _ in first }
    }
    let drills = findings("UnifiedDrillSession")
    #expect(drills.keys.sorted() == [1, 2, 3, 4])
    #expect(drills[3] == "drillType is not UTF-8" && drills[1]?.hasPrefix("discipline is not one of") == true)
    #expect(findings("SkillDomainScore")[1]?.hasPrefix("sourceSessionId is no session,") == true)
    #expect(findings("SkillDomainScore")[2] == nil)
    #expect(findings("SkillDomainScore")[3] == "athleteProfile is no row of AthleteProfile, and stays empty")
    #expect(findings("SkillDomainScore")[4] == "score is not a number from 0.0 to 100.0")
    #expect(findings("SkillDomainScore")[5]?.hasPrefix("sourceSessionId is a session of several tables") == true)
    #expect(findings("OldCompetition")[1] == "horse is no row of Horse, and stays empty")
    #expect(findings("OldCompetition")[2]?.hasPrefix("shootingScore is not an integer") == true)
    #expect(findings("SwimmingLap")[1]?.hasPrefix("strokeType is not one of freestyle") == true)
    #expect(findings("RunningSplit")[2]?.hasPrefix("cadence is not a number") == true)
    let record = try store.record()
    #expect(record.rows("SkillSnapshot").count == 10 && record.rows("DrillSession").count == 29)
    #expect(record.rows("DrillSession").contains { $0.text("drillType") == "Größe" })
    #expect(record.rows("SkillSnapshot").count { $0.text("sourceSessionType") == "" } == 3)
    #expect(try store.number("SELECT count(*) FROM MigrationValue WHERE CAST(value AS BLOB) = x'616263ff'") == 1)
  }

  @Test(arguments: [
    ("ALTER TABLE RunningSplit DROP COLUMN cadence", "RunningSplit has no column cadence"),
    ("ALTER TABLE RunningSplit ADD COLUMN mood TEXT", "RunningSplit has a column mood"),
    ("DROP TABLE RunningSplit; CREATE VIEW RunningSplit AS SELECT * FROM Split", "RunningSplit is no table"),
    ("INSERT INTO SchemaVersion VALUES ('migration', 2)", "migration has version 2"),
  ])
  func `a table that is not the old shape's is refused, and nothing changes`(sql: String, expected: String) throws {
    let store = try OldStore()
    try store.execute(sql)
    let content = try store.content()
    var text = ""
    do { try store.migrate() } catch let error as StoreError { text = error.text }
    #expect(text.contains(expected), "\(text)")
    #expect(try store.content() == content)
  }

  @Test func `what the database lets through, the phone reads`() throws {
    // Values at and beside every bound of every column that is copied.
    for step in MigrationCatalog.all {
      guard let target = step.target else { continue }
      for (column, value) in step.values {
        guard case .column(let name) = value else { continue }
        let store = try OldStore(points: 80, others: 20, sessions: 20)
        let values: [String] =
          switch column.kind {
          case .integer(let bounds):
            [
              "\(bounds.lowerBound)", "\(bounds.upperBound)", "\(bounds.lowerBound - 1)", "\(bounds.upperBound + 1)",
              "0.5", "9e999",
            ]
          case .real(let bounds):
            [
              "\(bounds.lowerBound)", "\(bounds.upperBound)", "\(bounds.lowerBound.nextDown)",
              "\(bounds.upperBound.nextUp)", "9e999", "x'01'",
            ]
          case .text(let bytes): ["''", "printf('%.*c', \(bytes), 'x')", "printf('%.*c', \(bytes + 1), 'x')", "x'01'"]
          case .json(let bytes): ["'{}'", "printf('[%.*c]', \(bytes), '1')", "'{'", "x'01'"]
          case .date: ["-9223372036854775808", "9223372036854775807", "0.5", "'x'"]
          case .word, .identifier, .reference: ["''", "'x'", "5", "x'01'"]
          }
        for (row, value) in (values + ["NULL"]).enumerated() {
          try store.execute("UPDATE \(step.source.name) SET \"\(name)\" = \(value) WHERE rowid = \(row + 1)")
        }
        let report = try store.migrate(Set(MigrationPhase.allCases))
        #expect(report.agrees, "\(step.source.name).\(name)")
        let table = try #require(report.phases.flatMap(\.tables).first { $0.source == step.source.name })
        #expect(table.kept > 0 && table.moved > 0, "\(target.name).\(name)")
        _ = try store.record()
      }
    }
  }
}
