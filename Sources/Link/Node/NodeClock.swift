/// A device's clock: what it reads as date and time, never what its timers count by.
public struct NodeClock: Sendable, Equatable {
  /// Nanoseconds since 1970 at the scenario's start, by a clock that is right.
  private let base: Int64
  /// How far the clock was ahead when it was last set, in nanoseconds.
  private var offset: Int64 = 0
  /// By how many millionths it has run fast since then.
  private var driftPPM = 0.0
  /// When it was last set.
  private var setAt = VirtualTime.start

  /// Creates a clock that is right: `startedAt` in nanoseconds since 1970.
  public init(startedAt: Int64) { base = startedAt }

  /// What the clock shows, in nanoseconds since 1970.
  public func reading(at now: VirtualTime) -> Int64 {
    let ahead = driftPPM == 0 ? offset : offset &+ Self.drifted(now - setAt, driftPPM: driftPPM)
    return base &+ now.nanoseconds &+ ahead
  }

  /// Takes what ``NodeCondition/clock(offset:driftPPM:)`` says.
  public mutating func set(offset: Int64, driftPPM: Double, at now: VirtualTime) {
    precondition(driftPPM.isFinite, "a drift of \(driftPPM)")
    self.offset = offset
    self.driftPPM = driftPPM
    setAt = now
  }

  /// How far a clock has drifted over a span, in nanoseconds: the same whoever reckons it.
  public static func drifted(_ span: VirtualTime.Span, driftPPM: Double) -> Int64 {
    // Multiplied before it is divided: both drivers, and a node in another language, round the same way.
    let nanoseconds = (Double(span.nanoseconds) * driftPPM / 1_000_000).rounded()
    return Int64(max(-9e18, min(nanoseconds, 9e18)))
  }
}
