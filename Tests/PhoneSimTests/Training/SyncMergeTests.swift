import CoachProtocol
import Link
import LinkStore
import LinkTransport
import Testing

@testable import PhoneSim

/// Rows between two phones: merging, and what both show in the end.
@Suite struct SyncMergeTests {
  private static let shot = TrainingCatalog.index(of: "Shot")

  /// Copies of one row, with values and stamps that the seed draws; a stamp has one value.
  private static func copies(_ seed: UInt64, count: Int) -> [SyncRow] {
    var random = SplitMix(seed: seed)
    let key = SyncKey(table: shot, id: Identifier(high: 1, low: 2))
    return (0..<count).map { _ in
      var row = SyncRow(unwritten: key)
      for index in row.stamps.indices {
        let time = Int64(random.next() % 4)
        let phone = Int64(random.next() % 2) + 1
        row.stamps[index] = SyncStamp(time: time, counter: 0, phone: phone)
        row.values[index] = .integer(time * 10 + phone)
      }
      if random.next() % 4 == 0 { row.removed = SyncStamp(time: Int64(random.next() % 4), counter: 0, phone: 1) }
      return row
    }
  }

  @Test func `merging is commutative, associative and idempotent`() {
    for seed in 0..<500 as Range<UInt64> {
      let rows = Self.copies(seed, count: 3)
      let (a, b, c) = (rows[0], rows[1], rows[2])
      #expect(a.merged(with: b) == b.merged(with: a))
      #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
      #expect(a.merged(with: b).merged(with: b) == a.merged(with: b) && a.merged(with: a) == a)
    }
  }

  @Test func `a stamp is later than all that its phone has seen, whatever its clock says`() {
    var stamp = SyncStamp.never.next(clock: 100, phone: 1)
    #expect(stamp == SyncStamp(time: 100, counter: 0, phone: 1))
    for clock in [100, 50, .min, 101] as [Int64] {
      let next = stamp.next(clock: clock, phone: 1)
      #expect(next > stamp)
      stamp = next
    }
    #expect(
      SyncStamp(time: 5, counter: .max, phone: 1).next(clock: 0, phone: 2) > SyncStamp(time: 5, counter: .max, phone: 2)
    )
  }

  @Test func `a row is read as it was written, and damaged text is refused`() throws {
    var row = SyncRow(unwritten: SyncKey(table: Self.shot, id: Identifier(high: 1, low: 2)))
    row.values = [.integer(1), .integer(9), .integer(77), .id(Identifier(high: 3, low: 4))]
    row.stamps = (0..<4).map { SyncStamp(time: $0, counter: 1, phone: 2) }
    row.removed = SyncStamp(time: -5, counter: 0, phone: 1)
    #expect(SyncRow(key: row.key, text: row.text) == row)
    row.stamps = [SyncStamp](repeating: row.stamps[1], count: 4)
    row.removed = nil
    #expect(SyncRow(key: row.key, text: row.text) == row && row.text.count < 130)
    for text in [
      "", "[]", "{\"v\":[1],\"s\":[[0,0,0]]}", "{\"v\":[1,11,2,null],\"s\":[[0,0,1]]}",
      "{\"v\":[1,2,3,null],\"s\":[[0,0,3]]}",
      "{\"v\":[1,2,3,null],\"s\":[[0,-1,1]]}", "{\"v\":[1,2,3,null],\"s\":[[0,0,1]],\"r\":[0]}",
      "{\"v\":[1,2,3,\"x\"],\"s\":[[0,0,1]]}", "{\"v\":[1,2,3,null],\"s\":[]}",
    ] { #expect(SyncRow(key: row.key, text: text) == nil, "\(text)") }
  }

  @Test func `an interval of an earlier release, without its last column, is read`() throws {
    let interval = SyncKey(table: TrainingCatalog.index(of: "Interval"), id: Identifier(high: 1, low: 3))
    let columns = TrainingCatalog.all[interval.table].columns
    try #require(columns.last?.name == "ride")
    for isOneStamp in [true, false] {
      let nulls = [String](repeating: "null", count: columns.count - 1).joined(separator: ",")
      let stamps = [String](repeating: "[5,0,1]", count: isOneStamp ? 1 : columns.count - 1).joined(separator: ",")
      let row = try #require(SyncRow(key: interval, text: "{\"v\":[\(nulls)],\"s\":[\(stamps)]}"))
      #expect(row.values.count == columns.count && row.stamps.last == .never)
      #expect(row.stamps.dropLast().allSatisfy { $0 == SyncStamp(time: 5, counter: 0, phone: 1) })
      #expect(SyncRow(key: interval, text: row.text) == row)
    }
    let short = [String](repeating: "null", count: columns.count - 2).joined(separator: ",")
    #expect(SyncRow(key: interval, text: "{\"v\":[\(short)],\"s\":[[5,0,1]]}") == nil)
  }

  // MARK: Two phones

  /// Both phones, with a store for each change, and every copy that one has for the other.
  private struct Pair {
    var books: [TrainingBook]
    var orders = [TrainingBook.Orders(), TrainingBook.Orders()]
    /// Copies for each phone, in the order in which they were made.
    var copies: [[SyncRow]] = [[], []]
    var changes: [PhoneChange] = []
    var clocks: [Int64] = [1_000, 900]

    init(plants: Plants = []) {
      var setup = TrainingSetup()
      setup.competition = "Tetrathlon"
      books = [1, 2].map {
        TrainingBook(seed: 3, setup: setup, restoring: TrainingRecord(), plants: plants, phone: $0)
      }
      for phone in 0...1 { act(phone) { $0.begin(clock: $1.clock, into: &$1) } }
    }

    mutating func act(_ phone: Int, _ body: (inout TrainingBook, inout TrainingBook.Orders) -> Void) {
      orders[phone] = TrainingBook.Orders()
      clocks[phone] += 7
      orders[phone].clock = clocks[phone]
      body(&books[phone], &orders[phone])
      copies[1 - phone] += orders[phone].outgoing
      changes += orders[phone].changes.map { .rare(phone == 0 ? .training($0) : .secondTraining($0)) }
    }

    mutating func order(_ phone: Int, _ act: TrainingCommand) -> String? {
      var reason: String?
      self.act(phone) { reason = $0.carryOut(act, clock: $1.clock, into: &$1) }
      return reason
    }

    mutating func merge(_ phone: Int, _ rows: [SyncRow]) { act(phone) { $0.merge(rows, into: &$1) } }

    /// Delivers all copies in drawn order, some of them twice, in batches.
    mutating func deliverAll(_ random: inout SplitMix) {
      for phone in [0, 1] {
        var rest = copies[phone] + copies[phone].filter { _ in random.next() % 3 == 0 }
        copies[phone] = []
        while !rest.isEmpty {
          var batch: [SyncRow] = []
          for _ in 0..<min(rest.count, 1 + Int(random.next() % 6)) {
            batch.append(rest.remove(at: Int(random.next() % UInt64(rest.count))))
          }
          merge(phone, batch)
        }
      }
    }

    var isEqual: Bool { books[0].record.tables == books[1].record.tables }
    var digests: Set<String> { Set(books.map(\.settledEvent.digest)) }
  }

  private static let acts: [TrainingCommand] =
    [
      .scoreRide(61), .scoreRide(70), .addTask(title: "x"), .completeTask(title: "x"),
      .recordWeather(.swimming, weather: "{\"temperature\":1}"),
      .recordWeather(.swimming, weather: "{\"temperature\":2}"),
      .removeSession(.riding), .removeSession(.shooting), .removeSession(.running),
    ] + (0..<12).map { .correctShot(end: 1 + $0 % 2, shot: 1 + $0 % 3, score: $0 % 11) }

  @Test func `phones that saw the same copies show the same, in whatever order they came`() {
    for seed in 0..<150 as Range<UInt64> {
      var random = SplitMix(seed: seed)
      var pair = Pair()
      let day = [
        TrainingBookTests.report(.swimming, 1, TrainingBookTests.lengths, distance: 100_000),
        TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots),
        TrainingBookTests.report(.riding, 3, TrainingBookTests.ride, distance: 1_200_000),
        TrainingBookTests.report(
          .running, 4, [SessionUnit(.split, [1_000_000, 300_000, 0, 150, 0])], distance: 1_500_000),
      ]
      for report in day { pair.act(0) { $0.receive(report, into: &$1) } }
      for _ in 0..<12 {
        if random.next() % 4 == 0 { pair.deliverAll(&random) }
        let act = Self.acts[Int(random.next() % UInt64(Self.acts.count))]
        _ = pair.order(Int(random.next() % 2), act)
      }
      pair.deliverAll(&random)
      // What came for rows that had not come yet.
      #expect(pair.isEqual && pair.digests.count == 1, "seed \(seed)")
      for book in pair.books { #expect(Self.isDerived(book), "seed \(seed)") }
      if !pair.isEqual { return }
    }
  }

  /// Whether every total and cached result follows from the rows.
  private static func isDerived(_ book: TrainingBook) -> Bool {
    let record = book.record
    let ends = record.rows("ShootingEnd").allSatisfy { end in
      let shots = record.rows("Shot").filter { $0.identifier("end") == end.id }
      return end.integer("totalScore") == shots.reduce(0) { $0 + ($1.integer("score") ?? 0) }
    }
    guard let competition = record.rows("Competition").first else { return false }
    let session = competition.identifier("competitionShootingSession").flatMap { record.row("ShootingSession", $0) }
    return ends && competition.integer("storedShootingScore") == session?.integer("totalScore")
  }

  @Test func `a part that comes before its row waits for it`() throws {
    var pair = Pair()
    pair.act(0) { $0.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots), into: &$1) }
    let (parts, rest) = (
      pair.copies[1].filter { $0.entity.name == "Shot" }, pair.copies[1].filter { $0.entity.name != "Shot" }
    )
    pair.merge(1, parts)
    #expect(pair.books[1].record.rows("Shot").isEmpty && pair.books[1].waiting.count == 6)
    // A restart forgets nothing.
    var setup = TrainingSetup()
    setup.competition = "Tetrathlon"
    pair.books[1] = TrainingBook(
      seed: 3, setup: setup, restoring: pair.books[1].record, plants: [], phone: 2)
    #expect(pair.books[1].waiting.count == 6)
    pair.merge(1, rest)
    #expect(pair.books[1].record.rows("Shot").count == 6 && pair.books[1].waiting.isEmpty)
    #expect(pair.books[1].record.rows("Competition").first?.integer("storedShootingScore") == 42)
  }

  @Test func `a part that comes after its row was removed stays away`() {
    var pair = Pair()
    pair.act(0) { $0.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots), into: &$1) }
    let all = pair.copies[1]
    let late = all.filter { $0.entity.name == "Shot" }.prefix(2)
    pair.merge(1, all.filter { row in !late.contains { $0.key == row.key } })
    #expect(pair.order(1, .removeSession(.shooting)) == nil)
    pair.merge(1, Array(late))
    #expect(pair.books[1].record.rows("Shot").isEmpty && pair.books[1].waiting.isEmpty)
    pair.merge(0, pair.copies[0])
    #expect(pair.isEqual && pair.books[0].record.sessionCount == 0)
    // The watch's report comes again: the session stays removed.
    pair.act(0) { $0.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots), into: &$1) }
    #expect(pair.books[0].record.sessionCount == 0)
  }

  @Test func `changes of different columns of a row on both phones are both kept`() throws {
    var pair = Pair()
    pair.act(0) { $0.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots), into: &$1) }
    pair.merge(1, pair.copies[1])
    pair.copies = [[], []]
    _ = pair.order(0, .correctShot(end: 1, shot: 1, score: 10))
    _ = pair.order(1, .correctShot(end: 1, shot: 2, score: 0))
    _ = pair.order(1, .recordWeather(.shooting, weather: "{}"))
    let copies = pair.copies
    pair.merge(0, copies[0])
    pair.merge(1, copies[1])
    #expect(pair.isEqual)
    for book in pair.books {
      #expect(book.record.newest(.shooting)?.integer("totalScore") == 38)
      #expect(book.record.newest(.shooting)?.text("weather") == "{}")
      #expect(book.record.rows("Competition").first?.integer("storedShootingScore") == 38)
    }
  }

  @Test func `both stores on disk are those in memory, and equal row by row`() throws {
    var pair = Pair()
    var random = SplitMix(seed: 5)
    for report in [
      TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots),
      TrainingBookTests.report(.riding, 3, TrainingBookTests.ride, distance: 1_200_000),
      TrainingBookTests.report(.swimming, 1, TrainingBookTests.lengths, distance: 100_000),
    ] { pair.act(0) { $0.receive(report, into: &$1) } }
    pair.deliverAll(&random)
    _ = pair.order(1, .scoreRide(64))
    _ = pair.order(0, .removeSession(.swimming))
    pair.deliverAll(&random)
    let folder = try TemporaryDirectory()
    do {
      var store = try DeviceStore<PhoneTables>(folder: folder.path)
      try store.commit([], pair.changes)
    }
    do {
      var store = try DeviceStore<PhoneTables>(folder: folder.path)
      let found = try store.begin().app
      #expect(found.training == pair.books[0].record && found.secondTraining == pair.books[1].record)
    }
    let reader = try DeviceReader<PhoneTables>(folder: folder.path)
    #expect(try reader.findings() == [])
    let database = try StoreFile.open(folder: folder.path, DeviceStore<PhoneTables>.components)
    for entity in TrainingCatalog.all {
      let (one, two) = (entity.name, "Second\(entity.name)")
      #expect(
        try database.number("SELECT count(*) FROM (SELECT * FROM \(one) EXCEPT SELECT * FROM \(two))") == 0, "\(one)")
      #expect(
        try database.number("SELECT count(*) FROM (SELECT * FROM \(two) EXCEPT SELECT * FROM \(one))") == 0, "\(one)")
    }
    #expect(try database.number("SELECT count(*) FROM Shot") == 6)
    try database.execute("UPDATE SyncRow SET cells = '{' WHERE tableName = 'Shot'")
  }

  @Test func `planted, the last copy wins and the phones differ`() {
    for plant in [[], [.arrivalWins]] as [Plants] {
      var pair = Pair(plants: plant)
      pair.act(0) { $0.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots), into: &$1) }
      pair.merge(1, pair.copies[1])
      pair.copies = [[], []]
      _ = pair.order(0, .correctShot(end: 1, shot: 1, score: 10))
      _ = pair.order(1, .correctShot(end: 1, shot: 1, score: 0))
      let copies = pair.copies
      pair.merge(0, copies[0])
      pair.merge(1, copies[1])
      #expect(pair.isEqual == plant.isEmpty)
    }
  }
}
