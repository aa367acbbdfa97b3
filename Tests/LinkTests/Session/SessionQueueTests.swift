import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Contexts and queued events` {
  private static func payload(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  private static func deaf(
    _ direction: Direction, _ channel: Channel, from begin: VirtualTime = .start, to end: VirtualTime? = nil
  ) -> PlannedFault {
    PlannedFault(
      id: "deaf", begin: begin, end: end, direction: direction, channels: [channel], LossFault(.independent(.always)))
  }

  // MARK: Contexts

  @Test func `the latest context wins, and those it replaced are never delivered`() throws {
    var pair = Pair()
    for number in 1...5 { try pair.context([UInt8(number)], from: .watch) }
    try pair.drive()
    #expect(pair.phone.contexts == [[5]])
    #expect(pair.session(.phone).receivedApplicationContext == [5])
  }

  @Test func `an identical context is not sent again`() throws {
    var pair = Pair()
    try pair.drive()
    for _ in 0..<3 {
      try pair.context([7], from: .watch)
      try pair.drive()
    }
    #expect(pair.watch.sent(.data, .applicationContext).count == 1)
    #expect(pair.watch.lines("context.set").count == 1)
    #expect(pair.phone.contexts == [[7]])
    try pair.context([8], from: .watch)
    try pair.context([7], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts.last == [7])
  }

  @Test func `a context that a cut swallowed is delivered at the reconnect, once`() throws {
    var pair = Pair()
    try pair.drive()
    pair.cut()
    try pair.context([1], from: .watch)
    try pair.drive(for: .seconds(60))
    #expect(pair.phone.contexts.isEmpty)
    let sent = pair.watch.sent(.data, .applicationContext).count
    try pair.drive(for: .seconds(600))
    #expect(pair.watch.sent(.data, .applicationContext).count == sent, "nothing is sent while unreachable")
    pair.restore()
    try pair.drive()
    #expect(pair.phone.contexts == [[1]])
    #expect(pair.session(.watch).nextDeadline == nil)
  }

  @Test func `a context is repeated until an acknowledgement gets through, and delivered once`() throws {
    var pair = Pair(faults: [Self.deaf(.phoneToWatch, .applicationContext, to: .start + .seconds(20))])
    try pair.context([1], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == [[1]])
    #expect(pair.watch.sent(.data, .applicationContext).count > 4)
    #expect(pair.now > .start + .seconds(20))
  }

  @Test(arguments: 0..<20)
  func `a context gets through a lossy link whatever the seed`(seed: Int) throws {
    let loss = PlannedFault(id: "half", LossFault(.independent(Probability(0.6) ?? .never)))
    var pair = Pair(faults: [loss], seed: UInt64(seed))
    try pair.context([1], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == [[1]])
    #expect(pair.session(.watch).isReachable && pair.session(.phone).isReachable)
  }

  @Test func `a late context does not replace a later one`() throws {
    let hold = PlannedFault(
      id: "h", end: .start + .seconds(2), channels: [.applicationContext],
      ReorderFault(probability: .always, by: .seconds(5)))
    var pair = Pair(faults: [hold])
    try pair.drive(until: .start + .milliseconds(500))
    try pair.context([1], from: .watch)
    try pair.drive(until: .start + .seconds(2))
    try pair.context([2], from: .watch)
    try pair.drive()
    #expect(pair.phone.contexts == [[2]])
    #expect(pair.session(.phone).receivedApplicationContext == [2])
  }

  @Test func `a context survives the restart of either side`() throws {
    var pair = Pair()
    try pair.drive()
    pair.cut()
    try pair.context([1], from: .watch)
    try pair.drive(for: .seconds(10))
    pair.restart(.watch)
    pair.restore()
    try pair.drive()
    #expect(pair.phone.contexts == [[1]])
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.session(.phone).receivedApplicationContext == [1])
    #expect(pair.phone.contexts == [[1], [1]], "delivered again at the start")
    #expect(pair.phone.lines("context.received").count == 1)
    let sent = pair.watch.sent(.data, .applicationContext)
    #expect(sent.count { $0.frame.epoch == Epoch(2) } == 1, "and not sent again")
  }

  // MARK: Queued events

  @Test(arguments: 0..<24)
  func `events are handled exactly once and in order, whatever happens to the link and to either process`(
    seed: Int
  ) throws {
    let random = RandomStream(seed: UInt64(seed), name: "test")
    let faults = [
      PlannedFault(id: "loss", LossFault(.independent(Probability(0.25) ?? .never))),
      PlannedFault(id: "order", ReorderFault(probability: Probability(0.2) ?? .never, by: .milliseconds(700))),
      PlannedFault(id: "twice", DuplicateFault(probability: Probability(0.3) ?? .never, copies: 2)),
      PlannedFault(
        id: "late", DelayFault(mean: .milliseconds(200), jitter: .milliseconds(150), distribution: .exponential)),
    ]
    var pair = Pair(faults: faults, seed: UInt64(seed))
    let points = ["outbox.committed", "inbox.committed", "inbox.acked"]
    var queued: [NodeRole: [[UInt8]]] = [:]
    for step in 0..<120 {
      let key = UInt64(step)
      let role: NodeRole = random.number(below: 4, for: key, draw: 0) == 0 ? .phone : .watch
      switch random.number(below: 12, for: key, draw: 1) {
      case 0: pair.cut()
      case 1, 2: pair.restore()
      case 3: if step % 3 == 0 { pair.restart(role) }
      case 4: pair.crash(role, at: points[Int(random.number(below: 3, for: key, draw: 2))])
      default:
        try pair.userInfo(Self.payload(step), from: role)
        queued[role, default: []].append(Self.payload(step))
      }
      try pair.drive(for: .milliseconds(Int64(random.number(below: 4_000, for: key, draw: 3))))
    }
    pair.restore()
    try pair.drive()
    #expect(pair.phone.effects == queued[.watch])
    #expect(pair.watch.effects == queued[.phone] ?? [])
    for role in [NodeRole.watch, .phone] {
      #expect(pair.session(role).outstanding(in: .userInfo).isEmpty)
      #expect(pair.session(role).nextDeadline == nil)
      #expect(pair.session(role).inboxes[.userInfo].isSettled)
    }
    // Each finish was reported once, if the process was alive.
    #expect(Set(pair.watch.finished).count == pair.watch.finished.count)
  }

  @Test func `repeats come after half a second, doubling to thirty, with a quarter of jitter at most`() throws {
    var pair = Pair(faults: [Self.deaf(.watchToPhone, .userInfo)])
    try pair.drive()
    try pair.userInfo([1], from: .watch)
    try pair.drive(for: .seconds(300))
    let sent = pair.watch.sent(.data, .userInfo)
    #expect(sent.map(\.frame.attempt) == Array(1...UInt16(sent.count)))
    #expect(sent.count >= 11)
    var base = 0.5
    var jitters: Set<Double> = []
    for (before, after) in zip(sent, sent.dropFirst()) {
      let wait = (after.at - before.at).seconds
      #expect(wait >= base && wait < base * 1.25, "attempt \(after.frame.attempt) after \(wait) s")
      jitters.insert(wait / base)
      base = min(base * 2, 30)
    }
    #expect(jitters.count > 5, "the jitter is drawn for each attempt")
  }

  @Test func `at most thirty-two are unacknowledged at once, and an acknowledgement releases the next one`() throws {
    var pair = Pair(faults: [Self.deaf(.phoneToWatch, .userInfo, to: .start + .seconds(60))])
    for number in 0..<100 { try pair.userInfo(Self.payload(number), from: .watch) }
    try pair.drive(until: .start + .seconds(59))
    let seqs = Set(pair.watch.sent(.data, .userInfo).map(\.frame.seq.rawValue))
    #expect(seqs == Set(1...32))
    try pair.drive()
    #expect(pair.phone.effects == (0..<100).map(Self.payload))
  }

  @Test func `the window counts from the oldest owed entry, so that a receiver stores no more than a window`() throws {
    // Number 1 never gets through for a minute; all others do.
    var pair = Pair()
    try pair.drive()
    var session = pair.session(.watch)
    var turn = Turn(at: pair.now, isRecording: false)
    for number in 0..<200 {
      _ = try session.transferUserInfo(Self.payload(number), details: .init(), in: &turn)
    }
    var sent: Set<UInt64> = []
    func take() {
      for case .frame(let frame) in turn.items where frame.kind == .data {
        sent.insert(frame.seq.rawValue)
      }
      turn.items = []
    }
    take()
    for seq: UInt64 in 2...40 {
      guard let entry = session.outstanding(in: .userInfo).first(where: { $0.seq.rawValue == seq }), sent.contains(seq)
      else { break }
      let ack = Frame(
        kind: .ack, channel: .userInfo, epoch: Epoch(1), peerEpoch: Epoch(1), seq: entry.seq, transfer: entry.transfer)
      session.receive(ack, clock: 0, in: &turn)
      take()
    }
    #expect(sent == Set(1...32))
    #expect(session.outstanding(in: .userInfo).first?.seq == SequenceNumber(1))
  }

  @Test func `nothing is repeated while unreachable, and attempts keep counting after the reconnect`() throws {
    var pair = Pair(faults: [Self.deaf(.phoneToWatch, .userInfo, to: .start + .seconds(100))])
    for number in 0..<3 { try pair.userInfo(Self.payload(number), from: .watch) }
    try pair.drive(until: .start + .seconds(10))
    pair.cut()
    try pair.drive(for: .seconds(6))
    let before = pair.watch.sent(.data, .userInfo)
    try pair.drive(for: .seconds(200))
    #expect(pair.watch.sent(.data, .userInfo).count == before.count)
    pair.restore()
    try pair.drive()
    let after = pair.watch.sent(.data, .userInfo).dropFirst(before.count)
    #expect(after.map(\.frame.seq.rawValue) == [1, 2, 3])
    #expect(Set(after.map(\.at)).count == 1)
    for frame in after.map(\.frame) {
      let last = before.last { $0.frame.seq == frame.seq }?.frame.attempt ?? 0
      #expect(frame.attempt == last + 1, "draws about a frame depend on its attempt")
    }
    #expect(pair.phone.effects.count == 3)
  }

  /// A link that comes and goes draws new fates each time.
  @Test(arguments: 0..<16)
  func `a link that flaps does not lose the same frame for ever`(seed: Int) throws {
    let loss = PlannedFault(id: "half", LossFault(.independent(Probability(0.5) ?? .never)))
    var pair = Pair(faults: [loss], seed: UInt64(seed))
    try pair.drive()
    for number in 0..<10 { try pair.userInfo(Self.payload(number), from: .watch) }
    for _ in 0..<40 {
      try pair.drive(for: .seconds(2))
      pair.cut()
      try pair.drive(for: .seconds(7))
      pair.restore()
    }
    #expect(pair.phone.effects == (0..<10).map(Self.payload))
  }

  @Test func `an event that was acknowledged and not handled is delivered at the next start`() throws {
    var pair = Pair()
    try pair.drive()
    pair.crash(.phone, at: "inbox.acked")
    try pair.userInfo([1], from: .watch)
    try pair.drive()
    #expect(pair.crashes(.phone) == 1)
    #expect(pair.watch.finished.count == 1)
    #expect(pair.phone.effects == [[1]])
  }

  @Test(arguments: ["outbox.committed", "inbox.committed", "inbox.acked"])
  func `a crash at a named point loses and repeats nothing`(point: String) throws {
    var pair = Pair()
    try pair.drive()
    for number in 0..<20 {
      pair.crash(point == "outbox.committed" ? .watch : .phone, at: point)
      try pair.userInfo(Self.payload(number), from: .watch)
      try pair.drive(for: .milliseconds(Int64(number) * 300))
    }
    try pair.drive()
    #expect(pair.crashes(point == "outbox.committed" ? .watch : .phone) >= 10)
    #expect(pair.phone.effects == (0..<20).map(Self.payload))
  }

  @Test func `the channels do not wait for each other`() throws {
    var pair = Pair(faults: [Self.deaf(.watchToPhone, .userInfo)])
    try pair.drive()
    try pair.userInfo([1], from: .watch)
    try pair.context([2], from: .watch)
    pair.message([3], from: .watch)
    try pair.drive(for: .seconds(1))
    #expect(pair.phone.contexts == [[2]] && pair.phone.messages == [[3]] && pair.phone.effects.isEmpty)
    #expect(pair.session(.watch).outstanding(in: .userInfo).map(\.payload) == [[1]])
  }
}
