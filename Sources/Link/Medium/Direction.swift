/// Which way a frame goes.
public enum Direction: UInt8, Sendable, CaseIterable {
  case watchToPhone, phoneToWatch

  /// The name in scenarios and traces.
  public var text: String { self == .watchToPhone ? "watch-to-phone" : "phone-to-watch" }

  /// The way from a sender.
  @inlinable public init(from sender: NodeRole) { self = sender == .watch ? .watchToPhone : .phoneToWatch }

  /// Who receives.
  @inlinable public var receiver: NodeRole { self == .watchToPhone ? .phone : .watch }
}

/// Why a copy of a frame never arrived: the `cause` of `frame.dropped`.
public struct DropCause: Sendable, Hashable {
  /// The name in the trace.
  public let text: String
  /// Names a cause; a quirk's cause is its own name.
  public init(_ text: String) { self.text = text }

  public static let loss = Self("loss")
  public static let disconnected = Self("disconnected")
  public static let corrupt = Self("corrupt")
  public static let overflow = Self("overflow")
  public static let nodeDown = Self("nodeDown")
  public static let suspended = Self("suspended")
}
