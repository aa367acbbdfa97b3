/// One durable change of a session's store.
public enum SessionChange: Sendable, Equatable {
  /// A transfer was taken into the outbox.
  case enqueued(OutboxEntry)
  /// The peer's inbox has it: the outbox owes it no longer.
  case acknowledged(Identifier)
  /// The inbox has it; it waits to be handled.
  case received(InboxEntry)
  /// The app has handled everything up to this one.
  case handled(SequenceNumber)
  /// The context to be sent.
  case contextSet(SequenceNumber, [UInt8])
  /// The peer has the context of this number.
  case contextAcknowledged(SequenceNumber)
  /// The latest context of the peer.
  case contextReceived(SequenceNumber, [UInt8])
}

/// What the outbox owes.
public struct OutboxEntry: Sendable, Equatable {
  public var transfer: Identifier
  public var seq: SequenceNumber
  public var flags: Frame.Flags
  public var payload: [UInt8]
}

/// What the inbox has and the app has not handled yet.
public struct InboxEntry: Sendable, Equatable {
  public var transfer: Identifier
  public var seq: SequenceNumber
  public var flags: Frame.Flags
  public var payload: [UInt8]
}

/// Everything of a session that outlives its process.
public struct SessionRecord: Sendable, Equatable {
  /// How often the app was started, this start included.
  public var epoch = Epoch(1)
  /// The number of the next queued transfer.
  public var nextTransferSeq = SequenceNumber(1)
  /// What is owed, in order.
  public var outbox: [OutboxEntry] = []
  /// The number that is handed to the app next.
  public var nextToHandle = SequenceNumber(1)
  /// What has arrived and waits for its turn, in order.
  public var inbox: [InboxEntry] = []
  /// The context last set, with its number; nil before the first.
  public var contextSent: ContextSlot?
  /// Whether the peer has it.
  public var contextIsAcknowledged = true
  /// The context last received; nil before the first.
  public var contextReceived: ContextSlot?

  /// Creates the record of a device that was never started before.
  public init() {}

  /// One value of an application context.
  public struct ContextSlot: Sendable, Equatable {
    public var seq: SequenceNumber
    public var payload: [UInt8]
  }

  /// Applies one change.
  public mutating func apply(_ change: SessionChange) {
    switch change {
    case .enqueued(let entry):
      outbox.append(entry)
      nextTransferSeq = SequenceNumber(entry.seq.rawValue + 1)
    case .acknowledged(let transfer):
      outbox.removeAll { $0.transfer == transfer }
    case .received(let entry):
      inbox.append(entry)
      inbox.sort { $0.seq < $1.seq }
    case .handled(let seq):
      inbox.removeAll { $0.seq <= seq }
      nextToHandle = SequenceNumber(seq.rawValue + 1)
    case .contextSet(let seq, let payload):
      contextSent = ContextSlot(seq: seq, payload: payload)
      contextIsAcknowledged = false
    case .contextAcknowledged(let seq):
      if contextSent?.seq == seq { contextIsAcknowledged = true }
    case .contextReceived(let seq, let payload):
      contextReceived = ContextSlot(seq: seq, payload: payload)
    }
  }
}
