/// The hellos of both sides: which epoch of the peer is known, and whether the peer knows this one.
@usableFromInline struct SessionHandshake: Sendable, Equatable {
  /// The peer's epoch; 0 before its first hello.
  var peerEpoch = Epoch(0)
  /// The peer's epoch that confirmed our hello; 0 before that.
  var confirmedBy = Epoch(0)
  /// The number of transmissions of the hello in this epoch.
  var attempts: UInt16 = 0
  /// The number of transmissions since the back-off was last reset.
  var waits: UInt16 = 0
  /// The next transmission of the hello; ``VirtualTime/distantFuture`` for never.
  @usableFromInline var deadline = VirtualTime.distantFuture

  /// Whether both sides know each other's epoch.
  var isComplete: Bool { peerEpoch.rawValue > 0 && confirmedBy == peerEpoch }
}
