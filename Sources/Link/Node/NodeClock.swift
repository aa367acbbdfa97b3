/// A device's clock for date and time; its timers do not depend on it.
///
/// It may have an offset and a drift, which faults set.
public struct NodeClock: Sendable, Equatable {
  /// What it shows at the scenario's start, in nanoseconds since 1970, without drift.
  @usableFromInline var base: Int64
  /// The true time at the scenario's start, in nanoseconds since 1970.
  private let startedAt: Int64
  /// The nanoseconds it gains in one; 0 without drift.
  @usableFromInline var drift = 0.0
  /// The beginning of the drift.
  @usableFromInline var driftsSince = VirtualTime.start

  /// Creates a correct clock: `startedAt` in nanoseconds since 1970.
  public init(startedAt: Int64) {
    self.startedAt = startedAt
    base = startedAt
  }

  /// Sets the clock: from `now` on it shows true time plus `offset`, and drifts.
  ///
  /// - Parameters:
  ///   - offset: In nanoseconds; negative for a slow clock.
  ///   - driftPPM: The millionths that it gains from `now` on; negative for a slow clock; finite.
  ///   - now: True time.
  public mutating func set(offset: Int64, driftPPM: Double, at now: VirtualTime) {
    precondition(driftPPM.isFinite, "a clock drifts by \(driftPPM) millionths")
    base = startedAt &+ offset
    drift = driftPPM / 1_000_000
    driftsSince = now
  }

  /// The time it shows, in nanoseconds since 1970.
  @inlinable public func reading(at now: VirtualTime) -> Int64 {
    let right = base &+ now.nanoseconds
    return drift == 0 ? right : right &+ gained(at: now)
  }

  /// The accumulated drift in nanoseconds, rounded to nearest, ties away from zero.
  @usableFromInline func gained(at now: VirtualTime) -> Int64 {
    let gained = (Double((now - driftsSince).nanoseconds) * drift).rounded()
    return Int64(exactly: gained) ?? (gained < 0 ? .min : .max)
  }
}
