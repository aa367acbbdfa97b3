package import CoachProtocol
import Link

/// Stamps messages with strictly increasing times.
///
/// A stamp is the watch's clock, or a nanosecond more than the last stamp if the clock did not advance or was set back.
/// The last value survives restarts in the watch's store.
package struct SentAtClock: Sendable, Equatable {
  /// The last stamp given; the minimum before the first.
  package private(set) var last = WatchTime(nanoseconds: .min)

  /// Returns the next stamp: max(`clock`, last stamp + 1 ns).
  package mutating func stamp(_ clock: WatchTime) -> WatchTime {
    last = max(clock, WatchTime(nanoseconds: last.nanoseconds +| 1))
    return last
  }
}
