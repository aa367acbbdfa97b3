/// A frame as a fault sees it when it passes a stage of the medium: the header's facts, never the payload.
public struct Passage: Sendable {
  /// What draws about this frame depend on.
  public var key: UInt64
  public var kind: Frame.Kind
  public var channel: Channel
  public var direction: Direction
  /// Header and payload, in bytes.
  public var wireBytes: Int
  /// When it passes.
  public var at: VirtualTime
  /// When the fault that looks began.
  public var since: VirtualTime
  /// The fault's own stream.
  public var random: RandomStream
}

/// A byte-limited first-in-first-out queue.
public struct Bandwidth: Sendable, Equatable {
  /// Bytes a second; nil for no limit.
  public var bytesPerSecond: Int64?
  /// How many bytes may wait.
  public var queueBytes: Int64

  /// Creates a limit.
  public init(bytesPerSecond: Int64?, queueBytes: Int64) {
    self.bytesPerSecond = bytesPerSecond
    self.queueBytes = queueBytes
  }
}
