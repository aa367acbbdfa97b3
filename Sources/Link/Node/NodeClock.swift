/// A device's clock: what it reads as date and time, never what its timers count by.
public struct NodeClock: Sendable, Equatable {
  /// Nanoseconds since 1970 at the scenario's start.
  private var base: Int64

  /// Creates a clock that is right: `startedAt` in nanoseconds since 1970.
  public init(startedAt: Int64) { base = startedAt }

  /// What the clock shows, in nanoseconds since 1970.
  @inlinable public func reading(at now: VirtualTime) -> Int64 { startedAt &+ now.nanoseconds }

  /// Nanoseconds since 1970 at the scenario's start, by this clock.
  @usableFromInline var startedAt: Int64 { base }
}
