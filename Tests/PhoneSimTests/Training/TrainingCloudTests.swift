import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// The cloud between two phones, and a first phone that may end after any commit.
@Suite struct TrainingCloudTests {
  /// Both phones with what they stored; `restart` creates them again from that.
  private struct Rig {
    let setup: TrainingSetup
    var book: TrainingBook
    var cloud: TrainingCloud
    var records = [TrainingRecord(), TrainingRecord()]
    var now = VirtualTime.start
    var events: [any TraceEventKind] = []
    var commits = 0
    /// Commits after which the process ends.
    var killedAt: Set<Int> = []

    init(_ sync: SyncSetup) {
      var setup = TrainingSetup()
      setup.competition = "Tetrathlon"
      setup.sync = sync
      self.setup = setup
      (book, cloud) = Self.make(setup, [TrainingRecord(), TrainingRecord()])
      begin()
    }

    private static func make(_ setup: TrainingSetup, _ records: [TrainingRecord]) -> (TrainingBook, TrainingCloud) {
      guard let sync = setup.sync else { preconditionFailure("a second phone") }
      return (
        TrainingBook(seed: 9, setup: setup, restoring: records[0], plants: [], phone: 1),
        TrainingCloud(seed: 9, setup: setup, sync: sync, restoring: records[1], plants: [])
      )
    }

    private mutating func begin() {
      update { cloud, book, now, orders, other in
        book.begin(clock: orders.clock, into: &orders)
        cloud.begin(clock: orders.clock, at: now, first: book, into: &orders, other: &other)
        orders.outgoing = []
      }
    }

    mutating func update(
      _ body: (
        inout TrainingCloud, inout TrainingBook, VirtualTime, inout TrainingBook.Orders, inout TrainingBook.Orders
      ) -> Void
    ) {
      var (orders, other) = (TrainingBook.Orders(), TrainingBook.Orders())
      (orders.clock, other.clock) = (now.nanoseconds, now.nanoseconds - 5)
      body(&cloud, &book, now, &orders, &other)
      cloud.push(orders.outgoing, from: 1, at: now, into: &orders)
      cloud.reportIfSettled(book, into: &orders, other: &other)
      for change in orders.changes { records[0].follow(change) }
      for change in other.changes { records[1].follow(change) }
      events += orders.events + other.events
      guard !orders.changes.isEmpty || !other.changes.isEmpty else { return }
      commits += 1
      guard killedAt.contains(commits) else { return }
      (book, cloud) = Self.make(setup, records)
      now = now + .seconds(3)
      begin()
    }

    /// Lets the first phone act.
    mutating func act(_ body: (inout TrainingBook, inout TrainingBook.Orders) -> Void) {
      update { _, book, _, orders, _ in body(&book, &orders) }
    }

    /// Runs until nothing is due, at most so many times.
    mutating func run(until end: VirtualTime) {
      var count = 0
      while let at = cloud.nextDeadline, at <= end, count < 10_000 {
        count += 1
        now = max(now, at)
        update { $0.fire(clock: $3.clock, truth: $4.clock, at: $2, first: &$1, into: &$3, other: &$4) }
      }
      now = max(now, end)
    }

    var settled: [TrainingSettled] { events.compactMap { $0 as? TrainingSettled } }
    var isEqual: Bool { book.record.tables == cloud.second.record.tables }
  }

  private static func edit(_ seconds: Int64, _ word: String, _ text: String) throws -> SecondEdit {
    let members = "{\"at\":\(seconds),\"do\":\"\(word)\",\(text)}"
    let node = try JSONParser.parse("[\(members)]", dialect: .json)
    let reader = JSONValueReader(node, into: DiagnosticsCollector(file: "x"))
    let list = try #require(ValueSchema<[SecondEdit]>.array(of: SecondEdit.schema).read(reader))
    return try #require(list.first)
  }

  private static func rig(twice: Double = 0.3) throws -> Rig {
    var sync = SyncSetup()
    sync.late = .seconds(20)
    sync.twice = try #require(Probability(twice))
    sync.reorder = try #require(Probability(0.4))
    sync.edits = [
      try edit(70, "correctShot", "\"end\":1,\"shot\":1,\"score\":3"), try edit(71, "addTask", "\"title\":\"x\""),
      try edit(90, "scoreRide", "\"score\":50"), try edit(150, "removeSession", "\"discipline\":\"swimming\""),
    ]
    return Rig(sync)
  }

  /// A day on both phones.
  private static func play(_ rig: inout Rig) {
    let reports = [
      TrainingBookTests.report(.swimming, 1, TrainingBookTests.lengths, distance: 100_000),
      TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots),
      TrainingBookTests.report(.riding, 3, TrainingBookTests.ride, distance: 1_200_000),
    ]
    for report in reports {
      rig.act { $0.receive(report, into: &$1) }
      rig.run(until: rig.now + .seconds(2))
    }
    rig.run(until: .start + .seconds(69))
    rig.act { _ = $0.carryOut(.correctShot(end: 1, shot: 1, score: 9), clock: $1.clock, into: &$1) }
    rig.run(until: .start + .seconds(89))
    rig.act { _ = $0.carryOut(.scoreRide(60), clock: $1.clock, into: &$1) }
    rig.run(until: .start + .seconds(1_000))
  }

  @Test func `late, doubled and reordered rows end in equal stores`() throws {
    var rig = try Self.rig()
    Self.play(&rig)
    #expect(rig.isEqual && rig.book.record.sessionCount == 2 && rig.book.record.rows("CompetitionTask").count == 1)
    #expect(rig.book.record.rows("RideScore").count == 2)
    #expect(rig.book.record.queued.isEmpty && rig.cloud.nextDeadline == nil)
    #expect(rig.settled.count >= 2 && rig.settled.suffix(2).map(\.phone) == [1, 2])
    #expect(Set(rig.settled.suffix(2).map(\.digest)).count == 1)
    let merged = rig.events.compactMap { $0 as? TrainingMerged }
    #expect(merged.contains { $0.again > 0 } && merged.contains { $0.waiting > 0 })
  }

  @Test func `killed after any commit, both phones end with the same`() throws {
    var whole = try Self.rig()
    Self.play(&whole)
    let count = whole.commits
    #expect(count > 20)
    for commit in 1...count {
      var rig = try Self.rig()
      rig.killedAt = [commit, commit + 7]
      Self.play(&rig)
      #expect(rig.isEqual && rig.records[0].tables == rig.records[1].tables, "killed after commit \(commit)")
      #expect(rig.records[0].queued.isEmpty && rig.records[1].queued.isEmpty && rig.records[1].editsDone == 4)
      #expect(rig.book.record.sessionCount == 2, "killed after commit \(commit)")
      if !rig.isEqual { return }
    }
  }

  @Test func `without faults of the cloud every copy says something new`() throws {
    var sync = SyncSetup()
    sync.late = .seconds(1)
    var rig = Rig(sync)
    rig.act { $0.receive(TrainingBookTests.report(.shooting, 2, TrainingBookTests.shots), into: &$1) }
    rig.run(until: .start + .seconds(10))
    let merged = rig.events.compactMap { $0 as? TrainingMerged }
    #expect(merged.filter { $0.phone == 2 }.allSatisfy { $0.waiting == 0 } && rig.isEqual)
    #expect(
      merged.reduce(0) { $0 + $1.rows } == rig.events.compactMap { $0 as? TrainingPushed }.reduce(0) { $0 + $1.rows })
  }
}
