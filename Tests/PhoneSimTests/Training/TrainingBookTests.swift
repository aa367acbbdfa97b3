import CoachProtocol
import Foundation
import Link
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

/// The training history: what reports become, in memory and on disk.
@Suite struct TrainingBookTests {
  private typealias Store = DeviceStore<PhoneTables>

  /// A book with every change stored.
  struct Device {
    var book: TrainingBook
    var memory = MemoryPhoneStore()
    var commits: [[PhoneChange]] = []
    var events: [any TraceEventKind] = []

    init(competition: String = "Tetrathlon", plants: Plants = []) {
      var setup = TrainingSetup()
      setup.competition = competition
      book = TrainingBook(seed: 3, setup: setup, restoring: TrainingRecord(), plants: plants)
      call { $0.begin(clock: 1_000, into: &$1) }
    }

    mutating func call(_ body: (inout TrainingBook, inout TrainingBook.Orders) -> Void) {
      var orders = TrainingBook.Orders()
      body(&book, &orders)
      events += orders.events
      guard !orders.changes.isEmpty else { return }
      commits.append(orders.changes.map { .rare(.training($0)) })
      #expect(throws: Never.self) { try memory.commit([], commits[commits.count - 1]) }
    }

    mutating func receive(_ reports: [SessionReport]) {
      for report in reports { call { $0.receive(report, into: &$1) } }
    }

    mutating func order(_ act: TrainingCommand) -> String? {
      var reason: String?
      call { reason = $0.carryOut(act, clock: 9_000_000_000_000, into: &$1) }
      return reason
    }

    func count(_ event: String) -> Int { events.count { type(of: $0).name.text == event } }
    var record: TrainingRecord { book.record }
    var competition: TrainingRow? { record.rows("Competition").first }
  }

  static func report(
    _ discipline: TrainingDiscipline, _ number: UInt64, _ units: [SessionUnit], distance: Int64 = 0
  ) -> SessionReport {
    SessionReport(
      workoutId: Identifier(high: 1, low: number), discipline: discipline,
      startedAt: WatchTime(nanoseconds: Int64(number) * 1_000_000_000_000),
      endedAt: WatchTime(nanoseconds: Int64(number) * 1_000_000_000_000 + 600_000_000_000), activeMilliseconds: 599_500,
      distanceMillimetres: distance, heartRate: 120, units: units)
  }

  static let shots = (0..<6 as Range<Int64>).map { SessionUnit(.shot, [$0 / 3, $0 % 3, 7, $0 * 1_000]) }
  static let lengths = (0..<4 as Range<Int64>).map { SessionUnit(.split, [25_000, 30_000 + $0 * 500, 24, 140, 0]) }
  static let ride = [
    SessionUnit(.point, [0, 520_000_000, 130_000_000, 1_400]),
    SessionUnit(.gait, [1, 0, 300_000, 400_000]), SessionUnit(.gait, [2, 300_000, 599_500, 800_000]),
    SessionUnit(.rein, [0, 0, 200_000]), SessionUnit(.rein, [1, 200_000, 599_500]),
  ]

  /// A day of four disciplines, with changes afterwards.
  static func day() -> Device {
    var device = Device()
    device.receive(report(.swimming, 1, lengths, distance: 100_000).inParts)
    device.receive(report(.shooting, 2, shots).inParts)
    device.receive(report(.riding, 3, ride, distance: 1_200_000).inParts)
    device.receive(
      report(.running, 4, [SessionUnit(.split, [1_000_000, 300_000, 0, 150, 0])], distance: 1_500_000).inParts)
    return device
  }

  @Test func `sessions become the document's rows`() throws {
    let device = Self.day()
    let counts = Dictionary(
      uniqueKeysWithValues: zip(TrainingCatalog.all, device.record.tables).map { ($0.name, $1.count) })
    for (table, count) in [
      ("SwimmingSession", 1), ("RunningSession", 1), ("Ride", 1), ("ShootingSession", 1), ("Split", 5), ("Shot", 6),
      ("ShootingEnd", 2), ("GaitSegment", 2), ("GaitTransition", 1), ("ReinSegment", 2), ("GPSPoint", 1),
      ("SkillSnapshot", 3),
    ] { #expect(counts[table] == count, "\(table)") }
    let point = try #require(device.record.rows("GPSPoint").first)
    #expect(point.text("parentType") == "ride" && point.identifier("parentID") == Identifier(high: 1, low: 3))
    #expect(point.identifier("ride") == point.identifier("parentID") && point["swimmingSession"] == .null)
    #expect(device.record.newest(.swimming)?.integer("totalStrokes") == 96)
    #expect(device.record.newest(.riding)?.identifier("horse") == device.record.rows("Horse").first?.id)
    let change = try #require(device.record.rows("GaitTransition").first)
    #expect(change.text("fromGait") == "walk" && change.text("toGait") == "trot")
    let snapshot = try #require(device.record.rows("SkillSnapshot").first { $0.text("discipline") == "shooting" })
    #expect(snapshot.identifier("sourceSessionID") == Identifier(high: 1, low: 2))
    #expect(snapshot.text("sourceSessionType") == "ShootingSession" && snapshot.real("score") == 70)
  }

  @Test(arguments: TrainingDiscipline.allCases)
  func `heart rates, altitudes, laps and climbs of a report are in the document's columns`(
    discipline: TrainingDiscipline
  ) throws {
    var device = Device()
    let units = [
      SessionUnit(.point, [0, 520_000_000, 130_000_000, 1_400, 431_250]), SessionUnit(.heartRate, [10_500, 121]),
      SessionUnit(.heartRate, [20_000, 130]), SessionUnit(.split, [1_000_000, 300_000, 0, 150, 172, 0, -12_500]),
      SessionUnit(.interval, [0, 0, 9_000, 400_000, 100_000, 0, 1, 133, 171]),
    ]
    device.receive(Self.report(discipline, 1, units, distance: 400_000).inParts)
    let record = device.record
    let session = try #require(record.newest(discipline))
    #expect(session.text("heartRateSeries") == "[[10.5,121],[20,130]]")
    guard discipline != .shooting else { return #expect(record.rows("Interval").isEmpty) }
    #expect(record.rows("GPSPoint").map { $0.real("altitude") } == [431.25])
    let lap = try #require(record.rows("Interval").first)
    #expect(lap.identifier(discipline.partColumn) == session.id && lap["targetDistance"] == .null)
    #expect(lap.real("actualHeartRate") == 133 && lap.real("actualDistance") == 400 && lap.text("name") == "400 m")
    #expect(lap.real("actualCadence") == (discipline == .running ? 171 : nil))
    if discipline == .running {
      let split = try #require(record.rows("Split").first)
      #expect(split.real("cadence") == 172 && split.real("elevation") == -12.5)
    }
    // Laps go with their session.
    #expect(device.order(.removeSession(discipline)) == nil && device.record.rows("Interval").isEmpty)
  }

  @Test func `a competition refers to its sessions, and its cache follows every change`() throws {
    var device = Self.day()
    var row = try #require(device.competition)
    #expect(row.identifier("competitionSwimmingSession") == Identifier(high: 1, low: 1))
    #expect(row.real("storedSwimmingTime") == 599.5 && row.integer("storedShootingScore") == 42)
    #expect(row.identifier("competitionRide") == Identifier(high: 1, low: 3) && row["storedRidingScore"] == .null)
    #expect(device.order(.correctShot(end: 2, shot: 3, score: 10)) == nil)
    #expect(device.order(.scoreRide(61)) == nil)
    #expect(device.order(.scoreRide(63.5)) == nil)
    row = try #require(device.competition)
    #expect(row.integer("storedShootingScore") == 45 && row.real("storedRidingScore") == 63.5)
    #expect(device.record.rows("ShootingEnd").compactMap { $0.integer("totalScore") }.sorted() == [21, 24])
    // A second swim is another session, and the competition keeps the first.
    device.receive(Self.report(.swimming, 9, Self.lengths, distance: 100_000).inParts)
    #expect(device.competition?.identifier("competitionSwimmingSession") == Identifier(high: 1, low: 1))
    #expect(device.order(.correctShot(end: 3, shot: 1, score: 1)) == "there is no shot 1 in end 3")
    #expect(Device().record.newest(.riding) == nil)
  }

  @Test func `a session is stored whole, and parts that come again change nothing`() throws {
    let points = (0..<900 as Range<Int64>).map { SessionUnit(.point, [$0 * 1_000, 520_000_000, 130_000_000, 0]) }
    let parts = Self.report(.running, 5, points, distance: 10).inParts
    try #require(parts.count == 3)
    var device = Device()
    device.receive([parts[0], parts[0], parts[1]])
    #expect(device.record.sessionCount == 0 && device.record.pending.count == 1)
    device.receive([parts[0], parts[1], parts[2]])
    #expect(device.record.rows("GPSPoint").count == 900 && device.record.pending.isEmpty)
    let before = device.record
    device.receive(parts)
    #expect(device.record == before && device.count("training.stored") == 1)
    // A part without the one before it is refused, and so is one of another report.
    var other = Self.report(.running, 6, points).inParts
    device.receive([other[1]])
    #expect(device.count("training.refused") == 1)
    other[1].distanceMillimetres = 77
    device.receive([other[0], other[1]])
    #expect(device.count("training.refused") == 2 && device.record.sessionCount == 1)
  }

  @Test func `incomplete reports are bounded`() {
    let points = (0..<500 as Range<Int64>).map { SessionUnit(.point, [$0, 0, 0, 0]) }
    var device = Device()
    for number in 0..<(UInt64(TrainingBook.pendingMax) + 5) {
      device.receive([Self.report(.running, number, points).inParts[0]])
    }
    #expect(device.record.pending.count == TrainingBook.pendingMax && device.count("training.refused") == 5)
  }

  @Test func `what is stored on disk is what is stored in memory, and what the book has`() throws {
    var device = Self.day()
    _ = device.order(.correctShot(end: 1, shot: 1, score: 0))
    _ = device.order(.scoreRide(70))
    var entry = LoggedDrill.Entry()
    (entry.duration, entry.score) = (60, 80)
    var drill = LoggedDrill()
    (drill.discipline, drill.drillType, drill.sets) = (.riding, "seat", [entry, entry])
    (drill.symmetry, drill.notes) = (61, "left hip")
    _ = device.order(.logDrill(drill))
    TrainingActTests.addAll(to: &device)
    _ = device.order(.removeSession(.swimming))
    let points = (0..<500 as Range<Int64>).map { SessionUnit(.point, [$0, 0, 0, 0]) }
    device.receive([Self.report(.running, 50, points).inParts[0]])
    let folder = try TemporaryDirectory()
    do {
      var store = try Store(folder: folder.path)
      for commit in device.commits { try store.commit([], commit) }
    }
    do {
      var store = try Store(folder: folder.path)
      let found = try store.begin().app.training
      #expect(found == device.memory.record.training && found == device.record)
      #expect(found.rows("DrillSet").count == 2 && found.pending.count == 1)
      #expect(found.removed == [Identifier(high: 1, low: 1)] && found.rows("SwimmingSession").isEmpty)
    }
    let reader = try DeviceReader<PhoneTables>(folder: folder.path)
    #expect(try reader.findings() == [])
  }

  @Test func `a value out of bounds in the store is reported`() throws {
    let folder = try TemporaryDirectory()
    do {
      var store = try Store(folder: folder.path)
      for commit in Self.day().commits { try store.commit([], commit) }
    }
    do {
      let database = try StoreFile.open(folder: folder.path, Store.components)
      try database.execute("UPDATE Shot SET score = 11 WHERE rowid = 1")
    }
    var store = try Store(folder: folder.path)
    #expect(throws: StoreError.self) { try store.begin() }
  }
}
