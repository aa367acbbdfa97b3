/// A device's clock: what it reads as date and time, never what its timers count by.
///
/// It may be wrong by an offset, and drift; both are set from outside, as a fault would have it.
public struct NodeClock: Sendable, Equatable {
  /// What it shows at the scenario's start, in nanoseconds since 1970, without its drift.
  @usableFromInline var base: Int64
  /// Nanoseconds since 1970 at the scenario's start, by a clock that is right.
  private let startedAt: Int64
  /// How many nanoseconds it gains in one; 0 for a clock that does not drift.
  @usableFromInline var drift = 0.0
  /// Since when it drifts.
  @usableFromInline var driftsSince = VirtualTime.start

  /// Creates a clock that is right: `startedAt` in nanoseconds since 1970.
  public init(startedAt: Int64) {
    self.startedAt = startedAt
    base = startedAt
  }

  /// Sets the clock: from `now` on it shows real time plus `offset`, and drifts.
  ///
  /// - Parameters:
  ///   - offset: Nanoseconds; negative for a clock that is behind.
  ///   - driftPPM: Millionths by which it is too fast from `now` on; negative for a slow one. Finite.
  public mutating func set(offset: Int64, driftPPM: Double, at now: VirtualTime) {
    precondition(driftPPM.isFinite, "a clock drifts by \(driftPPM) millionths")
    base = startedAt &+ offset
    drift = driftPPM / 1_000_000
    driftsSince = now
  }

  /// What the clock shows, in nanoseconds since 1970.
  @inlinable public func reading(at now: VirtualTime) -> Int64 {
    let right = base &+ now.nanoseconds
    return drift == 0 ? right : right &+ gained(at: now)
  }

  /// What the drift has come to, in whole nanoseconds: a product of two doubles, rounded to the nearest, away from zero
  /// where two are as near.
  @usableFromInline func gained(at now: VirtualTime) -> Int64 {
    let gained = (Double((now - driftsSince).nanoseconds) * drift).rounded()
    return Int64(exactly: gained) ?? (gained < 0 ? .min : .max)
  }
}
