import CoachProtocol
import Foundation
import Link
import LinkTestSupport
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// Recorded data in a phone's store, through the machine that ingests in a run.
@Suite struct AppleDataImportTests {
  /// 2026-04-12T00:00:00Z.
  private static let midnight: Int64 = 1_775_952_000
  private static let clock = (midnight + 10 * 86_400) * 1_000_000_000

  /// Two local days of energy, and a night that two devices recorded; local time is two hours ahead.
  private static func data() -> RecordedAppleData {
    var data = RecordedAppleData(offset: 7_200)
    func add(
      _ type: AppleDataType, _ hours: ClosedRange<Double>, _ value: String = "", _ amount: Double, _ source: String
    ) {
      let times = [hours.lowerBound, hours.upperBound].map { midnight + Int64($0 * 3_600) }
      let isRead = data.add(type, start: times[0], end: times[1], value: value, amount: amount, source: source)
      #expect(isRead)
    }
    add(.calories, 8...9, "", 120.5, "watch")
    add(.calories, 9...10, "", 30, "watch")
    // Listed twice, as exports do.
    add(.calories, 9...10, "", 30, "watch")
    // 23:00 in UTC is the next local day.
    add(.calories, 23...23.5, "", 7, "watch")
    add(.sleep, 20...28, "core", 0, "watch")
    add(.sleep, 21...29, "core", 0, "phone")
    add(.sleep, 20...30, "inBed", 0, "phone")
    add(.exercise, 8...8.5, "", 30, "watch")
    return data
  }

  private static func record(in folder: String) throws -> IngestionRecord {
    var store = try DeviceStore<PhoneTables>(folder: folder)
    return try store.begin().app.ingestion
  }

  /// Imports the data into a phone's store, which is closed again.
  private static func ingest(_ data: RecordedAppleData, into folder: String) throws -> AppleDataImport.Summary {
    var phone = try AppleDataImport(data, clock: clock, folder: folder)
    return try phone.run()
  }

  private static func values(_ record: IngestionRecord) -> [String: [AppleMeasure: Double]] {
    Dictionary(
      uniqueKeysWithValues: record.actions.map { day, action in
        let values = AppleMeasure.allCases.compactMap { measure in action.values[measure].map { (measure, $0) } }
        return (day.text, Dictionary(uniqueKeysWithValues: values))
      })
  }

  private static let expected: [String: [AppleMeasure: Double]] = [
    "2026-04-12": [
      .caloriesBurned: 150.5, .exerciseMinutes: 30, .sleepHours: 9, .inBedHours: 10, .sleepEfficiency: 90,
    ],
    "2026-04-13": [.caloriesBurned: 7],
  ]

  @Test func `samples become the measures of their local days, each once`() throws {
    let folder = try TemporaryDirectory()
    let summary = try Self.ingest(Self.data(), into: folder.path + "/phone")
    #expect(summary.new == 4 && summary.parsed == 4 && summary.failed == 0)
    #expect(Self.values(try Self.record(in: folder.path + "/phone")) == Self.expected)
    let again = try Self.ingest(Self.data(), into: folder.path + "/phone")
    #expect(again.same == 4 && again.new == 0 && again.changed == 0 && again.parsed == 0)
    #expect(Self.values(try Self.record(in: folder.path + "/phone")) == Self.expected)
  }

  @Test func `a later export that moves a night to the evening before leaves one night`() throws {
    let folder = try TemporaryDirectory()
    var data = RecordedAppleData(offset: 0)
    for (source, hours) in [("phone", 24.5...31), ("watch", 23.5...31)] {
      let times = [hours.lowerBound, hours.upperBound].map { Self.midnight + Int64($0 * 3_600) }
      let isRead = data.add(.sleep, start: times[0], end: times[1], value: "core", amount: 0, source: source)
      #expect(isRead)
      _ = try Self.ingest(data, into: folder.path + "/phone")
    }
    let nights = try Self.record(in: folder.path + "/phone").actions.compactMapValues { $0.values[.sleepHours] }
    #expect(Dictionary(uniqueKeysWithValues: nights.map { ($0.text, $1) }) == ["2026-04-12": 7.5])
  }

  /// A name, hours of sleep since midnight of 12 April, and the hours asleep by day.
  @Test(
    arguments: [
      ("bed at 23:50", [23.8333...31], ["2026-04-12": 7.1667]),
      ("bed at 00:01", [24.0167...31], ["2026-04-13": 6.9833]),
      ("bed at 00:30", [24.5...31], ["2026-04-13": 6.5]),
      ("bed at 02:00", [26...31], ["2026-04-13": 5]),
      ("up at night", [23...26, 27.5...31], ["2026-04-12": 6.5]),
      ("a nap at ten", [23...30, 34...35], ["2026-04-12": 7, "2026-04-13": 1]),
      ("a nap, and bed at 00:30", [14...15, 24.5...31], ["2026-04-12": 1, "2026-04-13": 6.5]),
      ("two nights of one day", [0.5...7, 23.5...31], ["2026-04-12": 14]),
      // A device that is never taken off.
      ("no end", [0...20, 20...40, 40...50], ["2026-04-12": 40, "2026-04-13": 10]),
    ] as [(String, [ClosedRange<Double>], [String: Double])])
  func `a night counts for the day of its first sample`(
    name: String, sleep: [ClosedRange<Double>], expected: [String: Double]
  ) throws {
    var data = RecordedAppleData(offset: 7_200)
    for hours in sleep {
      let times = [hours.lowerBound, hours.upperBound].map { Self.midnight - 7_200 + Int64(($0 * 3_600).rounded()) }
      let isRead = data.add(.sleep, start: times[0], end: times[1], value: "core", amount: 0, source: "watch")
      #expect(isRead)
    }
    let folder = try TemporaryDirectory()
    _ = try Self.ingest(data, into: folder.path + "/phone")
    let asleep = Self.values(try Self.record(in: folder.path + "/phone")).compactMapValues { $0[.sleepHours] }
    #expect(asleep == expected, "\(name)")
  }

  /// The newest commit is in the log, as long as the store is open.
  private static func bytes(in folder: String) throws -> Data {
    try Data(contentsOf: URL(filePath: "\(folder)/\(StoreFile.name)"))
  }

  @Test func `the same export again leaves the file as it is`() throws {
    let folder = try TemporaryDirectory()
    _ = try Self.ingest(Self.data(), into: folder.path + "/phone")
    let before = try Self.bytes(in: folder.path + "/phone")
    _ = try Self.ingest(Self.data(), into: folder.path + "/phone")
    #expect(try Self.bytes(in: folder.path + "/phone") == before)
  }

  @Test func `the same records in another order, from another zone, with a device more, change no row`() throws {
    let folder = try TemporaryDirectory()
    _ = try Self.ingest(Self.data(), into: folder.path + "/phone")
    var data = RecordedAppleData(offset: 3_600)
    func add(_ type: AppleDataType, _ begin: Double, _ end: Double, _ value: String, _ amount: Double, _ source: String)
    {
      let times = [begin, end].map { Self.midnight + Int64($0 * 3_600) }
      _ = data.add(
        type, start: times[0], end: times[1], value: value, amount: amount, source: source, offset: 7_200)
    }
    add(.mindfulness, 100, 101, "notApplicable", 0, "ring")
    add(.exercise, 8, 8.5, "", 30, "watch")
    add(.sleep, 20, 30, "inBed", 0, "phone")
    add(.sleep, 21, 29, "core", 0, "phone")
    add(.sleep, 20, 28, "core", 0, "watch")
    add(.calories, 23, 23.5, "", 7, "watch")
    add(.calories, 9, 10, "", 30, "watch")
    add(.calories, 9, 10, "", 30, "watch")
    add(.calories, 8, 9, "", 120.5, "watch")
    let summary = try Self.ingest(data, into: folder.path + "/phone")
    #expect(summary.same == 4 && summary.new == 1 && summary.changed == 0)
  }

  @Test func `an export that reads the days in another zone adds no second row of a day`() throws {
    let folder = try TemporaryDirectory()
    func data(offset: Int64, by hours: Int64) -> RecordedAppleData {
      var data = RecordedAppleData(offset: offset)
      for type in [AppleDataType.calories, .exercise, .sleep] {
        let start = Self.midnight + (hours + 20) * 3_600
        _ = data.add(
          type, start: start, end: start + 3_600, value: type == .sleep ? "core" : "", amount: 60, source: "watch")
      }
      return data
    }
    _ = try Self.ingest(data(offset: 7_200, by: 0), into: folder.path + "/phone")
    let before = try Self.record(in: folder.path + "/phone")
    let summary = try Self.ingest(data(offset: 3_600, by: 1), into: folder.path + "/phone")
    let after = try Self.record(in: folder.path + "/phone")
    #expect(summary.changed == 3 && summary.new == 0)
    #expect(after.rows.keys.sorted() == before.rows.keys.sorted() && Self.values(after) == Self.values(before))
  }

  @Test func `two days that begin at one instant, on both sides of the date line, have a row each`() throws {
    let folder = try TemporaryDirectory()
    var data = RecordedAppleData(offset: 0)
    for (hours, offset) in [(12, -11), (40, 13)] as [(Int64, Int64)] {
      let start = Self.midnight + hours * 3_600
      _ = data.add(
        .exercise, start: start, end: start + 600, value: "", amount: 10, source: "w", offset: offset * 3_600)
    }
    let summary = try Self.ingest(data, into: folder.path + "/phone")
    let record = try Self.record(in: folder.path + "/phone")
    #expect(summary.new == 2 && record.rows.count == 2 && record.actions.count == 2)
    #expect(Set(record.rows.values.map(\.id)).count == 2)
    let again = try Self.ingest(data, into: folder.path + "/phone")
    #expect(again.same == 2)
  }

  @Test(arguments: [1, 3])
  func `an import that is cut at any step continues`(batchCount: Int) throws {
    var cut = 0
    var isCut = true
    while isCut {
      let folder = try TemporaryDirectory()
      do {
        var phone = try AppleDataImport(
          Self.data(), clock: Self.clock, folder: folder.path + "/phone", batchCount: batchCount)
        try phone.carryOut(.syncNow)
        for _ in 0..<cut where isCut { isCut = try phone.step() }
      }
      _ = try Self.ingest(Self.data(), into: folder.path + "/phone")
      let record = try Self.record(in: folder.path + "/phone")
      #expect(Self.values(record) == Self.expected, "cut after \(cut) steps")
      #expect(record.rows.count == 4 && record.rows.values.allSatisfy { $0.parsedAt != nil })
      cut += 1
    }
    #expect(cut > 5)
  }

  @Test func `a row that does not parse is kept with its reason`() throws {
    let folder = try TemporaryDirectory()
    var data = Self.data()
    let isRead = data.add(
      .sleep, start: Self.midnight + 72 * 3_600, end: Self.midnight + 73 * 3_600, value: "dozing", amount: 0,
      source: "")
    #expect(isRead)
    let summary = try Self.ingest(data, into: folder.path + "/phone")
    #expect(summary.failed == 1 && summary.parsed == 4)
    #expect(summary.failures.first?.reason == "found the value \"dozing\", expected a stage of sleep")
    #expect(Self.values(try Self.record(in: folder.path + "/phone")) == Self.expected)
  }
}
