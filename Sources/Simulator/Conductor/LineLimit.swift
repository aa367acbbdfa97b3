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
