/// Which way a frame goes.
public enum Direction: UInt8, Sendable, CaseIterable {
  case watchToPhone, phoneToWatch, phoneToEdge, edgeToPhone

  /// The two ways of the watch-phone link.
  public static let ofLink: [Self] = [.watchToPhone, .phoneToWatch]
  /// The two ways of the phone-edge link.
  public static let ofUplink: [Self] = [.phoneToEdge, .edgeToPhone]

  /// The name in scenarios and traces.
  public var text: String {
    switch self {
    case .watchToPhone: "watch-to-phone"
    case .phoneToWatch: "phone-to-watch"
    case .phoneToEdge: "phone-to-edge"
    case .edgeToPhone: "edge-to-phone"
    }
  }

  /// The way from a sender over the watch-phone link.
  @inlinable public init(from sender: NodeRole) { self = sender == .watch ? .watchToPhone : .phoneToWatch }

  /// The way from a sender over the phone-edge link.
  @inlinable public init(overUplinkFrom sender: NodeRole) { self = sender == .edge ? .edgeToPhone : .phoneToEdge }

  /// Who receives.
  @inlinable public var receiver: NodeRole {
    switch self {
    case .watchToPhone, .edgeToPhone: .phone
    case .phoneToWatch: .watch
    case .phoneToEdge: .edge
    }
  }

  /// Which of its link's two ways it is: 0 or 1.
  @inlinable var lane: Int { Int(rawValue & 1) }
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
