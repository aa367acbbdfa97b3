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
