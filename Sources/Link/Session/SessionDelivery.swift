/// What a session tells its app.
public enum SessionDelivery: Sendable, Equatable {
  /// A message; `isStale` for a copy of one that was handed over before, or of an epoch that is over:
  /// it must have no effect.
  case message(payload: [UInt8], flags: Frame.Flags, epoch: Epoch, seq: SequenceNumber, isStale: Bool)
  /// The answer to a message of ours.
  case reply(to: SequenceNumber, payload: [UInt8], flags: Frame.Flags)
  /// The peer's app has taken a message of ours that wants no reply.
  case received(SequenceNumber)
  /// No answer will come, or no receipt.
  case failed(SequenceNumber, SessionError)
  /// An application context: a new one, or at each start the last one received, again.
  case context(payload: [UInt8], seq: SequenceNumber)
  /// A queued event, in its order, once. The app ends its handling with ``Session/markHandled(_:into:)``.
  case userInfo(InboxEntry)
  /// A file in the session's inbox, in its order, once.
  ///
  /// The app keeps it with `FileOrder.keep` or leaves it, and ends its handling with
  /// ``Session/commitHandled(_:into:)``; what was not kept is discarded then.
  indirect case file(InboxEntry, FileOffer)
  /// A transfer of ours reached the peer's inbox.
  case finished(Lane, transfer: Identifier, seq: SequenceNumber)
  /// A transfer of ours will not arrive.
  case transferFailed(Lane, transfer: Identifier, seq: SequenceNumber, SessionError)
  /// The receiver did not want a file of ours.
  case transferCancelled(Lane, transfer: Identifier, seq: SequenceNumber)
  /// How many bytes of a file of ours the receiver has.
  case progress(transfer: Identifier, received: UInt64, of: UInt64)
  /// Messages can be sent, or no longer.
  case reachability(Bool)
  /// The peer's app has started: its clock minus ours, in nanoseconds, as its hello told it.
  case peerStarted(Epoch, clockDifference: Int64)
}

/// Why something was not sent, or not answered: WCError's cases under short names.
public enum SessionError: String, Error, Sendable, CaseIterable {
  /// WCError 7006 on the phone, 7018 on the watch: the counterpart's app is not installed.
  case peerNotInstalled
  /// WCError 7007.
  case notReachable
  /// WCError 7008: a file whose name or size cannot be.
  case invalidParameter
  /// WCError 7009: the payload is larger than its channel allows.
  case payloadTooLarge
  /// WCError 7010: not a property list.
  case payloadUnsupportedTypes
  /// WCError 7011: the reply could not be sent.
  case messageReplyFailed
  /// WCError 7012: no reply within the deadline.
  case messageReplyTimedOut
  /// WCError 7013: the file cannot be read any more.
  case fileAccessDenied
  /// WCError 7014: the receiver could not take it.
  case deliveryFailed
  /// WCError 7017: only by a quirk.
  case transferTimedOut
  /// WCError 7015: no room on this device's disk, or on the receiver's.
  case insufficientSpace
  /// WCError 7014: what arrived was not the file that was offered, three times.
  case digestMismatch

  /// The error's name in the trace of one side: which app is missing depends on who misses it.
  public func text(on role: NodeRole) -> String {
    guard self == .peerNotInstalled else { return rawValue }
    return role == .watch ? "companionAppNotInstalled" : "watchAppNotInstalled"
  }
}
