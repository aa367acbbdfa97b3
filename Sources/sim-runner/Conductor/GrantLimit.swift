import Link
import LinkTransport

/// Counts how often a node is called while little time passes: a node that always has a deadline a nanosecond ahead
/// would otherwise keep a run going for ever.
struct GrantLimit {
  /// How often a node may be called within ``span``.
  static let grantsMax = 100_000
  /// Of the run's time.
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

  /// What a node is accused of that went beyond the limit.
  static func failure(of role: NodeRole) -> NodeFailure {
    NodeFailure(role, .overload("was called more than \(grantsMax) times within 1 s of the run"))
  }
}
