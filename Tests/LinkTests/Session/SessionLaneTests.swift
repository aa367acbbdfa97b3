import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Complication transfers and cancelling` {
  private static func deaf(
    _ direction: Direction, from begin: VirtualTime = .start, to end: VirtualTime? = nil
  ) -> PlannedFault {
    PlannedFault(
      id: "deaf", begin: begin, end: end, direction: direction, channels: [.userInfo],
      LossFault(.independent(.always)))
  }

  private static let day: Int64 = 86_400_000_000_000

  // MARK: Complication transfers

  @Test func `complication transfers have their own numbers and go ahead of ordinary ones`()
    throws
  {
    var pair = Pair()
    try pair.userInfo([1], from: .watch)
    try pair.userInfo([2], from: .watch)
    #expect(try pair.complication([3], from: .watch).isComplication)
    #expect(try pair.complication([4], from: .watch).isComplication)
    try pair.drive()
    let sent = pair.watch.sent(.data, .userInfo).map(\.frame)
    #expect(sent.map(\.payload) == [[3], [4], [1], [2]])
    #expect(sent.map(\.seq.rawValue) == [1, 2, 1, 2])
    #expect(sent.map { $0.flags.contains(.complication) } == [true, true, false, false])
    #expect(Set(sent.map(\.transfer)).count == 4)
    #expect(pair.phone.complications == [[3], [4]] && pair.phone.effects == [[1], [2]])
    let queued = pair.watch.lines("transfer.queued")
    #expect(queued.map { $0["complication"] } == [nil, nil, .bool(true), .bool(true)])
    #expect(queued.map { $0["seq"] } == [.int(1), .int(2), .int(1), .int(2)])
    #expect(queued[2].fields.map(\.key) == ["transfer", "channel", "complication", "seq", "bytes", "digest"])
    let finished = pair.watch.lines("transfer.finished")
    #expect(finished.map { $0["complication"] } == [.bool(true), .bool(true), nil, nil])
  }

  @Test func `each lane is delivered in its own order over a link that reorders and loses`() throws {
    let faults = [
      PlannedFault(id: "l", LossFault(.independent(Probability(0.3) ?? .never))),
      PlannedFault(id: "r", ReorderFault(probability: Probability(0.3) ?? .never, by: .milliseconds(400))),
    ]
    var pair = Pair(faults: faults)
    for number: UInt8 in 0..<40 {
      try pair.userInfo([number], from: .watch)
      try pair.complication([number], from: .watch)
      try pair.drive(for: .milliseconds(100))
    }
    try pair.drive()
    #expect(pair.phone.effects == (0..<40).map { [$0] })
    #expect(pair.phone.complications == (0..<40).map { [$0] })
  }

  @Test func `an acknowledgement of one lane confirms nothing in the other`() throws {
    var pair = Pair(faults: [Self.deaf(.phoneToWatch)])
    try pair.drive()
    try pair.userInfo([1], from: .watch)
    try pair.complication([2], from: .watch)
    try pair.drive(for: .milliseconds(100))
    let acks = pair.phone.sent(.ack, .userInfo).map(\.frame)
    #expect(acks.map { $0.flags.contains(.complication) }.sorted { !$0 && $1 } == [false, true])
    #expect(Set(acks.map(\.drawKey)).count == 2, "each draws its own fate")
    var wrong = acks[0]
    wrong.flags.formSymmetricDifference(.complication)
    pair.inject(wrong, to: .watch)
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 1)
    #expect(pair.session(.watch).outstandingCount(in: .complication) == 1)
    for ack in acks { pair.inject(ack, to: .watch) }
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 0)
    #expect(pair.session(.watch).outstandingCount(in: .complication) == 0)
  }

  @Test func `a day has fifty complication transfers, then they are ordinary, over restarts, until the next day`()
    throws
  {
    var pair = Pair()
    pair.clocks.phone = 20_000 * Self.day + Self.day - 3_600_000_000_000
    try pair.drive()
    for number: UInt8 in 0..<60 {
      if number == 20 { pair.restart(.phone) }
      let left = pair.session(.phone).remainingComplicationTransfers(clock: pair.clocks.phone)
      #expect(left == max(0, 50 - Int(number)))
      #expect(try pair.complication([number], from: .phone).isComplication == (number < 50))
    }
    try pair.drive()
    #expect(pair.watch.complications.count == 50 && pair.watch.effects == (50..<60).map { [$0] })
    #expect(pair.phone.lines("transfer.queued").count { $0["complication"] == .bool(true) } == 50)
    #expect(pair.store(.phone).restarted.budget == ComplicationBudget(day: 20_000, used: 50))
    try pair.drive(for: .seconds(3_601))
    #expect(try pair.complication([60], from: .phone).isComplication)
    #expect(pair.store(.phone).restarted.budget == ComplicationBudget(day: 20_001, used: 1))
  }

  @Test(arguments: [
    (Int64(0), Int64(0)), (-1, -1), (-86_400_000_000_000, -1), (86_399_999_999_999, 0), (.min, -106_752),
  ])
  func `a day begins at midnight, also before 1970`(clock: Int64, day: Int64) throws {
    var session = Session(.init(role: .phone, random: RandomStream(seed: 1, name: "session.phone")))
    var turn = Turn(isRecording: false)
    _ = try session.transferComplicationUserInfo([1], clock: clock, details: .init(), in: &turn)
    #expect(session.budget == ComplicationBudget(day: day, used: 1))
    guard case .change(.budget) = turn.items[0], case .change(.enqueued) = turn.items[1],
      case .commit = turn.items[2]
    else {
      Issue.record("the count and the transfer do not share a transaction")
      return
    }
  }

  // MARK: Cancelling

  @Test func `a cancelled transfer leaves no gap, and its app gets no report`() throws {
    var pair = Pair()
    var names: [Identifier] = []
    for number: UInt8 in 0..<6 { names.append(try pair.userInfo([number], from: .watch)) }
    for seq: UInt64 in [1, 3, 4, 6] {
      #expect(pair.cancel(.userInfo, seq: seq, names[Int(seq) - 1], from: .watch) == true)
    }
    #expect(pair.session(.watch).outstanding(in: .userInfo).map(\.seq.rawValue) == [2, 5])
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 2)
    try pair.drive()
    #expect(pair.phone.effects == [[1], [4]])
    let sent = pair.watch.sent(.data, .userInfo).map(\.frame)
    #expect(sent.map(\.seq.rawValue) == [1, 2, 3, 4, 5, 6])
    #expect(sent.map { $0.flags.contains(.void) } == [true, false, true, true, false, true])
    #expect(sent.filter { $0.flags.contains(.void) }.allSatisfy { $0.payload.isEmpty })
    #expect(pair.watch.lines("transfer.finished").compactMap { $0["seq"] } == [.int(2), .int(5)])
    #expect(pair.watch.finished.map(\.rawValue) == [2, 5])
    let cancelled = pair.watch.lines("transfer.cancelled")
    #expect(cancelled.compactMap { $0["seq"] } == [.int(1), .int(3), .int(4), .int(6)])
    #expect(cancelled.allSatisfy { $0["by"] == .string("sender") })
    #expect(pair.session(.phone).inboxes[.userInfo].nextToHandle == 7)
    #expect(pair.session(.watch).outboxes[.userInfo].count == 0)
  }

  @Test func `cancelling an unknown, finished or cancelled transfer changes nothing`() throws {
    var pair = Pair()
    try pair.drive()
    let done = try pair.userInfo([1], from: .watch)
    try pair.drive()
    pair.cut()
    let next = try pair.userInfo([2], from: .watch)
    let lines = pair.watch.lines.count
    #expect(pair.cancel(.userInfo, seq: 1, done, from: .watch) == false, "finished")
    #expect(pair.cancel(.userInfo, seq: 2, done, from: .watch) == false, "another's name")
    #expect(pair.cancel(.complication, seq: 2, next, from: .watch) == false, "another lane")
    #expect(pair.cancel(.userInfo, seq: 3, next, from: .watch) == false, "not queued yet")
    #expect(pair.cancel(.userInfo, seq: 0, next, from: .watch) == false)
    #expect(pair.cancel(.userInfo, seq: .max, next, from: .watch) == false)
    #expect(pair.watch.lines.count == lines)
    #expect(pair.cancel(.userInfo, seq: 2, next, from: .watch) == true)
    #expect(pair.cancel(.userInfo, seq: 2, next, from: .watch) == false, "again")
    #expect(pair.watch.lines("transfer.cancelled").count == 1)
    pair.restart(.watch)
    #expect(pair.cancel(.userInfo, seq: 2, next, from: .watch) == false, "again, after a restart")
  }

  @Test func `a transfer in flight is cancelled, or it is too late`() throws {
    // The peer has it, and its acknowledgement is under way.
    var late = Pair()
    try late.drive()
    let first = try late.userInfo([1], from: .watch)
    try late.drive(for: .milliseconds(5))
    #expect(late.phone.effects == [[1]])
    #expect(late.cancel(.userInfo, seq: 1, first, from: .watch) == true)
    try late.drive()
    #expect(late.phone.effects == [[1]] && late.watch.finished.isEmpty)
    #expect(late.session(.watch).nextDeadline == nil)
    // Its first transmission was lost: the retransmission is void.
    var early = Pair(faults: [Self.deaf(.watchToPhone, to: .start + .milliseconds(300))])
    try early.drive(until: .start + .milliseconds(100))
    let second = try early.userInfo([1], from: .watch)
    try early.userInfo([2], from: .watch)
    try early.drive(for: .milliseconds(100))
    #expect(early.cancel(.userInfo, seq: 1, second, from: .watch) == true)
    try early.drive()
    #expect(early.phone.effects == [[2]])
    #expect(early.session(.watch).nextDeadline == nil)
  }

  @Test func `cancelled numbers pass a suspended app and a full disk`() throws {
    var pair = Pair()
    try pair.drive()
    pair.condition(.suspended, .phone)
    pair.cut()
    try pair.drive(for: .seconds(7))
    var names: [Identifier] = []
    for number: UInt8 in 0..<5 { names.append(try pair.userInfo([number], from: .watch)) }
    for seq: UInt64 in [1, 3, 4] { pair.cancel(.userInfo, seq: seq, names[Int(seq) - 1], from: .watch) }
    pair.restore()
    try pair.drive()
    #expect(pair.phone.effects.isEmpty)
    #expect(pair.session(.phone).inboxes[.userInfo].nextToHandle == 2, "the first number is skipped at once")
    pair.condition(.resumed, .phone)
    #expect(pair.phone.effects == [[1], [4]])
    #expect(pair.session(.phone).inboxes[.userInfo].nextToHandle == 6)
    // On a full disk a void needs no room.
    pair.condition(.disk(isFull: true), .phone)
    pair.cut()
    try pair.drive(for: .seconds(7))
    let sixth = try pair.userInfo([6], from: .watch)
    try pair.userInfo([7], from: .watch)
    pair.cancel(.userInfo, seq: 6, sixth, from: .watch)
    pair.restore()
    try pair.drive(for: .seconds(60))
    #expect(pair.session(.phone).inboxes[.userInfo].nextToHandle == 7)
    #expect(pair.session(.watch).outstanding(in: .userInfo).map(\.payload) == [[7]])
    pair.condition(.disk(isFull: false), .phone)
    try pair.drive()
    #expect(pair.phone.effects == [[1], [4], [7]])
  }

  @Test(arguments: 0..<24)
  func `cancelling at any time loses and repeats no other transfer`(seed: Int) throws {
    let random = RandomStream(seed: UInt64(seed), name: "test")
    let faults = [
      PlannedFault(id: "l", LossFault(.independent(Probability(0.2) ?? .never))),
      PlannedFault(id: "r", ReorderFault(probability: Probability(0.2) ?? .never, by: .milliseconds(300))),
    ]
    var pair = Pair(faults: faults, seed: UInt64(seed))
    var names: [Identifier] = []
    var cancelled: Set<UInt64> = []
    for step in 0..<150 {
      func pick(_ bound: Int, _ draw: UInt64) -> Int {
        Int(random.number(below: UInt64(bound), for: UInt64(step), draw: draw))
      }
      switch pick(10, 0) {
      case 0, 1, 2:
        guard !names.isEmpty else { continue }
        let index = max(0, names.count - 1 - pick(12, 1))
        if pair.cancel(.userInfo, seq: UInt64(index + 1), names[index], from: .watch) {
          cancelled.insert(UInt64(index))
        }
      case 3: pair.restart(pick(2, 2) == 0 ? .watch : .phone)
      case 4: pair.crash(.phone, at: ["inbox.committed", "inbox.acked", "handler.committed"][pick(3, 2)])
      default: names.append(try pair.userInfo([UInt8(names.count)], from: .watch))
      }
      try pair.drive(for: .milliseconds(Int64(pick(400, 3))))
    }
    try pair.drive()
    let numbers = pair.phone.effects.map { UInt64($0[0]) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    let missing = Set((0..<UInt64(names.count))).subtracting(numbers)
    #expect(missing.isSubset(of: cancelled), "only cancelled ones may be missing")
    #expect(!cancelled.isDisjoint(with: missing), "some cancels were in time")
    #expect(pair.session(.watch).outboxes[.userInfo].count == 0)
    #expect(pair.session(.phone).inboxes[.userInfo].nextToHandle == UInt64(names.count) + 1)
  }
}

extension MemorySessionStore {
  /// The record of the next start.
  var restarted: SessionRecord {
    var copy = self
    return copy.beginEpoch()
  }
}
