/// How an app's sends fail on purpose.
public struct SendFailures: Sendable, Equatable {
  /// When a send fails.
  public enum Moment: String, Sendable, CaseIterable {
    /// At the call.
    case call
    /// In flight: the call succeeds, nothing is sent, and the error follows 5 s later, if the app takes it.
    case later
  }

  /// The error of a send that fails.
  public var error: SessionError
  /// How many of a million sends fail; 1...1,000,000.
  public var perMillion: UInt32
  /// The channels whose sends fail.
  public var channels: [Channel]
  public var moment: Moment

  public init(error: SessionError, perMillion: UInt32, channels: [Channel], moment: Moment = .call) {
    precondition((1...1_000_000).contains(perMillion) && !channels.isEmpty)
    self.error = error
    self.perMillion = perMillion
    self.channels = channels
    self.moment = moment
  }

  /// The codes of WCError that a send can fail with, each with its error here.
  public static let codes: [(code: Int64, error: SessionError)] = [
    (7007, .notReachable), (7012, .messageReplyTimedOut), (7014, .deliveryFailed), (7015, .insufficientSpace),
    (7017, .transferTimedOut),
  ]
  /// The channels on which an app sends.
  public static let allChannels: [Channel] = [.message, .applicationContext, .userInfo, .file]
}

extension Session {
  /// How long after the call an item that fails in flight does so.
  public static let failsAfter = VirtualTime.Span.seconds(5)

  /// Makes sends fail from now on; nil ends that.
  public mutating func setSendFailures(_ failures: SendFailures?) { sendFailures = failures }

  /// Draws whether a send fails now, and how.
  mutating func drawSendFailure(on channel: Channel) -> SendFailures? {
    guard let sendFailures, sendFailures.channels.contains(channel) else { return nil }
    sendsDrawn += 1
    let key = RandomStream.key(0x7365_6E64_6661_696C ^ UInt64(epoch.rawValue), sendsDrawn)
    return configuration.random.number(below: 1_000_000, for: key) < sendFailures.perMillion ? sendFailures : nil
  }

  /// Fails a queued or replaced item at the call.
  ///
  /// - Returns: The error of one that fails later; nil for one that does not fail.
  @discardableResult
  mutating func failAtCall(_ channel: Channel) throws(SessionError) -> SessionError? {
    guard let failure = drawSendFailure(on: channel) else { return nil }
    guard failure.moment == .later else { throw failure.error }
    return failure.error
  }

  /// Has an item that was just queued never be sent, and remembers its error for the host; its place in the queue is void.
  mutating func withhold(_ entry: QueueEntry, failingWith error: SessionError, in turn: inout Turn) {
    _ = outboxes[entry.lane].voidTransfer(entry.seq, entry.transfer)
    turn.commit(.voided(entry.lane, entry.seq))
    turn.record(TransferCancelled.self, on: configuration.role.place) {
      $0.identity = TransferIdentity(entry.transfer, entry.lane, entry.seq)
      $0.by = "sender"
      $0.error = error.rawValue
    }
    if entry.lane == .file { turn.items.append(.file(.discardOutgoing(entry.transfer))) }
    failingLater = FailingLater(entry: entry, error: error)
  }

  /// Removes and returns the item that was queued last and fails later, if any.
  public mutating func takeFailingLater() -> FailingLater? {
    defer { failingLater = nil }
    return failingLater
  }

  /// A queued item that is never sent, and whose app gets the error after a while.
  public struct FailingLater: Sendable, Equatable {
    public var entry: QueueEntry
    public var error: SessionError
  }

  /// Fails an unsent message after a while; only its sender's error handler is called.
  mutating func failLater(_ seq: SequenceNumber, _ error: SessionError, wantsReply: Bool, at now: VirtualTime) {
    awaitOutcome(of: seq, wantsReply: wantsReply, at: now)
    setOutcome(of: seq, error, at: now + Self.failsAfter)
  }
}
