/// The direction of a frame.
public enum Direction: UInt8, Sendable, CaseIterable {
  case watchToPhone, phoneToWatch, phoneToEdge, edgeToPhone

  /// The directions of the watch-phone link.
  public static let ofLink: [Self] = [.watchToPhone, .phoneToWatch]
  /// The directions of the phone-edge link.
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

  /// The direction from a sender on the watch-phone link.
  @inlinable public init(from sender: NodeRole) { self = sender == .watch ? .watchToPhone : .phoneToWatch }

  /// The direction from a sender on the phone-edge link.
  @inlinable public init(overUplinkFrom sender: NodeRole) { self = sender == .edge ? .edgeToPhone : .phoneToEdge }

  /// The receiving node.
  @inlinable public var receiver: NodeRole {
    switch self {
    case .watchToPhone, .edgeToPhone: .phone
    case .phoneToWatch: .watch
    case .phoneToEdge: .edge
    }
  }

  /// Its index among its link's two directions: 0 or 1.
  @inlinable var lane: Int { Int(rawValue & 1) }
}
