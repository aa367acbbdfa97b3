package import CoachProtocol
import Link

/// Stamps what the watch says, so that no two words of it carry the same time and none goes back.
///
/// A stamp is the watch's clock, or a nanosecond more than the last stamp where the clock stands or
/// was set back. Its last value outlives the app: the watch keeps it in its store.
package struct SentAtClock: Sendable, Equatable {
  /// The last stamp given; the beginning of time before the first.
  package private(set) var last: WatchTime

  /// Goes on from the last stamp that was stored.
  package init(last: WatchTime = WatchTime(nanoseconds: .min)) { self.last = last }

  /// Returns the next stamp: max(`clock`, last stamp + 1 ns).
  package mutating func stamp(_ clock: WatchTime) -> WatchTime {
    last = max(clock, WatchTime(nanoseconds: last.nanoseconds == .max ? .max : last.nanoseconds + 1))
    return last
  }
}
