import CoachProtocol
import Simulator
import Console
import Link
import LinkStore
import PhoneSim

/// Records of Apple's stores fetched, staged, parsed and purged, compared with the same rows by plain SQL.
enum IngestMeasurement: BenchMeasurement {
  static let name = "ingest"
  static let about = "100,000 records of Apple's stores: staged, parsed into measures, purged"
  // One process with one thread.
  static let hasFreeFigures = false

  /// Samples of a type in a day, which are staged as one row; an athlete's watch makes more of them.
  private static let perRow = 10

  static func measure(_ setting: BenchSetting) throws(Failure) -> [BenchRow] {
    let count = setting.pick(tiny: 400, quick: 100_000, full: 100_000)
    var peaks: [Double] = []
    let seconds = try BenchRounds.run(setting.rounds, variants: 2) { (variant) throws(Failure) in
      let (seconds, peak) = try run(variant == 0 ? "ingest" : "ingest-raw", count, perRow)
      if variant == 0 { peaks.append(peak) }
      return seconds
    }
    // The most rows there can be: each with the one sample of a type and a day, for a lifetime of days. Once, since it
    // takes ten times as long.
    let (most, mostPeak) = try run("ingest", count, 1)
    return [
      BenchRow("staged, parsed and purged", "s", Spread(seconds[0]), .atMost(5)),
      BenchRow("its peak memory", "MiB", Spread(peaks), .atMost(64)),
      BenchRow("plain SQL", "s", Spread(seconds[1])),
      BenchRow("staged, parsed and purged / plain SQL", "ratio", .ratio(seconds[0], to: seconds[1])),
      BenchRow("a row for each record", "s", Spread([most]), .atMost(5)),
      BenchRow("peak memory with a row for each record", "MiB", Spread([mostPeak]), .atMost(64)),
    ]
  }

  /// The seconds and the peak memory in MiB of a child process.
  private static func run(_ part: String, _ count: Int, _ perRow: Int) throws(Failure) -> (
    seconds: Double, peak: Double
  ) {
    let numbers = try TimedChild.numbers(2, of: "the ingestion", [part, "\(count)", "\(perRow)"])
    return (numbers[0], numbers[1] / 1_024)
  }

  // MARK: The other side

  private static let types: [AppleDataType] = [.sleep, .calories, .exercise, .mindfulness]
  private static let day: Int64 = 86_400

  /// The values of a row's sample; times in seconds since 1970.
  private static func sample(
    _ type: AppleDataType, day number: Int, _ index: Int, of perRow: Int
  ) -> (start: Int64, end: Int64, value: String, amount: Double) {
    let length = day / Int64(perRow)
    let start = Int64(number) * day + Int64(type.periodStart.seconds) + Int64(index) * length
    let value = type == .sleep ? "core" : type == .mindfulness ? "notApplicable" : ""
    return (start, start + length / 2, value, Double(10 + (number + index) % 300))
  }

  /// Ingests, and writes the seconds and the peak memory in KiB to descriptor 3.
  static func runMachine(records: Int, perRow: Int) throws(Failure) {
    let folder = try BenchFolder.make()
    let days = records / types.count / perRow
    var data = RecordedAppleData(offset: 0)
    for number in 1...days {
      for type in types {
        for index in 0..<perRow {
          let (start, end, value, amount) = sample(type, day: number, index, of: perRow)
          _ = data.add(type, start: start, end: end, value: value, amount: amount, source: "Watch")
        }
      }
    }
    let begin = ContinuousClock.now
    try BareLoops.storing { () throws(StoreError) in
      let clock = Int64(days + 2) * day * 1_000_000_000
      var phone = try AppleDataImport(data, clock: clock, folder: folder.path)
      let summary = try phone.run()
      precondition(summary.parsed == days * types.count, "\(summary.parsed) rows parsed")
      try phone.purge()
      precondition(phone.rowCount == 0, "rows are left")
    }
    try TimedChild.report(since: begin)
  }

  /// Stages, marks and deletes rows with the same texts, and stores as many values, without the machine.
  static func runRaw(records: Int, perRow: Int) throws(Failure) {
    let folder = try BenchFolder.make()
    let days = records / types.count / perRow
    let json = String(repeating: "x", count: 150 * perRow)
    // Days whose rows an import changes in one transaction.
    let perPart = AppleDataImport.batchCount / types.count
    let begin = ContinuousClock.now
    try BareLoops.storing { () throws(StoreError) in
      let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
      let stage = Statement(
        database, "INSERT INTO appledata VALUES (?1, 'HealthKit', ?2, ?3, ?4, ?4, ?5, 0, NULL, ?3, ?3)")
      let mark = Statement(database, "UPDATE appledata SET parsed = 1, parsedAt = ?2 WHERE id = ?1")
      let act = Statement(database, "INSERT OR IGNORE INTO actions VALUES (?1, ?1, '', ?2)")
      let measure = Statement(database, "INSERT OR IGNORE INTO measures VALUES (?1, '', '', '', '', '')")
      let value = Statement(database, "INSERT INTO measuredActions VALUES (?1, ?2, 1.0, ?3)")
      let purge = Statement(database, "DELETE FROM appledata WHERE id = ?1")
      let date = "2026-04-12T06:30:00Z"
      func id(_ number: Int, _ type: AppleDataType) -> String { "00000000-0000-4000-\(type.rawValue)-\(number)" }
      /// Changes the rows of all days, in transactions of the size of an import's.
      func change(_ body: (Int, AppleDataType) throws(StoreError) -> Void) throws(StoreError) {
        for first in stride(from: 1, through: days, by: perPart) {
          try database.transaction { () throws(StoreError) in
            for number in first...min(first + perPart - 1, days) { for type in types { try body(number, type) } }
          }
        }
      }
      try change { (number, type) throws(StoreError) in
        stage.bind(id(number, type), at: 1)
        stage.bind(type.rawValue, at: 2)
        stage.bind(date, at: 3)
        stage.bind("\(LocalDay(Int64(number)).text)T00:00:00+00:00", at: 4)
        stage.bind(json, at: 5)
        try stage.run()
      }
      try change { (number, type) throws(StoreError) in
        mark.bind(id(number, type), at: 1)
        mark.bind(date, at: 2)
        try mark.run()
        act.bind(LocalDay(Int64(number)).text, at: 1)
        act.bind(date, at: 2)
        try act.run()
        for one in type.measures {
          measure.bind(one.rawValue, at: 1)
          try measure.run()
          value.bind(LocalDay(Int64(number)).text, at: 1)
          value.bind(one.rawValue, at: 2)
          value.bind(date, at: 3)
          try value.run()
        }
      }
      try change { (number, type) throws(StoreError) in
        purge.bind(id(number, type), at: 1)
        try purge.run()
      }
    }
    try TimedChild.report(since: begin)
  }
}
