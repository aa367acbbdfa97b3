package import CoachProtocol
package import Link

/// What the watch knows of the phone's clock: what the phone's hello said of it, told on by this watch's timers.
///
/// Not by the watch's clock, which may be set at any time, also while no app runs that would notice: a difference of
/// the two clocks would be wrong from then on, while the phone's clock is where it was. What is done to the phone's own
/// stays unknown until its next hello.
package struct PhoneClock: Sendable, Equatable {
  /// What it read at the scenario's start, if it has gone right since.
  package var startedAt: PhoneTime

  /// Creates one that read `startedAt` at the scenario's start.
  package init(startedAt: PhoneTime) { self.startedAt = startedAt }

  /// Notes what a hello says.
  ///
  /// - Parameters:
  ///   - difference: The phone's clock minus the watch's, in nanoseconds; whatever the phone says.
  ///   - watchClock: What the watch's clock reads, in nanoseconds since 1970.
  init(difference: Int64, watchClock: Int64, at now: VirtualTime) {
    startedAt = PhoneTime(nanoseconds: watchClock.addingClamped(difference).addingClamped(-now.nanoseconds))
  }

  /// What it reads.
  package func reading(at now: VirtualTime) -> PhoneTime {
    PhoneTime(nanoseconds: startedAt.nanoseconds.addingClamped(now.nanoseconds))
  }
}

extension Int64 {
  /// The sum, or the bound that it is beyond.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isFar) = addingReportingOverflow(other)
    return isFar ? other < 0 ? .min : .max : sum
  }
}
