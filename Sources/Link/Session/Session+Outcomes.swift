/// The outcomes of messages whose sender requests them: the reply or the receipt, or the reason for its absence.
///
/// Every such message has exactly one outcome. It fails with ``SessionError/notReachable`` when this side learns that
/// the link is gone, with ``SessionError/deliveryFailed`` when the peer's app is gone or has restarted without it, and
/// with ``SessionError/messageReplyTimedOut`` at its deadline. A failure does not prove that the peer's app has not
/// handled the message: the reply or the receipt may have been lost.
extension Session {
  /// A message that waits for its reply or its receipt.
  @usableFromInline struct PendingMessage: Sendable, Equatable {
    @usableFromInline var seq: SequenceNumber
    /// The deadline.
    @usableFromInline var deadline: VirtualTime
    /// The error at the deadline.
    var error = SessionError.messageReplyTimedOut
    var wantsReply: Bool
    var sentAt: VirtualTime
    /// The peer's epoch when it was sent.
    var peerEpoch: Epoch
  }

  /// How long a pending reply slows down a file.
  private static let crowdsFor = VirtualTime.Span.seconds(10)

  /// Whether a reply is pending that a file must not delay.
  func awaitsReply(at now: VirtualTime) -> Bool {
    messages.pending.contains { $0.wantsReply && now <= $0.sentAt + Self.crowdsFor }
  }

  mutating func awaitOutcome(of seq: SequenceNumber, wantsReply: Bool, at now: VirtualTime) {
    let waitsForever = wantsReply && configuration.plants.contains(.replyNever)
    var message = PendingMessage(
      seq: seq, deadline: waitsForever ? .distantFuture : now + configuration.replyTimeout, wantsReply: wantsReply,
      sentAt: now, peerEpoch: handshake.peerEpoch)
    if believesWrongly, !waitsForever { failByQuirk(&message, at: now) }
    insert(message)
  }

  /// Decides now that a message fails, and when.
  mutating func setOutcome(of seq: SequenceNumber, _ error: SessionError, at deadline: VirtualTime) {
    guard let index = messages.pending.firstIndex(where: { $0.seq == seq }) else { return }
    var message = messages.pending.remove(at: index)
    message.error = error
    message.deadline = min(message.deadline, deadline)
    insert(message)
  }

  private mutating func insert(_ message: PendingMessage) {
    var place = messages.pending.endIndex
    while place > 0, messages.pending[place - 1].deadline > message.deadline { place -= 1 }
    messages.pending.insert(message, at: place)
  }

  // MARK: Receipts and replies

  /// Sends the peer a receipt for a message that the app has handled.
  ///
  /// Sends nothing if the sender's epoch is over.
  public mutating func confirmMessage(_ seq: SequenceNumber, of peer: Epoch, in turn: inout Turn) {
    guard peer == handshake.peerEpoch else { return }
    turn.send(Frame(kind: .ack, channel: .message, epoch: epoch, peerEpoch: handshake.peerEpoch, seq: seq))
  }

  mutating func receiveReceipt(_ frame: Frame, in turn: inout Turn) {
    guard frame.peerEpoch == epoch,
      let index = messages.pending.firstIndex(where: { $0.seq == frame.seq && !$0.wantsReply })
    else { return }
    messages.pending.remove(at: index)
    deliver(.received(frame.seq), in: &turn)
  }

  /// The payload of a failed reply if the request was handled but its answer could not be sent.
  ///
  /// Any other payload means that the request was not handled.
  public static var failedReply: UInt8 { 1 }

  mutating func receiveReply(_ frame: Frame, in turn: inout Turn) {
    // Ignores replies to an earlier epoch, and duplicates.
    guard frame.peerEpoch == epoch, let index = messages.pending.firstIndex(where: { $0.seq == frame.seq }) else {
      return
    }
    if frame.flags.contains(.failure) {
      let error: SessionError = frame.payload == [Self.failedReply] ? .messageReplyFailed : .deliveryFailed
      fail(messages.pending.remove(at: index), error, in: &turn)
    } else if messages.pending[index].wantsReply {
      messages.pending.remove(at: index)
      deliver(.reply(to: frame.seq, payload: frame.payload, flags: frame.flags), in: &turn)
    }
  }

  // MARK: Failures

  private mutating func fail(_ message: PendingMessage, _ error: SessionError, in turn: inout Turn) {
    turn.record(MessageFailed.self, on: configuration.role.place) {
      $0.epoch = Int64(epoch.rawValue)
      $0.seq = Int64(message.seq.rawValue)
      $0.error = error.text(on: configuration.role)
    }
    deliver(.failed(message.seq, error), in: &turn)
  }

  /// Fails the messages whose deadline has passed.
  mutating func failOverdueMessages(in turn: inout Turn) {
    while let first = messages.pending.first, first.deadline <= turn.now {
      messages.pending.removeFirst()
      fail(first, first.error, in: &turn)
    }
  }

  /// Fails all pending messages in the order of sending, because this side has learnt that the peer is unreachable.
  ///
  /// If a quirk makes the app believe otherwise, the messages fail later, as the quirk specifies.
  mutating func failPendingMessages(_ error: SessionError, in turn: inout Turn) {
    guard !messages.pending.isEmpty else { return }
    // The plant `reply-never` skips these as well.
    let pending = messages.pending.sorted { $0.seq < $1.seq }
    messages.pending = pending.filter { $0.deadline == .distantFuture }
    for var message in pending where message.deadline < .distantFuture {
      guard believesWrongly else {
        fail(message, error, in: &turn)
        continue
      }
      failByQuirk(&message, at: turn.now)
      insert(message)
    }
  }

  /// Fails messages that were sent to an earlier start of the peer's app, which died without them.
  ///
  /// - Parameter accepted: Those that launched the new start, or arrived before it knew this side: they are still being
  ///   handled.
  mutating func failMessagesOfEarlierEpochs(but accepted: [SequenceNumber], in turn: inout Turn) {
    let current = handshake.peerEpoch
    for index in messages.pending.indices where accepted.contains(messages.pending[index].seq) {
      messages.pending[index].peerEpoch = current
    }
    let lost = messages.pending.filter { $0.peerEpoch < current && $0.deadline < .distantFuture }
    guard !lost.isEmpty else { return }
    messages.pending.removeAll { $0.peerEpoch < current && $0.deadline < .distantFuture }
    for message in lost.sorted(by: { $0.seq < $1.seq }) {
      fail(message, .deliveryFailed, in: &turn)
    }
  }
}

/// Trace lines that only the app can complete, and events that it cannot handle.
extension Session {
  /// The number of the next message.
  @inlinable public var nextMessage: SequenceNumber { messages.nextSeq }

  /// Returns the event of a delivered message; `kind` is the app's name for it, nil if it cannot decode it.
  public func receivedEvent(
    kind: String?, payload: [UInt8], epoch: Epoch, seq: SequenceNumber
  ) -> MessageReceived {
    var event = MessageReceived()
    event.from = configuration.role.peer
    event.kind = kind
    event.epoch = Int64(epoch.rawValue)
    event.seq = Int64(clamping: seq.rawValue)
    event.digest = messages.lastReceived.eventDigest(of: payload)
    return event
  }

  /// Returns the line of a payload that the app cannot decode.
  public func undecodableEvent(
    on channel: Channel, payload: [UInt8], epoch: Epoch, seq: SequenceNumber, error: String, at now: VirtualTime
  ) -> TraceEvent {
    TraceEvent(PayloadUndecodable.self, at: now, on: configuration.role.place) {
      $0.from = configuration.role.peer
      $0.channel = channel
      $0.epoch = Int64(epoch.rawValue)
      $0.seq = Int64(clamping: seq.rawValue)
      $0.digest = EventDigest(bits: Digest.prefix(payload))
      $0.error = error
    }
  }

  /// Sets aside an event or a file that the app cannot handle, so that it does not block those after it.
  public mutating func setAside(_ entry: QueueEntry, error: String, in turn: inout Turn) {
    markHandled(entry, in: &turn)
    turn.record(TransferSetAside.self, on: configuration.role.place) {
      $0.describe(entry)
      $0.error = error
    }
    commitHandled(entry, in: &turn)
  }
}
