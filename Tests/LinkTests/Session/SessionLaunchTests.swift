import LinkTestSupport
import Testing

@testable import Link

/// A message of the watch launches the phone's app.
@Suite struct `Launching by a message` {
  /// A watch whose phone's app has died, and which knows that messages launch it.
  private static func withoutPhone() throws -> Pair {
    var pair = Pair()
    pair.condition(.messagesLaunchPeer(true), .watch)
    try pair.drive()
    pair.stop(.phone)
    try pair.drive(for: .seconds(6))
    pair.condition(.peer(isRunning: false), .watch)
    return pair
  }

  /// Starts the phone's app for the watch's messages, as the conductor does.
  private static func launch(_ pair: inout Pair, with frames: [Frame]) throws {
    pair.restart(.phone)
    pair.condition(.launchedByMessage, .phone)
    for frame in frames { pair.inject(frame, to: .phone) }
    pair.condition(.peer(isRunning: true), .watch)
    try pair.drive()
  }

  private static func messages(_ pair: Pair) -> [Frame] { pair.watch.sent(.data, .message).map(\.frame) }

  @Test func `a phone is reachable for its watch without a running app`() throws {
    var pair = try Self.withoutPhone()
    #expect(pair.session(.watch).isReachable && pair.watch.reachability == [true])
    pair.cut()
    try pair.drive(for: .seconds(10))
    #expect(!pair.session(.watch).isReachable && pair.message([1], from: .watch).error == .notReachable)
    pair.restore()
    try pair.drive()
    #expect(pair.session(.watch).isReachable)
    pair.restart(.watch)
    pair.condition(.messagesLaunchPeer(true), .watch)
    #expect(pair.session(.watch).isReachable, "also before the first hello")
  }

  @Test func `the message that launches an app is delivered, answered and does not fail`() throws {
    var pair = try Self.withoutPhone()
    let request = pair.message([1], from: .watch, wantsReply: true).seq
    let message = pair.message([2], from: .watch, wantsReceipt: true).seq
    try Self.launch(&pair, with: Self.messages(pair))
    #expect(pair.phone.messages == [[1], [2]])
    #expect(pair.watch.replies.map(\.to) == [request] && pair.watch.received == [message])
    #expect(pair.watch.failures.isEmpty && pair.watch.reachability == [true])
    pair.message([3], from: .watch)
    try pair.drive()
    #expect(pair.phone.messages == [[1], [2], [3]])
  }

  @Test func `messages lost with the previous start fail, those that launched the new one do not`() throws {
    var pair = Pair()
    pair.condition(.messagesLaunchPeer(true), .watch)
    try pair.drive()
    pair.stop(.phone)
    let lost = pair.message([1], from: .watch, wantsReceipt: true).seq
    try pair.drive(for: .seconds(1))
    let launching = pair.message([2], from: .watch, wantsReceipt: true).seq
    try Self.launch(&pair, with: Array(Self.messages(pair).suffix(1)))
    #expect(pair.phone.messages == [[2]] && pair.watch.received == [launching])
    #expect(pair.watch.failures.map(\.seq) == [lost] && pair.watch.failures.map(\.error) == [.deliveryFailed])
  }

  @Test func `copies are delivered once, and nothing older than the launching message`() throws {
    var pair = try Self.withoutPhone()
    pair.message([1], from: .watch)
    pair.message([2], from: .watch)
    let sent = Self.messages(pair)
    try Self.launch(&pair, with: [sent[1], sent[1], sent[0]])
    pair.inject(sent[1], to: .phone)
    pair.inject(sent[0], to: .phone)
    #expect(pair.phone.messages == [[2]])
  }

  @Test func `without a hello the launch box does not exceed its capacity`() throws {
    var pair = try Self.withoutPhone()
    pair.restart(.phone)
    pair.condition(.launchedByMessage, .phone)
    pair.cut()
    for number: UInt64 in 1...100 {
      pair.inject(
        Frame(kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(number), payload: [1]), to: .phone)
    }
    #expect(pair.session(.phone).launchBox?.frames.count == Session.LaunchBox.countMax)
    #expect(pair.phone.lines("frame.refused").count == 100 - Session.LaunchBox.countMax)
    try pair.drive(for: .seconds(10))
    #expect(pair.session(.phone).launchBox == nil && pair.phone.messages.isEmpty)
  }
}
