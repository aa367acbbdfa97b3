/// A durable change in a session's store.
public enum SessionChange: Sendable, Equatable {
  /// A transfer was added to the outbox, at the end of its lane.
  case enqueued(QueueEntry)
  /// A transfer was cancelled: its number remains, flagged `void` and without payload, until the peer has passed it.
  case voided(Lane, SequenceNumber)
  /// The peer's inbox has it, so the outbox no longer owes it.
  case acknowledged(Lane, SequenceNumber)
  /// It is in the inbox and waits to be handled.
  case received(QueueEntry)
  /// The app has handled everything in this lane up to this number.
  case handled(Lane, SequenceNumber)
  /// The same, but the inbox keeps the last entry until more is handled.
  case handledKept(Lane, SequenceNumber)
  /// The context to send.
  case contextSet(SequenceNumber, [UInt8])
  /// The peer has the context of this number.
  case contextAcknowledged(SequenceNumber)
  /// The latest context of the peer.
  case contextReceived(SequenceNumber, [UInt8])
  /// The number of complication transfers on a day.
  case budget(ComplicationBudget)
  /// The progress of the file being received; nil if there is none any more.
  case partial(PartialFile?)
}

/// A queue of a session; each has its own sequence numbers, window and order.
public enum Lane: UInt8, Sendable, CaseIterable {
  /// Ordinary user infos.
  case userInfo = 0
  /// Complication transfers, ahead of the ordinary user infos.
  case complication = 1
  /// Files: one at a time.
  case file = 2

  /// The channel of its frames.
  public var channel: Channel { self == .file ? .file : .userInfo }
}

/// An item in a queue of a session: in the outbox until the peer's inbox has it, in the inbox until the app has handled it.
public struct QueueEntry: Sendable, Equatable {
  public var transfer: Identifier
  public var lane: Lane
  public var seq: SequenceNumber
  /// `complication` is set in every entry of that lane; `void` marks a cancelled one, which the receiver skips silently.
  public var flags: Frame.Flags
  /// The user info's payload; a file's ``FileOffer``, encoded.
  public var payload: [UInt8]

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

/// The number of complication transfers on a day.
public struct ComplicationBudget: Sendable, Equatable {
  /// The most transfers on a day.
  public static let perDay = 50
  /// The day since 1970, by the sender's clock.
  public var day: Int64
  /// How many are used, at most ``perDay``.
  public var used: Int

  public init(day: Int64 = 0, used: Int = 0) {
    self.day = day
    self.used = used
  }
}

/// The progress of a file being received, for the receiver's next start.
public struct PartialFile: Sendable, Equatable {
  public var transfer: Identifier
  public var seq: SequenceNumber
  public var flags: Frame.Flags
  /// The ``FileOffer``, encoded.
  public var offer: [UInt8]
  /// The number of bytes received from the beginning without a gap.
  public var receivedBytes: UInt64
  /// The state of the SHA-256 over them, from `SHA256Stream`.
  public var digestState: [UInt8]

  /// Whether a session can continue with it: offer, byte count and digest state are consistent.
  public var canContinue: Bool { flags.contains(.void) || FileReceiver(self) != nil }

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

/// What a session delivers to its app.
public enum SessionDelivery: Sendable, Equatable {
  /// A message.
  ///
  /// `isStale` marks a copy of an earlier one, or one of an earlier epoch: it must have no effect.
  case message(payload: [UInt8], flags: Frame.Flags, epoch: Epoch, seq: SequenceNumber, isStale: Bool)
  /// The answer to a message of this side.
  case reply(to: SequenceNumber, payload: [UInt8], flags: Frame.Flags)
  /// The peer's app has handled a message without reply.
  case received(SequenceNumber)
  /// A message failed: its reply or receipt will not come.
  case failed(SequenceNumber, SessionError)
  /// An application context: a new one, or at each start the last one received once more.
  case context(payload: [UInt8], seq: SequenceNumber)
  /// A queued event, in order, once; the app ends its handling with ``Session/markHandled(_:in:)``.
  case userInfo(QueueEntry)
  /// A file in the session's inbox, in order, once.
  ///
  /// The app keeps it with `FileOrder.keep` or leaves it, and ends its handling with
  /// ``Session/commitHandled(_:in:)``, which removes a file that was not kept.
  indirect case file(QueueEntry, FileOffer)
  /// A transfer of this side reached the peer's inbox.
  case finished(Lane, transfer: Identifier, seq: SequenceNumber)
  /// A transfer of this side will not arrive.
  case transferFailed(Lane, transfer: Identifier, seq: SequenceNumber, SessionError)
  /// The receiver cancelled a file of this side.
  case transferCancelled(Lane, transfer: Identifier, seq: SequenceNumber)
  /// How many bytes of a file of this side the receiver has.
  case progress(transfer: Identifier, received: UInt64, of: UInt64)
  /// Whether messages can be sent.
  case reachability(Bool)
  /// The peer's app has started; `clockDifference` is its clock minus this side's, in nanoseconds, from its hello.
  case peerStarted(Epoch, clockDifference: Int64)
}

/// Why an item was not sent or not answered: WCError's cases under short names.
public enum SessionError: String, Error, Sendable, CaseIterable {
  /// WCError 7006 on the phone, 7018 on the watch: the counterpart's app is not installed.
  case peerNotInstalled
  /// WCError 7007.
  case notReachable
  /// WCError 7008: an impossible name or size of a file.
  case invalidParameter
  /// WCError 7009: the payload is larger than its channel allows.
  case payloadTooLarge
  /// WCError 7010: not a property list.
  case payloadUnsupportedTypes
  /// WCError 7011: the reply could not be sent.
  case messageReplyFailed
  /// WCError 7012: no reply within the deadline.
  case messageReplyTimedOut
  /// WCError 7013: the file can no longer be read.
  case fileAccessDenied
  /// WCError 7014: the receiver could not handle it.
  case deliveryFailed
  /// WCError 7017: only under a quirk.
  case transferTimedOut
  /// WCError 7015: no room on this device's disk or the receiver's.
  case insufficientSpace
  /// WCError 7014: the received bytes differed from the offer three times.
  case digestMismatch

  /// The error's name in the trace of one side, which depends on the side for a missing app.
  public func text(on role: NodeRole) -> String {
    guard self == .peerNotInstalled else { return rawValue }
    return role == .watch ? "companionAppNotInstalled" : "watchAppNotInstalled"
  }
}
