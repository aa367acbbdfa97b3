/// One durable change of a session's store.
public enum SessionChange: Sendable, Equatable {
  /// A transfer was taken into the outbox, behind all others of its lane.
  case enqueued(OutboxEntry)
  /// A transfer was cancelled: its place stays, flagged `void` and without payload, until the peer has passed it.
  case voided(Lane, SequenceNumber)
  /// The peer's inbox has it: the outbox owes it no longer.
  case acknowledged(Lane, SequenceNumber)
  /// The inbox has it; it waits to be handled.
  case received(InboxEntry)
  /// The app has handled everything of this lane up to this one.
  case handled(Lane, SequenceNumber)
  /// The same, and what the inbox has of the last one stays until more is handled.
  case handledKept(Lane, SequenceNumber)
  /// The context to be sent.
  case contextSet(SequenceNumber, [UInt8])
  /// The peer has the context of this number.
  case contextAcknowledged(SequenceNumber)
  /// The latest context of the peer.
  case contextReceived(SequenceNumber, [UInt8])
  /// How many complication transfers a day has seen.
  case budget(ComplicationBudget)
  /// How far the file that is being received has come; nil when none is, or no longer.
  case partial(PartialFile?)
}

/// One of the queues of a session: each has sequence numbers, a window and a first-in-first-out of its own.
public enum Lane: UInt8, Sendable, CaseIterable {
  /// Ordinary user infos.
  case userInfo = 0
  /// Complication transfers: they go ahead of the ordinary ones.
  case complication = 1
  /// Files: one at a time.
  case file = 2

  /// The channel whose frames carry it.
  public var channel: Channel { self == .file ? .file : .userInfo }
}

/// What the outbox owes.
public struct OutboxEntry: Sendable, Equatable {
  public var transfer: Identifier
  public var lane: Lane
  public var seq: SequenceNumber
  /// `complication` stands in every entry of that lane; `void` marks a cancelled one.
  public var flags: Frame.Flags
  /// The user info's payload; a file's ``FileOffer``, encoded.
  public var payload: [UInt8]

  /// Creates an entry.
  public init(
    transfer: Identifier, lane: Lane = .userInfo, seq: SequenceNumber, flags: Frame.Flags, payload: [UInt8]
  ) {
    self.transfer = transfer
    self.lane = lane
    self.seq = seq
    self.flags = flags
    self.payload = payload
  }
}

/// What the inbox has and the app has not handled yet.
public struct InboxEntry: Sendable, Equatable {
  public var transfer: Identifier
  public var lane: Lane
  public var seq: SequenceNumber
  /// As the outbox had them: a `void` one is passed over without a word to the app.
  public var flags: Frame.Flags
  /// The user info's payload; a file's ``FileOffer``, encoded.
  public var payload: [UInt8]

  /// Creates an entry.
  public init(
    transfer: Identifier, lane: Lane = .userInfo, seq: SequenceNumber, flags: Frame.Flags, payload: [UInt8]
  ) {
    self.transfer = transfer
    self.lane = lane
    self.seq = seq
    self.flags = flags
    self.payload = payload
  }
}

/// How many complication transfers were used on which day.
public struct ComplicationBudget: Sendable, Equatable {
  /// How many a day has.
  public static let perDay = 50
  /// Days since 1970 by the sender's clock.
  public var day: Int64
  /// How many of them are used, at most ``perDay``.
  public var used: Int

  /// Creates a count.
  public init(day: Int64 = 0, used: Int = 0) {
    self.day = day
    self.used = used
  }
}

/// A file that is being received: what a restarted receiver needs to go on where it stopped.
public struct PartialFile: Sendable, Equatable {
  public var transfer: Identifier
  public var seq: SequenceNumber
  public var flags: Frame.Flags
  /// The ``FileOffer``, encoded.
  public var offer: [UInt8]
  /// How many bytes are there, from the beginning without a gap.
  public var receivedBytes: UInt64
  /// The state of the SHA-256 over them, as `SHA256Stream` saves it.
  public var digestState: [UInt8]

  /// Whether a session can go on with it: its offer, its count of bytes and its digest's state agree.
  public var canGoOn: Bool { flags.contains(.void) || FileReceiver(self) != nil }

  /// Creates a record.
  public init(
    transfer: Identifier, seq: SequenceNumber, flags: Frame.Flags, offer: [UInt8], receivedBytes: UInt64 = 0,
    digestState: [UInt8] = []
  ) {
    self.transfer = transfer
    self.seq = seq
    self.flags = flags
    self.offer = offer
    self.receivedBytes = receivedBytes
    self.digestState = digestState
  }
}
