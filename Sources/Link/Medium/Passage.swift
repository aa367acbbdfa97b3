/// A frame passing a stage of the medium, as a fault sees it: header fields, never the payload.
public struct Passage: Sendable {
  /// The key of draws about this frame.
  public var key: UInt64
  public var kind: Frame.Kind
  public var channel: Channel
  public var direction: Direction
  /// The length of header and payload, in bytes.
  public var wireBytes: Int
  /// When it passes.
  public var at: VirtualTime
  /// When the fault began.
  public var since: VirtualTime
  /// The fault's own stream.
  public var random: RandomStream
}

/// A byte-limited queue, first in, first out.
public struct Bandwidth: Sendable, Equatable {
  /// Bytes per second; nil for no limit.
  public var bytesPerSecond: Int64?
  /// How many bytes may wait.
  public var queueBytes: Int64
}

/// Why a copy of a frame did not arrive: the `cause` of `frame.dropped`.
public struct DropCause: Sendable, Hashable {
  /// The name in the trace.
  public let text: String
  /// Creates a cause; the cause of a quirk has the quirk's name.
  public init(_ text: String) { self.text = text }

  public static let loss = Self("loss")
  public static let disconnected = Self("disconnected")
  public static let corrupt = Self("corrupt")
  public static let overflow = Self("overflow")
  public static let nodeDown = Self("nodeDown")
  public static let suspended = Self("suspended")
}
