import LinkTestSupport
import Testing

@testable import Link

/// The quirks that act on frames.
@Suite struct `Quirks of the medium` {
  private static func frame(_ kind: Frame.Kind, _ channel: Channel, _ seq: UInt64) -> Frame {
    Frame(kind: kind, channel: channel, epoch: Epoch(1), seq: SequenceNumber(seq), payload: [1, 2, 3])
  }

  private static func sending(
    _ milliseconds: Int64, _ frame: Frame, _ direction: Direction = .watchToPhone
  ) -> Traffic.Sending {
    Traffic.Sending(at: .start + .milliseconds(milliseconds), direction: direction, frame: frame)
  }

  @Test func `only the reply to a message is lost, with the quirk's name as the cause`() {
    let kinds: [Frame.Kind] = [.data, .reply, .ack, .hello]
    let traffic = Traffic(
      kinds.enumerated().map { Self.sending(Int64($0.offset) * 100, Self.frame($0.element, .message, 1)) })
    let outcome = traffic.run(faults: [PlannedFault(id: "unanswered", ReplyLostFault())])
    #expect(outcome.dropped.map(\.id) == [2])
    #expect(outcome.dropped("replyLost") == [2] && outcome.dropped(byFault: "unanswered") == [2])
  }

  @Test func `a probability loses some of the replies`() {
    let traffic = Traffic((0..<400).map { Self.sending(Int64($0) * 10, Self.frame(.reply, .message, UInt64($0) + 1)) })
    let outcome = traffic.run(faults: [PlannedFault(ReplyLostFault(probability: Probability(0.25) ?? .never))])
    #expect((60...140).contains(outcome.dropped.count))
  }

  @Test(arguments: [NodeRole.watch, .phone])
  func `everything in one direction is lost, and nothing in the other`(from: NodeRole) {
    let traffic = Traffic(
      count: 80, every: .milliseconds(50), directions: Direction.ofLink, channels: Channel.ofLink)
    let outcome = traffic.run(faults: [PlannedFault(OneWayFault(from: from))])
    let lost = traffic.sendings.indices.filter { traffic.sendings[$0].direction == Direction(from: from) }
    #expect(outcome.dropped("oneWay").sorted() == lost.map { UInt64($0 + 1) })
    #expect(outcome.delivered.count == traffic.sendings.count - lost.count)
  }

  /// The extra delay of a message sent after `count` contexts, one every `interval` milliseconds.
  private static func delay(contexts count: Int, every interval: Int64, from direction: Direction) -> Int64 {
    var sendings = (0..<count).map {
      sending(Int64($0) * interval, frame(.data, .applicationContext, UInt64($0) + 1), direction)
    }
    sendings.append(sending(Int64(count - 1) * interval + 1, frame(.data, .message, 1), .watchToPhone))
    let fault = PlannedFault(ContextCongestionFault(window: .seconds(5), delay: .seconds(1)))
    let id = UInt64(sendings.count)
    let traffic = Traffic(sendings)
    guard let late = traffic.run(faults: [fault]).arrival(id), let prompt = traffic.run().arrival(id) else { return -1 }
    return (late - prompt).nanoseconds / 1_000_000
  }

  @Test(arguments: [false, true])
  func `contexts that another fault loses or corrupts do not count, whatever the order of the plan`(isLast: Bool) {
    var sendings = (0..<10).map {
      Self.sending(Int64($0) * 100, Self.frame(.data, .applicationContext, UInt64($0) + 1))
    }
    sendings.append(Self.sending(1_000, Self.frame(.data, .message, 1)))
    let congestion = PlannedFault(id: "clogged", ContextCongestionFault(window: .seconds(5), delay: .seconds(1)))
    let losing = PlannedFault(
      id: "loss", begin: .start, end: .start + .milliseconds(350), channels: [.applicationContext],
      LossFault(.independent(.always)))
    let corrupting = PlannedFault(
      id: "corrupt", begin: .start + .milliseconds(350), end: .start + .milliseconds(750),
      channels: [.applicationContext], CorruptFault(probability: .always))
    let traffic = Traffic(sendings)
    let faults = isLast ? [losing, corrupting, congestion] : [congestion, losing, corrupting]
    let delay = traffic.run(faults: faults).arrival(11).flatMap { late in traffic.run().arrival(11).map { late - $0 } }
    // Those at 800 and 900 ms pass; the first does not delay.
    #expect(delay == .seconds(1))
  }

  @Test func `contexts count from the fault's beginning, and messages are prompt from its end`() {
    let sendings = (0..<60).map { index in
      Self.sending(
        Int64(index) * 500, Self.frame(.data, index % 2 == 0 ? .applicationContext : .message, UInt64(index) + 1))
    }
    let fault = PlannedFault(
      id: "clogged", begin: .start + .seconds(10), end: .start + .seconds(14),
      ContextCongestionFault(window: .seconds(5), delay: .milliseconds(1)))
    let with = Traffic(sendings).run(faults: [fault])
    let without = Traffic(sendings).run()
    let late = (1...60).filter { with.arrival(UInt64($0)) != without.arrival(UInt64($0)) }
    // The message at 10.5 s has one earlier context that counts; those at 11.5, 12.5 and 13.5 s have more.
    #expect(late == [24, 26, 28])
  }

  @Test func `each context after the first in five seconds delays messages in its direction by a second`() {
    #expect(Self.delay(contexts: 1, every: 1_000, from: .watchToPhone) == 0)
    #expect(Self.delay(contexts: 4, every: 5_000, from: .watchToPhone) == 0, "no delay at one context in five seconds")
    #expect(Self.delay(contexts: 3, every: 1_000, from: .watchToPhone) == 2_000)
    #expect(Self.delay(contexts: 10, every: 1_000, from: .watchToPhone) == 4_000)
    #expect(Self.delay(contexts: 40, every: 10, from: .watchToPhone) == 15_000, "sixteen count at most")
    #expect(Self.delay(contexts: 10, every: 1_000, from: .phoneToWatch) == 0)
  }
}
