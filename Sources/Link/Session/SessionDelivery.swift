/// What a session tells its app.
public enum SessionDelivery: Sendable {
  /// A message; `isStale` for a copy of one that was handed over before, or of an epoch that is over:
  /// it must have no effect.
  case message(payload: [UInt8], flags: Frame.Flags, epoch: Epoch, seq: SequenceNumber, isStale: Bool)
  /// The answer to a message of ours.
  case reply(to: SequenceNumber, payload: [UInt8], flags: Frame.Flags)
  /// No answer will come.
  case failed(SequenceNumber, SessionError)
  /// A new application context.
  case context(payload: [UInt8], seq: SequenceNumber)
  /// A queued event, in its order, once. The app ends its handling with ``Session/markHandled(_:into:)``.
  case userInfo(InboxEntry)
  /// A transfer of ours reached the peer's inbox.
  case finished(transfer: Identifier, seq: SequenceNumber)
  /// Messages can be sent, or no longer.
  case reachability(Bool)
  /// The peer's app has started: its clock minus ours, in nanoseconds, as its hello told it.
  case peerStarted(Epoch, clockDifference: Int64)
}

/// Why something was not sent, or not answered: WCError's cases under short names.
public enum SessionError: String, Error, Sendable, CaseIterable {
  /// WCError 7007.
  case notReachable
  /// WCError 7009: the payload is larger than its channel allows.
  case payloadTooLarge
  /// WCError 7010: not a property list.
  case payloadUnsupportedTypes
  /// WCError 7011: the reply could not be sent.
  case messageReplyFailed
  /// WCError 7012: no reply within the deadline.
  case messageReplyTimedOut
  /// WCError 7014: the receiver could not take it.
  case deliveryFailed
}
