/// The application contexts of both directions; only the newest of each counts.
@usableFromInline struct SessionContexts: Sendable, Equatable {
  /// The context last set; nil before the first.
  var sent: SessionRecord.ContextSlot?
  /// Whether the peer has it.
  var isAcknowledged: Bool
  /// The context last received; nil before the first.
  var received: SessionRecord.ContextSlot?
  /// The number of transmissions of the context that was last set.
  var attempts: UInt16 = 0
  /// The number of transmissions since the back-off was last reset.
  var waits: UInt16 = 0
  /// Whether ``deadline`` is the end of the delay rather than a retransmission.
  var isHeld = false
  /// The next transmission; ``VirtualTime/distantFuture`` for never.
  @usableFromInline var deadline = VirtualTime.distantFuture

  init(_ record: SessionRecord) {
    sent = record.contextSent
    isAcknowledged = record.contextIsAcknowledged
    received = record.contextReceived
  }
}
