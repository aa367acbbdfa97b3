import Link

/// How long a question waits before it is asked again: 1 s, then twice as long each time, up to 5 min.
///
/// A quarter at most is added, drawn from the seed, so that phones whose uplink fails together do not ask together;
/// 5 min are never exceeded.
enum RetryDelay {
  static let first = VirtualTime.Span.seconds(1)
  static let longest = VirtualTime.Span.seconds(300)

  /// The wait after so many attempts, from 1.
  static func after(_ attempt: Int, of id: Identifier, _ random: RandomStream) -> VirtualTime.Span {
    let doublings = min(max(attempt - 1, 0), 9)
    let base = min(first.nanoseconds << Int64(doublings), longest.nanoseconds)
    let added = Int64(random.number(below: UInt64(base / 4), for: id.low))
    return VirtualTime.Span(nanoseconds: min(base + added, longest.nanoseconds))
  }
}
