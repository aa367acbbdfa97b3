import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Epochs and hostile frames` {
  /// One end on its own, with inputs from the test.
  private struct End {
    var session: Session
    var turn = Turn(isRecording: true)
    var now = VirtualTime.start

    init(epoch: UInt32 = 1) {
      var record = SessionRecord()
      record.epoch = Epoch(epoch)
      session = Session(.init(role: .phone, random: RandomStream(seed: 1, name: "session.phone")), record: record)
    }

    mutating func link(_ isUp: Bool) {
      turn.now = now
      session.receiveLink(isUp: isUp, clock: 0, in: &turn)
    }

    mutating func take(_ frame: Frame, clock: Int64 = 0) {
      turn.now = now
      session.receive(frame, clock: clock, in: &turn)
    }

    var refused: Int {
      turn.items.count { if case .event(let event) = $0 { event.name == "frame.refused" } else { false } }
    }
    var frames: [Frame] { turn.items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
    var messages: [[UInt8]] {
      turn.deliveries.compactMap { if case .message(let payload, _, _, _, false) = $0 { payload } else { nil } }
    }
  }

  private static func hello(_ epoch: UInt32, next: [UInt64] = [1, 1, 1, 1], clock: Int64 = 0) -> Frame {
    Frame(
      kind: .hello, channel: .message, epoch: Epoch(epoch), seq: SequenceNumber(0),
      payload: Hello(clock: clock, nextSeqs: next).encoded)
  }

  private static func data(_ channel: Channel, _ epoch: UInt32, _ seq: UInt64) -> Frame {
    Frame(
      kind: .data, channel: channel, epoch: Epoch(epoch), peerEpoch: Epoch(1), seq: SequenceNumber(seq),
      transfer: Identifier(high: 1, low: seq), payload: [UInt8(truncatingIfNeeded: seq)])
  }

  @Test(arguments: [Channel.message, .applicationContext, .userInfo], [UInt32(0), 1, 2])
  func `a frame of an epoch that no hello announced is refused`(channel: Channel, epoch: UInt32) {
    var end = End()
    end.link(true)
    if epoch == 2 { end.take(Self.hello(1)) }
    let before = end.frames.count
    end.take(Self.data(channel, epoch, 1))
    #expect(end.refused == 1)
    #expect(end.frames.count == before, "nothing is acknowledged")
    #expect(end.messages.isEmpty)
    #expect(end.session.inboxes[.userInfo].isSettled && end.session.contexts.received == nil)
  }

  @Test func `messages of an earlier epoch are stale, and so are those below the number in a hello`() {
    var end = End()
    end.link(true)
    end.take(Self.hello(1))
    end.take(Self.data(.message, 1, 1))
    end.take(Self.hello(2, next: [10, 1, 1, 1]))
    for seq: UInt64 in [2, 3] { end.take(Self.data(.message, 1, seq)) }
    for seq: UInt64 in [1, 9, 10, 11, 10] { end.take(Self.data(.message, 2, seq)) }
    #expect(end.messages == [[1], [10], [11]])
    end.take(Self.hello(1))
    end.take(Self.data(.message, 2, 12))
    #expect(end.messages.last == [12], "a late hello of an earlier epoch starts nothing")
  }

  @Test func `a copy of a message that the previous epoch had handled has no effect on the next`() throws {
    let late = PlannedFault(
      id: "d", channels: [.message], DuplicateFault(probability: .always))
    let slow = PlannedFault(
      id: "s", channels: [.message], DelayFault(mean: .seconds(2), jitter: .seconds(2), distribution: .uniform))
    for seed: UInt64 in 0..<12 {
      var pair = Pair(faults: [late, slow], seed: seed)
      try pair.drive()
      for number: UInt8 in 0..<10 {
        pair.message([number], from: .watch)
        try pair.drive(for: .milliseconds(600))
        if number == 4 { pair.restart(.phone) }
      }
      try pair.drive()
      #expect(Set(pair.phone.messages).count == pair.phone.messages.count, "seed \(seed)")
      #expect(pair.session(.watch).isReachable && pair.session(.phone).isReachable)
      pair.message([200], from: .watch)
      try pair.drive()
      #expect(pair.phone.messages.last == [200])
    }
  }

  @Test func `a restarted peer gets everything outstanding exactly once`() throws {
    var pair = Pair()
    try pair.drive()
    pair.cut()
    for number: UInt8 in 0..<40 { try pair.userInfo([number], from: .watch) }
    try pair.drive(for: .seconds(10))
    pair.restart(.watch)
    pair.restart(.phone)
    #expect(pair.session(.watch).epoch == Epoch(2))
    for number: UInt8 in 40..<50 { try pair.userInfo([number], from: .watch) }
    pair.restore()
    try pair.drive()
    #expect(pair.phone.effects == (0..<50).map { [UInt8($0)] })
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.phone.effects.count == 50)
    #expect(pair.session(.phone).isReachable)
  }

  @Test func `a restart of either side is noticed, and each side sends its hello to the new one`() throws {
    var pair = Pair()
    try pair.drive()
    pair.restart(.phone)
    try pair.drive()
    #expect(pair.watch.epochsOfPeer == [Epoch(1), Epoch(2)])
    #expect(pair.watch.reachability == [true, false, true])
    #expect(pair.message([1], from: .phone).error == nil)
    #expect(pair.message([2], from: .watch).seq == SequenceNumber(1), "the watch's own epoch continues")
    try pair.drive()
    #expect(pair.watch.messages == [[1]] && pair.phone.messages == [[2]])
  }

  @Test func `a hello is not repeated for ever if its confirmation arrived before the link was lost`() throws {
    var end = End()
    end.link(true)
    end.take(Self.hello(1))
    let confirmation = Frame(
      kind: .ack, channel: .message, epoch: Epoch(2), peerEpoch: Epoch(1), seq: SequenceNumber(0))
    end.take(confirmation)
    #expect(!end.session.isReachable, "confirmed by an epoch whose hello has not arrived")
    end.link(false)
    end.link(true)
    #expect(end.session.nextDeadline != nil)
    end.take(Self.hello(2))
    end.take(confirmation)
    #expect(end.session.isReachable)
    #expect(end.session.nextDeadline == nil)
  }

  @Test(arguments: [
    (Int64(5), Int64(3), Int64(2)), (.max, -1, 1 << 62), (.min, 1, -(1 << 62)), (.min, .max, -(1 << 62)),
    (.max, .min, 1 << 62), (0, .min, 1 << 62),
  ])
  func `the clocks' difference is bounded whatever a hello says`(theirs: Int64, ours: Int64, difference: Int64) {
    var end = End()
    end.take(Self.hello(1, clock: theirs), clock: ours)
    let delivered = end.turn.deliveries.compactMap {
      if case .peerStarted(_, let difference) = $0 { difference } else { nil }
    }
    #expect(delivered == [difference])
  }

  @Test func `a repeated hello carries the clock of its attempt`() throws {
    var session = Session(
      Session.Configuration(role: .watch, random: RandomStream(seed: 1, name: "hello")))
    var turn = Turn(isRecording: false)
    session.receiveLink(isUp: true, clock: 1_000, in: &turn)
    let due = try #require(session.nextDeadline)
    turn.now = due
    session.fire(clock: 1_000 + due.nanoseconds, in: &turn)
    let clocks = turn.items.compactMap { item in
      if case .frame(let frame) = item { Hello(frame.payload)?.clock } else { nil }
    }
    #expect(clocks == [1_000, 1_000 + due.nanoseconds])
  }

  @Test func `garbage in a hello is refused`() {
    var end = End()
    end.link(true)
    var good = Hello(clock: 1, nextSeqs: [1, 1, 1, 1], nextComplication: 1).encoded
    #expect(good.count == 50)
    for count in 0..<42 {
      end.take(
        Frame(kind: .hello, channel: .file, epoch: Epoch(7), seq: SequenceNumber(0), payload: Array(good.prefix(count)))
      )
    }
    good[0] = 0
    end.take(Frame(kind: .hello, channel: .message, epoch: Epoch(7), seq: SequenceNumber(0), payload: good))
    end.take(Self.hello(0))
    #expect(end.refused == 44)
    #expect(end.turn.deliveries.isEmpty)
    good[0] = 2
    end.take(
      Frame(kind: .hello, channel: .message, epoch: Epoch(7), seq: SequenceNumber(0), payload: good + [1, 2, 3]))
    #expect(end.turn.deliveries.count == 1, "further bytes of a later version are ignored")
  }

  @Test func `a hello of an earlier release, without the number of complication transfers, is accepted`() {
    let whole = Hello(clock: 5, nextSeqs: [1, 2, 3, 4], nextComplication: 6)
    for count in 42...50 {
      let read = Hello(Array(whole.encoded.prefix(count)))
      #expect(read?.nextSeqs == [1, 2, 3, 4] && read?.clock == 5)
      #expect(read?.nextComplication == (count == 50 ? 6 : nil))
    }
  }

  @Test func `a duplicate of a message with the largest number is recorded without a trap`() {
    var end = End()
    end.take(Self.hello(1))
    for _ in 0..<2 { end.take(Self.data(.message, 1, .max)) }
    end.take(Self.data(.applicationContext, 1, .max))
    end.take(Self.data(.userInfo, 1, .max))
    #expect(end.messages.count == 1)
    #expect(end.refused == 1)
  }

  /// Whatever a peer sends, a session neither traps nor stores more than a multiple of a window of it.
  @Test(arguments: 0..<16)
  func `any frames in any order end in a bounded state`(seed: Int) {
    let random = RandomStream(seed: UInt64(seed), name: "hostile")
    var end = End()
    end.link(true)
    _ = try? end.session.transferUserInfo([1], details: .init(), in: &end.turn)
    let numbers: [UInt64] = [0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 1_023, 1_024, 1 << 32, 1 << 63, .max - 1, .max]
    let epochs: [UInt32] = [0, 1, 1, 1, 2, 3, .max]
    var handled: UInt64 = 0
    for step: UInt64 in 0..<4_000 {
      func pick<T>(_ list: [T], _ draw: UInt64) -> T {
        list[Int(random.number(below: UInt64(list.count), for: step, draw: draw))]
      }
      end.now = end.now + .milliseconds(Int64(random.number(below: 50, for: step, draw: 9)))
      let kind = pick(Frame.Kind.allCases, 0)
      let epoch = step < 3_000 ? pick(Array(epochs.dropLast()), 2) : pick(epochs, 2)
      let payload: [UInt8] =
        kind == .hello && pick([true, true, false], 3)
        ? Hello(clock: Int64(bitPattern: pick(numbers, 4)), nextSeqs: (0..<4).map { _ in pick(numbers, 5) }).encoded
        : [UInt8](repeating: 1, count: Int(pick([0, 1, 41, 43], 6)))
      end.take(
        Frame(
          kind: kind, channel: pick(Channel.ofLink, 1),
          flags: Frame.Flags(rawValue: UInt8(pick([0, 1, 2, 8, 255], 7))),
          attempt: UInt16(truncatingIfNeeded: pick(numbers, 8)), epoch: Epoch(epoch),
          peerEpoch: Epoch(pick(epochs, 10)), seq: SequenceNumber(pick(numbers, 11)), offset: pick(numbers, 12),
          transfer: Identifier(high: pick(numbers, 13), low: 1), payload: payload),
        clock: Int64(bitPattern: pick(numbers, 14)))
      if let due = end.session.nextDeadline, due <= end.now {
        end.turn.now = end.now
        end.session.fire(clock: 0, in: &end.turn)
        if let next = end.session.nextDeadline { #expect(next > end.now) }
      }
      for case .userInfo(let entry) in end.turn.deliveries {
        handled += 1
        #expect(entry.seq.rawValue == handled)
        end.session.markHandled(entry, in: &end.turn)
      }
      #expect(end.turn.items.count < 80, "one input makes at most a window of orders and a few more")
      end.turn.items = []
      end.turn.deliveries = []
      if step % 50 == 0 { end.link(step % 100 != 0) }
      end.turn.items = []
      end.turn.deliveries = []
    }
    for inbox in end.session.inboxes {
      #expect(inbox.entries.count + inbox.ahead.count <= LaneRecord.pageMax)
    }
    #expect(end.session.outboxes[.userInfo].slots.count <= 1)
    #expect(end.session.messages.pending.isEmpty)
  }

  @Test func `events that arrive while nothing is handled are stored up to a bound`() {
    var end = End()
    end.link(true)
    end.take(Self.hello(1))
    for seq: UInt64 in 2...1_000 { end.take(Self.data(.userInfo, 1, seq)) }
    let inbox = end.session.inboxes[.userInfo]
    #expect(inbox.aheadMask.nonzeroBitCount == 127)
    #expect(inbox.entries.count + inbox.ahead.count == LaneRecord.pageMax, "the others are only in the store")
    #expect(end.refused == 1_000 - 128)
  }

  // MARK: The filter

  @Test(arguments: 0..<8)
  func `the duplicate filter agrees with a set on all numbers that it must remember`(seed: Int) {
    let random = RandomStream(seed: UInt64(seed), name: "filter")
    var filter = DuplicateFilter()
    var seen: Set<UInt64> = []
    var highest: UInt64 = 0
    for step: UInt64 in 0..<20_000 {
      let ahead = random.number(below: 100, for: step, draw: 0) == 0 ? 5_000 : UInt64(8)
      let number = highest &+ random.number(below: ahead, for: step, draw: 1)
      let back = random.number(below: 1_200, for: step, draw: 2)
      let candidate = random.number(below: 2, for: step, draw: 3) == 0 ? number : (number > back ? number - back : 1)
      guard candidate > 0 else { continue }
      let isNew = filter.insert(SequenceNumber(candidate))
      if isNew {
        #expect(!seen.contains(candidate), "\(candidate) twice")
      } else {
        #expect(
          seen.contains(candidate) || highest - candidate >= 960, "\(candidate) is new, the highest is \(highest)")
      }
      seen.insert(candidate)
      highest = max(highest, candidate)
    }
  }

  @Test(arguments: [UInt64(0), 1, 2, 63, 64, 65, 1_000, 1_024, 5_000, .max - 70, .max])
  func `a filter that starts at a number has seen all before it and none from it on`(next: UInt64) {
    var filter = DuplicateFilter(next: next)
    let first = max(next, 1)
    for back: UInt64 in 1...1_100 where first > back {
      if filter.insert(SequenceNumber(first - back)) { Issue.record("\(first - back) was new") }
    }
    for ahead: UInt64 in [3, 0, 1, 2, 64] where first <= .max - ahead {
      if !filter.insert(SequenceNumber(first + ahead)) { Issue.record("\(first + ahead) was seen") }
    }
  }
}
