import CoachProtocol
import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// The machine over a store in memory and one on disk: what it is restored from is what it had.
@Suite struct IngestionStoreTests {
  private typealias Store = DeviceStore<PhoneTables>

  /// An ingestion driven by its deadlines, with every change stored.
  private struct Device {
    var machine: Ingestion
    var memory = MemoryPhoneStore()
    var events: [any TraceEventKind] = []
    /// The changes of each commit.
    var commits: [[PhoneChange]] = []
    static let startedAt: Int64 = 1_776_000_000_000_000_000
    /// What local time adds to UTC, in seconds, at the beginning of every day.
    var offset: Int64 = 7_200
    let health: PhoneHealth

    init(_ setup: IngestionSetup, plants: Plants = [], zone: LocalOffsets? = nil) {
      machine = Ingestion(
        seed: 5, setup: setup, restoring: IngestionRecord(), plants: plants, startedAt: .start,
        runStartedAt: Self.startedAt, zone: zone)
      let home = [WallHour.Offset(from: .start, seconds: 7_200)]
      health = PhoneHealth(seed: 5, startedAt: Self.startedAt, offsets: home, ingestion: setup)
    }

    func moment(_ now: VirtualTime) -> Ingestion.Moment {
      let clock = Self.startedAt + now.nanoseconds
      return Ingestion.Moment(now: now, clock: clock, truth: clock, offset: offset, health: health)
    }

    mutating func take(_ orders: Ingestion.Orders) {
      events += orders.events
      guard !orders.changes.isEmpty else { return }
      commits.append(orders.changes.map { .rare(.ingestion($0)) })
      #expect(throws: Never.self) { try memory.commit([], commits[commits.count - 1]) }
    }

    mutating func run(to end: VirtualTime) {
      while let next = machine.nextDeadline, next <= end {
        var orders = Ingestion.Orders()
        machine.fire(moment(next), into: &orders)
        take(orders)
      }
    }

    mutating func order(_ command: IngestionCommand, at now: VirtualTime) -> String? {
      var orders = Ingestion.Orders()
      let reason = machine.carryOut(command, moment(now), into: &orders)
      take(orders)
      return reason
    }
  }

  private static func busySetup() -> IngestionSetup {
    var setup = IngestionSetup()
    setup.historyDays = 9
    setup.failures = [StoreFailure(.newFormat, type: .sleep), StoreFailure(.twice, type: .calendar)]
    return setup
  }

  /// A busy day: a sync, a purge, a week again, an update, and choices of the user.
  private static func busyDevice() -> Device {
    var device = Device(busySetup())
    device.run(to: .start + .seconds(20))
    _ = device.order(.setRetention([.calories], .hours(1)), at: .start + .seconds(20))
    _ = device.order(.purgeNow, at: .start + .seconds(21))
    _ = device.order(.setIngestion(.reminders, isOn: false), at: .start + .seconds(22))
    _ = device.order(.refetchWeek, at: .start + .seconds(23))
    device.run(to: .start + .seconds(40))
    _ = device.order(.updateParser, at: .start + .seconds(41))
    device.run(to: .start + .seconds(3_700))
    return device
  }

  @Test func `what is stored on disk is what is stored in memory, and what the machine has`() throws {
    let device = Self.busyDevice()
    let folder = try TemporaryDirectory()
    do {
      var store = try Store(folder: folder.path)
      _ = try store.begin()
      for commit in device.commits { try store.commit([], commit) }
    }
    // The first one is closed: a store has one process, and one connection.
    var store = try Store(folder: folder.path)
    let found = try store.begin().app.ingestion
    #expect(found == device.memory.record.ingestion)
    #expect(found == device.machine.record)
    #expect(found.parserVersion == 2 && found.off == [.reminders] && found.actions.count == 10)
  }

  @Test func `what may not be read is known after a restart, and told when it changes`() throws {
    func failure(_ effect: StoreFailure.Effect, _ type: AppleDataType, hours: ClosedRange<Int64>) -> StoreFailure {
      var failure = StoreFailure(effect, type: type)
      failure.begin = .start + .hours(hours.lowerBound)
      failure.length = .hours(hours.upperBound - hours.lowerBound)
      return failure
    }
    var setup = IngestionSetup()
    setup.every = .hours(1)
    setup.failures = [
      failure(.denied, .sleep, hours: 0...4), failure(.denied, .calories, hours: 3...5),
      failure(.unavailable, .calendar, hours: 2...6),
    ]
    var device = Device(setup)
    device.run(to: .start + .milliseconds(210 * 60_000))
    #expect(device.machine.record.access == [.sleep: .denied, .calories: .revoked, .calendar: .unavailable])
    #expect(device.machine.record.alerts.count == 3)
    let folder = try TemporaryDirectory()
    var store = try Store(folder: folder.path)
    _ = try store.begin()
    for commit in device.commits { try store.commit([], commit) }
    #expect(try store.begin().app.ingestion == device.machine.record)
    device.run(to: .start + .hours(8))
    #expect(device.machine.record.access.isEmpty && device.machine.record.alerts.isEmpty)
    let told = device.events.compactMap { $0 as? IngestionAccess }.map { "\($0.type) \($0.status)" }
    #expect(
      told.sorted() == [
        "calendar granted", "calendar unavailable", "calories granted", "calories revoked", "sleep denied",
        "sleep granted",
      ])
  }

  /// A flight across the date line or over an ocean, a change of the clocks, and a plant that stores a second row.
  @Test(
    arguments: [(-14_400, []), (46_800, []), (-39_600, []), (3_600, []), (7_200, [.stagedTwice])] as [(Int64, Plants)])
  func `a day fetched again elsewhere keeps its row, and no two rows have one identifier`(
    offset: Int64, plants: Plants
  ) throws {
    let landing = VirtualTime.start + .hours(3)
    let zone = LocalOffsets(
      startedAt: Device.startedAt,
      [WallHour.Offset(from: .start, seconds: 7_200), WallHour.Offset(from: landing, seconds: offset)])
    var setup = IngestionSetup()
    setup.historyDays = 3
    var device = Device(setup, plants: plants, zone: zone)
    device.run(to: .start + .hours(1))
    let before = device.machine.record.rows
    device.offset = offset
    _ = device.order(.syncNow, at: landing + .hours(1))
    _ = device.order(.refetchWeek, at: landing + .hours(2))
    device.run(to: landing + .hours(40))
    let after = device.machine.record.rows
    #expect(before.keys.allSatisfy { after[$0]?.id == before[$0]?.id && after[$0]?.day == before[$0]?.day })
    #expect(Set(after.values.map(\.id)).count == after.count)
    let days = Set(after.values.map { "\($0.type) \($0.day.text)" })
    #expect(plants.isEmpty ? days.count == after.count : days.count < after.count)
    let folder = try TemporaryDirectory()
    var store = try Store(folder: folder.path)
    _ = try store.begin()
    for commit in device.commits { try store.commit([], commit) }
    #expect(try store.begin().app.ingestion == device.machine.record)
  }

  @Test func `wherever the log ends, the store is that of a commit, and its references hold`() throws {
    let device = Self.busyDevice()
    let root = try TemporaryDirectory()
    let folder = "\(root.path)/whole"
    // Its end empties the log, which then has the device's commits only, and not the tables' creation.
    do {
      var made = try Store(folder: folder)
      _ = try made.begin()
    }
    var store = try Store(folder: folder)
    _ = try store.begin()
    var record = IngestionRecord()
    var known = [record]
    for commit in device.commits {
      try store.commit([], commit)
      for case .rare(.ingestion(let change)) in commit { record.apply(change) }
      known.append(record)
    }
    let log = try Data(contentsOf: URL(filePath: "\(folder)/\(StoreFile.name)-wal"))
    // A page and its head; a prime step meets ends of every kind.
    let ends = stride(from: 32, through: log.count, by: (24 + 4_096) * 7)
    var seen: Set<Int> = []
    for end in ends {
      let copy = "\(root.path)/copy"
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: "\(folder)/\(StoreFile.name)", toPath: "\(copy)/\(StoreFile.name)")
      try log.prefix(end).write(to: URL(filePath: "\(copy)/\(StoreFile.name)-wal"))
      do {
        let database = try StoreFile.open(folder: copy, Store.components)
        #expect(try StoreFile.findings(in: database) == [], "cut at \(end)")
        var found = try Store(database)
        let kept = try found.begin().app.ingestion
        seen.insert(try #require(known.lastIndex(of: kept), "cut at \(end): the state of no commit"))
      }
      try FileManager.default.removeItem(atPath: copy)
    }
    #expect(seen.count > 10)
  }

  @Test func `the document's indexes serve batch and purge, and a duplicate has no second row`() throws {
    let folder = try TemporaryDirectory()
    let database = try StoreFile.open(folder: folder.path, Store.components)
    func plan(_ sql: String) throws -> String {
      let statement = Statement(database, "EXPLAIN QUERY PLAN \(sql)")
      var text = ""
      while try statement.step() { text += statement.text(3) + "\n" }
      return text
    }
    #expect(
      try plan("SELECT id FROM appledata WHERE parsed = 0 AND sourceSDK = 'HealthKit' LIMIT 100")
        .contains("idx_appledata_parsed"))
    #expect(
      try plan(
        "DELETE FROM appledata INDEXED BY idx_appledata_purge WHERE purgeAfter < '2026-04-12T00:00:00Z' AND parsed = 1"
      )
      .contains("idx_appledata_purge"))
    let row = "'HealthKit', 'sleep', '', '2026-04-12T12:00:00+02:00', '', '[]', 0, NULL, NULL, ''"
    try database.execute("INSERT INTO appledata VALUES ('a', \(row))")
    #expect(throws: StoreError.self) { try database.execute("INSERT INTO appledata VALUES ('b', \(row))") }
  }

  @Test func `a purge and a week fetched again leave the same measures`() {
    var device = Device(IngestionSetup())
    device.run(to: .start + .seconds(20))
    let before = device.machine.record.actions
    #expect(before.count == 8 && device.machine.record.rows.count == 48)
    _ = device.order(.purgeNow, at: .start + .seconds(21))
    #expect(device.machine.record.rows.isEmpty && device.machine.record.actions == before)
    _ = device.order(.refetchWeek, at: .start + .seconds(22))
    device.run(to: .start + .seconds(40))
    #expect(device.machine.record.rows.count == 42 && device.machine.record.actions == before)
  }

  @Test func `a batch has at most 100 rows, and fetching does not wait for it`() {
    var setup = IngestionSetup()
    setup.historyDays = 100
    setup.latency = .milliseconds(1)
    var device = Device(setup)
    device.run(to: .start + .milliseconds(900))
    #expect(device.events.count { $0 is IngestionStaged } == 606)
    #expect(device.events.count { $0 is IngestionParsed } == 0)
    device.run(to: .start + .milliseconds(1_500))
    #expect(device.events.count { $0 is IngestionParsed } == 100)
    device.run(to: .start + .seconds(10))
    #expect(device.events.count { $0 is IngestionParsed } == 606)
  }

  @Test func `a full disk stops everything, and nothing is lost`() {
    var device = Device(IngestionSetup())
    device.run(to: .start + .milliseconds(500))
    device.machine.isDiskFull = true
    let rows = device.machine.record.rows
    device.run(to: .start + .seconds(10))
    #expect(device.machine.record.rows == rows)
    #expect(device.order(.purgeNow, at: .start + .seconds(10)) == SessionError.insufficientSpace.rawValue)
    device.machine.isDiskFull = false
    device.run(to: .start + .seconds(600))
    #expect(device.machine.record.rows.count == 48)
    #expect(device.machine.record.rows.values.allSatisfy { $0.parsedAt != nil })
  }
}
