/// A reading of one node's own clock, in nanoseconds since 1970 by that clock.
///
/// `Node` names whose clock it was. Two readings of one clock can be compared; readings of two
/// clocks cannot, because their types differ: clock skew is a fault, and no code may reason across it.
public struct NodeTime<Node>: Sendable, Hashable, Comparable, Codable {
  /// Nanoseconds since 1970-01-01T00:00:00Z as this node believes it.
  public var nanoseconds: Int64

  /// Creates the reading `nanoseconds`.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Tells whether one reading is before another of the same clock.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}
