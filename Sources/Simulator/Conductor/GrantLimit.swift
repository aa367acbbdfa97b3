import Link
import LinkTransport

/// Limits how often a node is called in a short time: a node whose deadline is always a nanosecond ahead would keep a
/// run going forever.
struct GrantLimit {
  /// How often a node may be called within ``span``.
  static let grantsMax = 100_000
  /// In virtual time.
  static let span = VirtualTime.Span.seconds(1)

  private var end = VirtualTime.start
  private var grants = 0

  /// Counts a call.
  ///
  /// - Returns: False for one too many.
  @inline(__always)
  mutating func admit(at now: VirtualTime) -> Bool {
    if now >= end {
      end = now + Self.span
      grants = 0
    }
    grants += 1
    return grants <= Self.grantsMax
  }

  /// The failure of a node that exceeded the limit.
  static func failure(of role: NodeRole) -> NodeFailure {
    NodeFailure(role, .overload("was called more than \(grantsMax) times within 1 s of the run"))
  }
}
