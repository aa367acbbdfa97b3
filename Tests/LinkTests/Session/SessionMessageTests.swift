import Link
import LinkTestSupport
import Testing

@Suite struct `Messages` {
  private static func connected(_ profile: LinkProfile = LinkProfile(latency: .milliseconds(5))) throws -> Pair {
    var pair = Pair(profile: profile)
    try pair.drive()
    return pair
  }

  @Test func `a session is reachable once each side's hello is confirmed, and sends nothing else before`() throws {
    var pair = Pair()
    #expect(pair.message([1], from: .watch).error == .notReachable)
    try pair.userInfo([2], from: .watch)
    try pair.context([3], from: .watch)
    try pair.drive(until: .start)
    #expect(!pair.session(.watch).isReachable)
    try pair.drive()
    for role in [NodeRole.watch, .phone] {
      let log = pair.log(role)
      #expect(pair.session(role).isReachable)
      #expect(log.sent.first?.frame.kind == .hello)
      #expect(log.reachability == [true])
      #expect(log.lines("reachability").map(\.time) == [.start + .milliseconds(10)])
      #expect(log.sent(.hello, .message).count == 1)
      #expect(log.epochsOfPeer == [Epoch(1)])
    }
    #expect(pair.phone.effects == [[2]])
    #expect(pair.phone.contexts == [[3]])
    #expect(pair.phone.messages.isEmpty)
  }

  @Test func `a lost hello is retransmitted until it is confirmed`() throws {
    let loss = PlannedFault(
      id: "l", end: .start + .seconds(4), direction: .watchToPhone, LossFault(.independent(.always)))
    var pair = Pair(faults: [loss])
    try pair.drive()
    #expect(pair.session(.watch).isReachable && pair.session(.phone).isReachable)
    let hellos = pair.watch.sent(.hello, .message)
    #expect(hellos.map(\.frame.attempt) == Array(1...UInt16(hellos.count)))
    #expect(hellos.count >= 4)
  }

  @Test func `a refused message uses up its number, and the next one shows the gap`() throws {
    var pair = Pair()
    #expect(pair.message([1], from: .watch).seq == SequenceNumber(1))
    try pair.drive()
    let large = pair.message([UInt8](repeating: 0, count: 65_537), from: .watch)
    #expect(large.seq == SequenceNumber(2) && large.error == .payloadTooLarge)
    #expect(pair.message([3], from: .watch).error == nil)
    try pair.drive()
    #expect(pair.watch.sent(.data, .message).map(\.frame.seq) == [SequenceNumber(3)])
    #expect(pair.phone.messages == [[3]])
    let refused = pair.watch.lines("message.refused")
    #expect(refused.map { $0["seq"] } == [.int(1), .int(2)])
    #expect(refused.map { $0["error"] } == [.string("notReachable"), .string("payloadTooLarge")])
  }

  @Test func `payload limits are inclusive, and one more byte is refused with nothing queued`() throws {
    var pair = try Self.connected()
    let most = [UInt8](repeating: 1, count: 65_536)
    #expect(pair.message(most, from: .watch).error == nil)
    try pair.userInfo(most, from: .watch)
    try pair.context([UInt8](repeating: 1, count: 262_144), from: .watch)
    #expect(throws: SessionError.payloadTooLarge) { try pair.userInfo(most + [1], from: .watch) }
    #expect(throws: SessionError.payloadTooLarge) {
      try pair.context([UInt8](repeating: 1, count: 262_145), from: .watch)
    }
    try pair.drive()
    #expect(pair.phone.messages == [most])
    #expect(pair.phone.effects == [most])
    #expect(pair.phone.contexts.map(\.count) == [262_144])
    try pair.userInfo([2], from: .watch)
    try pair.drive()
    #expect(pair.watch.sent(.data, .userInfo).map(\.frame.seq) == [SequenceNumber(1), SequenceNumber(2)])
  }

  @Test func `messages arrive in the order sent`() throws {
    var pair = try Self.connected(
      LinkProfile(latency: .milliseconds(80), jitter: .milliseconds(60), distribution: .uniform))
    for number in 0..<100 {
      pair.message([UInt8(number)], from: .watch)
      try pair.drive(for: .milliseconds(7))
    }
    try pair.drive()
    #expect(pair.phone.messages == (0..<100).map { [UInt8($0)] })
  }

  @Test func `copies of a message are stale, and each is recorded`() throws {
    let copies = PlannedFault(id: "d", channels: [.message], DuplicateFault(probability: .always, copies: 3))
    var pair = Pair(faults: [copies])
    try pair.drive()
    for number in 0..<50 { pair.message([UInt8(number)], from: .watch) }
    try pair.drive()
    #expect(pair.phone.messages == (0..<50).map { [UInt8($0)] })
    #expect(pair.phone.staleMessages == 150)
    #expect(pair.phone.lines("message.duplicate").count == 150)
  }

  @Test func `an answer reaches the sender once`() throws {
    let copies = PlannedFault(id: "d", DuplicateFault(probability: .always, copies: 2))
    var pair = Pair(faults: [copies])
    try pair.drive()
    pair.answer = { ($0.reversed(), []) }
    pair.message([1, 2], from: .watch, wantsReply: true)
    try pair.drive()
    #expect(pair.watch.replies.map(\.payload) == [[2, 1]])
    #expect(pair.watch.failures.isEmpty)
    #expect(pair.session(.watch).nextDeadline == nil)
  }

  @Test func `a failure reply is a failed delivery`() throws {
    var pair = try Self.connected()
    pair.answer = { ($0, .failure) }
    let seqs = [[2], [Session.failedReply]].map { pair.message($0, from: .watch, wantsReply: true).seq }
    try pair.drive()
    #expect(pair.watch.replies.isEmpty)
    #expect(pair.watch.failures.map(\.seq) == seqs)
    #expect(pair.watch.failures.map(\.error) == [.deliveryFailed, .messageReplyFailed])
  }

  @Test func `without an answer the message fails after exactly ten seconds`() throws {
    var pair = try Self.connected()
    pair.answer = { _ in nil }
    let asked = pair.now
    pair.message([1], from: .watch, wantsReply: true)
    try pair.drive(until: asked + VirtualTime.Span(nanoseconds: 9_999_999_999))
    #expect(pair.watch.failures.isEmpty)
    try pair.drive()
    #expect(pair.now == asked + .seconds(10))
    #expect(pair.watch.failures.map(\.error) == [.messageReplyTimedOut])
    #expect(pair.watch.lines("message.failed").map(\.time) == [asked + .seconds(10)])
  }

  @Test(arguments: [(Int64(5_000_000_000), true), (5_000_000_001, false)])
  func `an answer at the exact instant of the deadline is in time, a later one is not`(
    oneWay: Int64, isInTime: Bool
  ) throws {
    var pair = try Self.connected(LinkProfile(latency: VirtualTime.Span(nanoseconds: oneWay)))
    pair.message([1], from: .watch, wantsReply: true)
    try pair.drive()
    #expect(pair.watch.replies.count == (isInTime ? 1 : 0))
    #expect(pair.watch.failures.count == (isInTime ? 0 : 1))
  }

  @Test func `an answer that is too large, or to an earlier epoch, is refused and not sent`() throws {
    var pair = try Self.connected()
    var session = pair.session(.phone)
    var turn = Turn(at: pair.now, isRecording: true)
    let large = [UInt8](repeating: 0, count: 65_537)
    #expect(session.reply(to: SequenceNumber(1), of: Epoch(1), large, in: &turn) == .payloadTooLarge)
    #expect(session.reply(to: SequenceNumber(1), of: Epoch(9), [1], in: &turn) == .messageReplyFailed)
    #expect(turn.items.isEmpty)
    pair.restart(.watch)
    try pair.drive()
    #expect(pair.session(.watch).isReachable)
  }

  @Test func `between the cut and the supervision time messages are lost, from then until the reconnect refused`()
    throws
  {
    var pair = try Self.connected()
    pair.cut()
    let cut = pair.now
    #expect(pair.message([1], from: .watch).error == nil)
    try pair.drive(until: cut + VirtualTime.Span(nanoseconds: 5_999_999_999))
    #expect(pair.message([2], from: .watch).error == nil)
    try pair.drive(until: cut + .seconds(6))
    #expect(pair.message([3], from: .watch).error == .notReachable)
    try pair.drive(until: cut + .seconds(20))
    pair.restore()
    try pair.drive(until: cut + VirtualTime.Span(nanoseconds: 20_999_999_999))
    #expect(pair.message([4], from: .watch).error == .notReachable)
    try pair.drive(until: cut + .seconds(21))
    #expect(pair.message([5], from: .watch).error == nil)
    try pair.drive()
    #expect(pair.phone.messages == [[5]])
    for role in [NodeRole.watch, .phone] {
      let lines = pair.log(role).lines("reachability")
      #expect(lines.map { $0["reachable"] } == [.bool(true), .bool(false), .bool(true)])
      #expect(lines.map { $0["cause"] } == [.string("hello"), .string("supervision"), .string("reconnect")])
      #expect(lines.dropFirst().map(\.time) == [cut + .seconds(6), cut + .seconds(21)])
    }
  }

  @Test func `a cut shorter than the supervision time goes unnoticed`() throws {
    var pair = try Self.connected()
    pair.cut()
    try pair.drive(for: VirtualTime.Span(nanoseconds: 5_999_999_999))
    pair.restore()
    #expect(pair.message([1], from: .watch).error == nil)
    try pair.drive()
    #expect(pair.phone.messages == [[1]])
    #expect(pair.watch.reachability == [true])
  }
}
