import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Long queues` {
  private static func payload(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  /// Checks that each box has at most a page in memory, whatever the store holds.
  private static func checkMemory(_ pair: Pair) {
    for role in [NodeRole.watch, .phone] {
      let session = pair.session(role)
      for lane in Lane.allCases {
        #expect(session.outboxes[lane].slots.count <= LaneRecord.pageMax)
        #expect(session.inboxes[lane].entries.count + session.inboxes[lane].ahead.count <= LaneRecord.pageMax)
      }
    }
  }

  @Test func `thousands of entries queued while unreachable are delivered in order, with one page in memory`() throws {
    var pair = Pair()
    try pair.drive()
    pair.cut()
    try pair.drive(for: .seconds(10))
    pair.isRecording = false
    for number in 0..<5_000 {
      try pair.userInfo(Self.payload(number), from: .watch)
      if number % 100 == 0 { Self.checkMemory(pair) }
    }
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 5_000)
    #expect(pair.session(.watch).outstanding(in: .userInfo).map(\.seq.rawValue) == Array(1...64))
    pair.restore()
    var end = pair.now
    for _ in 0..<200 {
      end = end + .milliseconds(20)
      try pair.drive(until: end)
      Self.checkMemory(pair)
    }
    try pair.drive()
    #expect(pair.phone.effects == (0..<5_000).map(Self.payload))
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 0)
  }

  /// Queues, cancels and restarts at random, and compares with a list.
  @Test(arguments: 0..<24)
  func `long queues of all lanes agree with a list, across cancelling and restarts of either side`(seed: Int) throws {
    let random = RandomStream(seed: UInt64(seed), name: "test")
    var pair = Pair(seed: UInt64(seed))
    try pair.drive()
    var queued: [Lane: [(seq: UInt64, transfer: Identifier, payload: [UInt8])]] = [:]
    var cancelled: Set<Identifier> = []
    var cancelledBefore: Set<Identifier> = []
    for round in 0..<4 {
      pair.cut()
      try pair.drive(for: .seconds(10))
      let count = 20 + Int(random.number(below: 300, for: UInt64(round), draw: 0))
      for number in 0..<count {
        let key = UInt64(round * 1_000 + number)
        let payload = Self.payload(round * 1_000 + number)
        let lane: Lane = random.number(below: 8, for: key, draw: 1) == 0 ? .complication : .userInfo
        let seq = pair.session(.watch).nextSeq(in: lane).rawValue
        if lane == .complication {
          let result = try pair.complication(payload, from: .watch)
          let isFirst50 = queued[.complication, default: []].count < 50
          #expect(result.isComplication == isFirst50)
          let real: Lane = isFirst50 ? .complication : .userInfo
          let place = isFirst50 ? seq : pair.session(.watch).nextSeq(in: .userInfo).rawValue - 1
          queued[real, default: []].append((place, result.transfer, payload))
        } else {
          queued[lane, default: []].append((seq, try pair.userInfo(payload, from: .watch), payload))
        }
        // Entries of this round, none of which has been sent.
        let waiting = queued[.userInfo, default: []].filter { $0.payload[0] >= Self.payload(round * 1_000)[0] }
          .filter { Int($0.payload[0]) << 8 + Int($0.payload[1]) >= round * 1_000 }
        if !waiting.isEmpty, random.number(below: 10, for: key, draw: 2) == 0 {
          let entry = waiting[Int(random.number(below: UInt64(waiting.count), for: key, draw: 3))]
          // Entries cancelled in an earlier epoch are recognized once they are in memory.
          guard !cancelledBefore.contains(entry.transfer) else { continue }
          let isNew = cancelled.insert(entry.transfer).inserted
          #expect(pair.cancel(.userInfo, seq: entry.seq, entry.transfer, from: .watch) == isNew)
        }
        if random.number(below: 200, for: key, draw: 4) == 0 {
          pair.restart(.watch)
          cancelledBefore = cancelled
        }
      }
      Self.checkMemory(pair)
      pair.restore()
      let pause = Int64(random.number(below: 1_100, for: UInt64(round), draw: 5))
      try pair.drive(for: .seconds(1) + .milliseconds(pause))
      switch random.number(below: 3, for: UInt64(round), draw: 6) {
      case 0: pair.restart(.watch)
      case 1: pair.restart(.phone)
      default: break
      }
      Self.checkMemory(pair)
      try pair.drive()
    }
    for lane in [Lane.userInfo, .complication] {
      let expected = queued[lane, default: []].filter { !cancelled.contains($0.transfer) }.map(\.payload)
      #expect(lane == .userInfo ? pair.phone.effects == expected : pair.phone.complications == expected)
      #expect(pair.session(.watch).outstandingCount(in: lane) == 0)
    }
    #expect(pair.watch.lines("transfer.cancelled").count == cancelled.count)
    #expect(cancelled.count > 5)
  }

  @Test(arguments: [false, true])
  func `the inbox of a suspended app is delivered page by page, in order`(restarts: Bool) throws {
    var pair = Pair()
    try pair.drive()
    pair.condition(.suspended, .phone)
    for number in 0..<1_000 {
      try pair.userInfo(Self.payload(number), from: .watch)
      if number % 20 == 0 {
        try pair.drive(for: .milliseconds(50))
        Self.checkMemory(pair)
      }
    }
    try pair.drive()
    #expect(pair.phone.effects.isEmpty)
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 0, "the system of a suspended app acknowledges")
    #expect(pair.session(.phone).inboxes[.userInfo].receivedThrough == 1_000)
    Self.checkMemory(pair)
    if restarts {
      pair.restart(.phone)
    } else {
      pair.condition(.resumed, .phone)
    }
    #expect(pair.phone.effects == (0..<1_000).map(Self.payload), "at the instant of the wake-up")
    try pair.drive()
    #expect(pair.phone.effects.count == 1_000)
  }

  @Test func `after a restart, closing a gap releases the entries in the store after it`() throws {
    // Number 1 arrives last: 2 to 32 wait for it in the store, over a restart of the receiver.
    let deaf = PlannedFault(
      id: "deaf", begin: .start + .milliseconds(50), end: .start + .milliseconds(100), channels: [.userInfo],
      LossFault(.independent(.always)))
    var pair = Pair(faults: [deaf])
    try pair.drive(until: .start + .milliseconds(60))
    try pair.userInfo(Self.payload(0), from: .watch)
    try pair.drive(until: .start + .milliseconds(110))
    for number in 1..<32 { try pair.userInfo(Self.payload(number), from: .watch) }
    try pair.drive(until: .start + .milliseconds(200))
    let inbox = pair.session(.phone).inboxes[.userInfo]
    #expect(inbox.receivedThrough == 0 && inbox.aheadMask.nonzeroBitCount == 31)
    pair.restart(.phone)
    #expect(pair.session(.phone).inboxes[.userInfo].ahead.isEmpty, "their payloads are only in the store")
    #expect(pair.session(.phone).inboxes[.userInfo].aheadMask == inbox.aheadMask)
    try pair.drive()
    #expect(pair.phone.effects == (0..<32).map(Self.payload))
  }

  @Test func `a session that starts with a page knows the whole count and gives no identifier twice`() throws {
    var pair = Pair()
    for number in 0..<200 { try pair.userInfo(Self.payload(number), from: .watch) }
    let names = pair.watch.lines("transfer.queued").compactMap { $0["transfer"] }
    pair.restart(.watch)
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 200)
    try pair.userInfo(Self.payload(200), from: .watch)
    #expect(pair.session(.watch).outstandingCount(in: .userInfo) == 201)
    let all = pair.watch.lines("transfer.queued").compactMap { $0["transfer"] }
    #expect(all.count == 201 && !names.contains { $0 == all[200] })
    try pair.drive()
    #expect(pair.phone.effects == (0...200).map(Self.payload))
  }

  // MARK: The queue itself

  @Test(arguments: 0..<8)
  func `a numbered queue agrees with an array`(seed: Int) {
    let random = RandomStream(seed: UInt64(seed), name: "queue")
    var queue = NumberedQueue<QueueEntry>()
    var model: [UInt64] = []
    var next: UInt64 = 1
    func entry(_ seq: UInt64) -> QueueEntry {
      QueueEntry(transfer: Identifier(high: 0, low: seq), seq: SequenceNumber(seq), flags: [], payload: [])
    }
    for step: UInt64 in 0..<5_000 {
      func pick(_ bound: Int, _ draw: UInt64) -> Int {
        Int(random.number(below: UInt64(max(1, bound)), for: step, draw: draw))
      }
      switch pick(8, 0) {
      case 0, 1, 2:
        next += UInt64(1 + pick(3, 1))
        queue.append(entry(next))
        model.append(next)
      case 3:
        let seq = UInt64(pick(Int(next), 2)) + 1
        let isNew = !model.contains(seq)
        #expect(queue.insert(entry(seq)) == isNew)
        if isNew { model = (model + [seq]).sorted() }
        next = max(next, seq)
      case 4, 5:
        guard !model.isEmpty else { continue }
        let index = pick(min(model.count, 40), 3)
        queue.remove(at: index)
        model.remove(at: index)
      case 6:
        let count = pick(min(model.count + 1, 6), 4)
        queue.removeFirst(count)
        model.removeFirst(count)
      default:
        let seq = UInt64(pick(Int(next) + 2, 5))
        #expect(queue.index(of: SequenceNumber(seq)) == model.firstIndex(of: seq))
        #expect(
          queue.page(from: SequenceNumber(seq), limit: 5).map(\.seq.rawValue)
            == Array(model.filter { $0 >= seq }.prefix(5)))
      }
      #expect(queue.count == model.count && queue.first?.seq.rawValue == model.first)
    }
    #expect(queue.elements.map(\.seq.rawValue) == model)
  }
}
