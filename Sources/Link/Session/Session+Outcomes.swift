/// What became of the messages whose sender wants to know: the reply or the receipt, or why neither comes.
///
/// Every such message ends exactly once. It fails with ``SessionError/notReachable`` when this side learns that the link
/// is gone, with ``SessionError/deliveryFailed`` when the peer's app is gone or has been started again without it, and
/// with ``SessionError/messageReplyTimedOut`` when its deadline passes. A failure does not prove that the peer's app has
/// not taken the message: the reply or the receipt may be what was lost.
extension Session {
  /// A message that waits for its reply or its receipt.
  @usableFromInline struct PendingMessage: Sendable, Equatable {
    @usableFromInline var seq: SequenceNumber
    /// When it fails.
    @usableFromInline var deadline: VirtualTime
    /// What it fails with then.
    var error = SessionError.messageReplyTimedOut
    var wantsReply: Bool
    var sentAt: VirtualTime
    /// The epoch of the peer that it was sent to.
    var peerEpoch: Epoch
  }

  /// How long a message that waits for its reply holds up a file.
  private static let crowdsFor = VirtualTime.Span.seconds(10)

  /// Whether a reply may still come that a file under way must not delay.
  func awaitsReply(at now: VirtualTime) -> Bool {
    pendingMessages.contains { $0.wantsReply && now <= $0.sentAt + Self.crowdsFor }
  }

  mutating func awaitOutcome(of seq: SequenceNumber, wantsReply: Bool, at now: VirtualTime) {
    let waitsForever = wantsReply && configuration.plants.contains(.replyNever)
    var message = PendingMessage(
      seq: seq, deadline: waitsForever ? .distantFuture : now + configuration.replyTimeout, wantsReply: wantsReply,
      sentAt: now, peerEpoch: peerEpoch)
    if believesWrongly, !waitsForever { failByQuirk(&message, at: now) }
    insert(message)
  }

  private mutating func insert(_ message: PendingMessage) {
    var place = pendingMessages.endIndex
    while place > 0, pendingMessages[place - 1].deadline > message.deadline { place -= 1 }
    pendingMessages.insert(message, at: place)
  }

  // MARK: Receipts and replies

  /// Sends the peer a receipt for a message that the app has handled.
  ///
  /// Sends nothing where the sender's epoch is over.
  public mutating func confirmMessage(_ seq: SequenceNumber, of peer: Epoch, into output: inout NodeOutput) {
    guard peer == peerEpoch else { return }
    output.send(Frame(kind: .ack, channel: .message, epoch: epoch, peerEpoch: peerEpoch, seq: seq))
  }

  mutating func receiveReceipt(_ frame: Frame, delivering deliveries: inout [SessionDelivery]) {
    guard frame.peerEpoch == epoch,
      let index = pendingMessages.firstIndex(where: { $0.seq == frame.seq && !$0.wantsReply })
    else { return }
    pendingMessages.remove(at: index)
    deliver(.received(frame.seq), to: &deliveries)
  }

  /// The payload of a failure whose request was handled, and whose answer could not be sent; any other says that the
  /// request was not handled.
  public static var failedReply: UInt8 { 1 }

  mutating func receiveReply(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    // A reply to an earlier epoch of ours, or a second one, is not awaited.
    guard frame.peerEpoch == epoch, let index = pendingMessages.firstIndex(where: { $0.seq == frame.seq }) else {
      return
    }
    if frame.flags.contains(.failure) {
      let error: SessionError = frame.payload == [Self.failedReply] ? .messageReplyFailed : .deliveryFailed
      fail(pendingMessages.remove(at: index), error, at: now, into: &output, delivering: &deliveries)
    } else if pendingMessages[index].wantsReply {
      pendingMessages.remove(at: index)
      deliver(.reply(to: frame.seq, payload: frame.payload, flags: frame.flags), to: &deliveries)
    }
  }

  // MARK: Failures

  private mutating func fail(
    _ message: PendingMessage, _ error: SessionError, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    output.record(
      TraceEvent(
        "message.failed", at: now, on: configuration.role.place,
        [
          .init("epoch", .int(Int64(epoch.rawValue))), .init("seq", .int(Int64(message.seq.rawValue))),
          .init("error", .string(error.text(on: configuration.role))),
        ]))
    deliver(.failed(message.seq, error), to: &deliveries)
  }

  /// Fails the messages whose deadline has passed.
  mutating func failOverdueMessages(
    at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    while let first = pendingMessages.first, first.deadline <= now {
      pendingMessages.removeFirst()
      fail(first, first.error, at: now, into: &output, delivering: &deliveries)
    }
  }

  /// Fails every message that waits, in the order of sending: this side has learnt that the peer is out of reach.
  ///
  /// Where a quirk has the app believe otherwise, the messages end as that quirk says, later.
  mutating func failPendingMessages(
    _ error: SessionError, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    guard !pendingMessages.isEmpty else { return }
    // What the plant forgets is forgotten here, too.
    let pending = pendingMessages.sorted { $0.seq < $1.seq }
    pendingMessages = pending.filter { $0.deadline == .distantFuture }
    for var message in pending where message.deadline < .distantFuture {
      guard believesWrongly else {
        fail(message, error, at: now, into: &output, delivering: &deliveries)
        continue
      }
      failByQuirk(&message, at: now)
      insert(message)
    }
  }

  /// Fails what was sent to an app of the peer that has been started again since: it died without the messages.
  ///
  /// - Parameter accepted: Those that launched the new start, or came before it was told of ours: they are under way.
  mutating func failMessagesOfEarlierEpochs(
    but accepted: [SequenceNumber], at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    let current = peerEpoch
    for index in pendingMessages.indices where accepted.contains(pendingMessages[index].seq) {
      pendingMessages[index].peerEpoch = current
    }
    let lost = pendingMessages.filter { $0.peerEpoch < current && $0.deadline < .distantFuture }
    guard !lost.isEmpty else { return }
    pendingMessages.removeAll { $0.peerEpoch < current && $0.deadline < .distantFuture }
    for message in lost.sorted(by: { $0.seq < $1.seq }) {
      fail(message, .deliveryFailed, at: now, into: &output, delivering: &deliveries)
    }
  }
}
