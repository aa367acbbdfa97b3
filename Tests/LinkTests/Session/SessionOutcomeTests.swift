import LinkTestSupport
import Testing

@testable import Link

/// A sender that requests it learns the outcome of each message, once.
@Suite struct `Outcomes of messages` {
  private static func connected() throws -> Pair {
    var pair = Pair()
    try pair.drive()
    return pair
  }

  private static func errors(_ pair: Pair) -> [SessionError] { pair.watch.failures.map(\.error) }

  @Test func `a message that arrives ends with its receipt`() throws {
    var pair = try Self.connected()
    let seq = pair.message([1], from: .watch, wantsReceipt: true).seq
    try pair.drive()
    #expect(pair.watch.received == [seq] && pair.watch.failures.isEmpty && pair.phone.messages == [[1]])
    #expect(pair.session(.watch).nextDeadline == nil)
  }

  @Test func `a receipt is requested only if the sender asks for one`() throws {
    var pair = try Self.connected()
    pair.message([1], from: .watch)
    try pair.drive()
    #expect(pair.watch.received.isEmpty && pair.phone.sent(.ack, .message).count == 1, "only the hello's")
  }

  @Test func `messages lost in a cut fail when the cut is noticed, in the order of sending`() throws {
    var pair = try Self.connected()
    pair.cut()
    let cut = pair.now
    let request = pair.message([1], from: .watch, wantsReply: true).seq
    let messages = [[UInt8(2)], [3]].map { pair.message($0, from: .watch, wantsReceipt: true).seq }
    try pair.drive(until: cut + VirtualTime.Span(nanoseconds: 5_999_999_999))
    #expect(pair.watch.failures.isEmpty)
    try pair.drive(until: cut + .seconds(6))
    #expect(pair.watch.failures.map(\.seq) == [request] + messages)
    #expect(Self.errors(pair) == [.notReachable, .notReachable, .notReachable])
    #expect(pair.watch.lines("message.failed").count == 3)
    pair.restore()
    try pair.drive()
    #expect(pair.watch.failures.count == 3 && pair.watch.received.isEmpty && pair.phone.messages.isEmpty)
  }

  @Test func `a message lost in an unnoticed cut fails when its deadline passes`() throws {
    var pair = try Self.connected()
    pair.cut()
    let sent = pair.now
    pair.message([1], from: .watch, wantsReceipt: true)
    try pair.drive(for: .seconds(1))
    pair.restore()
    try pair.drive(until: sent + VirtualTime.Span(nanoseconds: 9_999_999_999))
    #expect(pair.watch.failures.isEmpty)
    try pair.drive()
    #expect(Self.errors(pair) == [.messageReplyTimedOut] && pair.now == sent + .seconds(10))
  }

  @Test func `messages that die with the peer's app fail when that is noticed`() throws {
    var pair = try Self.connected()
    pair.stop(.phone)
    pair.message([1], from: .watch, wantsReceipt: true)
    pair.message([2], from: .watch, wantsReply: true)
    try pair.drive(for: .seconds(1))
    #expect(pair.watch.failures.isEmpty)
    pair.condition(.peer(isRunning: false), .watch)
    #expect(Self.errors(pair) == [.deliveryFailed, .deliveryFailed])
  }

  @Test func `messages that die with the peer's app fail even if the app is back before its death is noticed`() throws {
    var pair = try Self.connected()
    pair.stop(.phone)
    pair.message([1], from: .watch, wantsReceipt: true)
    try pair.drive(for: .seconds(1))
    pair.restart(.phone)
    try pair.drive(for: .seconds(1))
    #expect(Self.errors(pair) == [.deliveryFailed] && pair.phone.messages.isEmpty)
    let later = pair.message([2], from: .watch, wantsReceipt: true).seq
    try pair.drive()
    #expect(pair.watch.received == [later] && pair.watch.failures.count == 1)
  }

  @Test func `a suspended app gets failures when it resumes`() throws {
    var pair = try Self.connected()
    pair.cut()
    pair.message([1], from: .watch, wantsReceipt: true)
    pair.condition(.suspended, .watch)
    try pair.drive(for: .seconds(20))
    #expect(pair.watch.failures.isEmpty)
    pair.condition(.resumed, .watch)
    #expect(Self.errors(pair) == [.notReachable])
  }

  @Test func `a late or repeated receipt changes nothing`() throws {
    var pair = Pair(faults: [PlannedFault(DuplicateFault(probability: .always, copies: 2))])
    try pair.drive()
    pair.message([1], from: .watch, wantsReceipt: true)
    try pair.drive()
    #expect(pair.watch.received.count == 1 && pair.phone.messages.count == 1)
    pair.inject(
      Frame(kind: .ack, channel: .message, epoch: Epoch(1), peerEpoch: Epoch(1), seq: SequenceNumber(1)), to: .watch)
    #expect(pair.watch.received.count == 1)
  }

  // MARK: Quirks

  @Test(arguments: [
    (SessionError.notReachable, Int64(0)), (.deliveryFailed, 5), (.transferTimedOut, 10),
  ])
  func `a phantom's messages fail as the fault says`(error: SessionError, after: Int64) throws {
    var pair = try Self.connected()
    pair.cut()
    try pair.drive(for: .seconds(20))
    pair.condition(.quirk(.phantomReachable, isOn: true, error: error), .watch)
    let sent = pair.now
    let refused = pair.message([1], from: .watch, wantsReceipt: true).error
    #expect(refused == (error == .notReachable ? error : nil))
    #expect(pair.message([2], from: .watch).error == nil, "without a requested outcome")
    guard error != .notReachable else { return }
    try pair.drive()
    // The sessions of this pair time out after ten seconds.
    #expect(Self.errors(pair) == [error == .transferTimedOut ? .messageReplyTimedOut : error])
    #expect(pair.now == sent + .seconds(after))
  }

  @Test func `a phantom draws an error for each message from the seed`() throws {
    var pair = try Self.connected()
    pair.cut()
    try pair.drive(for: .seconds(20))
    pair.condition(.quirk(.phantomReachable, isOn: true), .watch)
    var refused = 0
    for _ in 0..<60 {
      if pair.message([1], from: .watch, wantsReceipt: true).error == .notReachable { refused += 1 }
    }
    try pair.drive()
    let failed = Self.errors(pair).count { $0 == .deliveryFailed }
    #expect((10...30) ~= refused && (10...30) ~= failed && refused + pair.watch.failures.count == 60)
  }

  @Test func `messages in flight when a stuck side does not notice fail as the fault says`() throws {
    var pair = try Self.connected()
    pair.condition(.quirk(.reachabilityStuck, isOn: true, error: .deliveryFailed), .watch)
    pair.cut()
    let cut = pair.now
    pair.message([1], from: .watch, wantsReceipt: true)
    try pair.drive(for: .seconds(30))
    #expect(Self.errors(pair) == [.messageReplyTimedOut], "the ten seconds end first")
    pair.message([2], from: .watch, wantsReceipt: true)
    try pair.drive(until: cut + .seconds(35))
    #expect(Self.errors(pair) == [.messageReplyTimedOut, .deliveryFailed])
    pair.message([3], from: .watch, wantsReceipt: true)
    pair.condition(.quirk(.reachabilityStuck, isOn: false), .watch)
    #expect(Self.errors(pair).last == .notReachable && pair.watch.failures.count == 3)
  }
}
