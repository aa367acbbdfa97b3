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
