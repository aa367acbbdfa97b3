import Link

/// The backoff before a retry: 1 s, doubling up to 5 min.
///
/// Adds up to a quarter of random jitter from the seed, so that phones whose uplink failed together do not retry
/// together. Never exceeds 5 min.
enum RetryDelay {
  static let first = VirtualTime.Span.seconds(1)
  static let longest = VirtualTime.Span.seconds(300)

  /// The delay after the given number of attempts, at least 1.
  static func after(_ attempt: Int, of id: Identifier, _ random: RandomStream) -> VirtualTime.Span {
    let doublings = min(max(attempt - 1, 0), 9)
    let base = min(first.nanoseconds << Int64(doublings), longest.nanoseconds)
    let added = Int64(random.number(below: UInt64(base / 4), for: id.low))
    return VirtualTime.Span(nanoseconds: min(base + added, longest.nanoseconds))
  }
}
