package import CoachProtocol
package import Link

/// The phone's clock as the watch knows it: from the phone's last hello, advanced by the watch's timers.
///
/// Not by the watch's clock, which may be set at any time, even while the app is not running: a stored difference of
/// the two clocks would then be wrong. Changes of the phone's own clock are unknown until its next hello.
package struct PhoneClockEstimate: Sendable, Equatable {
  /// Its extrapolated reading at the scenario's start.
  package var startedAt: PhoneTime

  package init(startedAt: PhoneTime) { self.startedAt = startedAt }

  /// Computes the clock from a hello.
  ///
  /// - Parameters:
  ///   - difference: The phone's clock minus the watch's, in nanoseconds; untrusted.
  ///   - watchClock: The watch's clock, in nanoseconds since 1970.
  init(difference: Int64, watchClock: Int64, at now: VirtualTime) {
    startedAt = PhoneTime(nanoseconds: watchClock.addingClamped(difference).addingClamped(-now.nanoseconds))
  }

  /// Its reading at `now`.
  package func reading(at now: VirtualTime) -> PhoneTime {
    PhoneTime(nanoseconds: startedAt.nanoseconds.addingClamped(now.nanoseconds))
  }
}

extension Int64 {
  /// Saturating sum.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isFar) = addingReportingOverflow(other)
    return isFar ? other < 0 ? .min : .max : sum
  }
}

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
