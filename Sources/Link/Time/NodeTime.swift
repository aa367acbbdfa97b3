/// A reading of one node's own clock, in nanoseconds since 1970 by that clock.
///
/// `Node` is the owner of the clock. Readings of one clock can be compared; readings of two clocks have different
/// types, because clock skew is a fault and no code may compare them.
public struct NodeTime<Node>: Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970-01-01T00:00:00Z by this node's clock.
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether one reading is earlier than another of the same clock.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}
