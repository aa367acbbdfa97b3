import Link
import LinkTransport

/// Limits how many lines a node writes: the judge may keep what each of them names, and a node that invents names would
/// have it keep ever more.
struct LineLimit {
  /// How many lines a node may write at once, and how many more for each second of the run's time.
  static let atOnce = 500_000
  static let perSecond = 1_000

  private var count = 0

  /// Counts a line.
  ///
  /// - Returns: False for one too many.
  @inline(__always)
  mutating func admit(at now: VirtualTime) -> Bool {
    count += 1
    return count <= Self.atOnce || count <= Self.atOnce + Self.allowance(at: now)
  }

  private static func allowance(at now: VirtualTime) -> Int {
    Int(clamping: (now - .start).nanoseconds / 1_000_000_000 *| Int64(perSecond))
  }

  /// The failure of a node that exceeded the limit.
  static func failure(of role: NodeRole) -> NodeFailure {
    NodeFailure(
      role, .overload("wrote more than \(atOnce) lines, and \(perSecond) more for each second of the run"))
  }
}

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
