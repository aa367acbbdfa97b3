import Simulator
import Console
import Link
import LinkStore
import PhoneSim

/// A store of the old shape moved to the unified tables, compared with one plain `INSERT` for each table.
enum MigrateMeasurement: BenchMeasurement {
  static let name = "migrate"
  static let about = "1,000,000 points of the old shape moved into one table, compared and dropped"
  // One process with one thread.
  static let hasFreeFigures = false

  /// Points of a session.
  private static let perSession = 1_000

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let count = setting.pick(tiny: 4_000, quick: 1_000_000, full: 1_000_000)
    var peaks: [Double] = []
    // A round is long.
    let rounds = setting.pick(tiny: 1, quick: 3, full: 5)
    let seconds = try BenchRounds.run(rounds, variants: 2) { (variant) throws(Failure) in
      let folder = try BenchFolder.make()
      try BareLoops.storing { () throws(StoreError) in
        try OldStoreMaker.make(
          in: folder.path, .init(points: Int64(count), others: 0, sessions: Int64(count / perSession)))
      }
      let part = variant == 0 ? "migrate" : "migrate-raw"
      let numbers = try TimedChild.numbers(2, of: "the migration", [part, folder.path, "\(count)"])
      if variant == 0 { peaks.append(numbers[1] / 1_024) }
      return numbers[0]
    }
    let title = setting.length == .tiny ? "migrate \(count) points" : "migrate 1,000,000 points"
    return [
      BenchRow(title, "s", Spread(seconds[0]), .atMost(10)),
      BenchRow("its peak memory", "MiB", Spread(peaks), .atMost(64)),
      BenchRow("plain SQL", "s", Spread(seconds[1])),
      BenchRow("\(title) / plain SQL", "ratio", .ratio(seconds[0], to: seconds[1])),
    ]
  }

  // MARK: The other side

  /// Migrates, and writes the seconds and the peak memory in KiB to descriptor 3.
  static func runMachine(_ folder: String, points: Int) throws(Failure) {
    let begin = ContinuousClock.now
    try BareLoops.storing { () throws(StoreError) in
      let report = try OldShapeMigration(folder: folder).run(
        backup: "\(folder)/\(OldShapeMigration.backupName)")
      let moved = report.phases.flatMap(\.tables).reduce(0) { $0 + $1.moved }
      precondition(report.agrees && moved == points, "\(moved) points moved")
    }
    try TimedChild.report(since: begin)
  }

  /// Copies each table in one statement, unchecked, and drops it.
  static func runRaw(_ folder: String) throws(Failure) {
    let begin = ContinuousClock.now
    try BareLoops.storing { () throws(StoreError) in
      let database = try StoreFile.open(folder: folder, DeviceStore<PhoneTables>.components)
      let tables = [
        ("LocationPoint", "ride", "ride"), ("RunningLocationPoint", "runningSession", "run"),
        ("SwimmingLocationPoint", "swimmingSession", "swim"),
      ]
      for (table, part, word) in tables {
        let columns = "latitude, longitude, altitude, timestamp, horizontalAccuracy, speed"
        try database.execute(
          """
          INSERT INTO GPSPoint (id, \(columns), parentType, parentID, \(part))
          SELECT lower(id), \(columns), '\(word)', lower(\(part)), lower(\(part)) FROM \(table);
          DROP TABLE \(table)
          """)
      }
    }
    try TimedChild.report(since: begin)
  }
}
