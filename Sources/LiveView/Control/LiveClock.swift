import Console
import Link

/// Maps real time to virtual time at a variable pace, or paused.
package struct LiveClock {
  /// Virtual seconds in a real second; nil for as fast as possible.
  private(set) var factor: Double?
  private(set) var isPaused = false
  private var real: ContinuousClock.Instant
  private var virtual: VirtualTime

  /// A clock at the run's start.
  package init(factor: Double?, at real: ContinuousClock.Instant) {
    precondition(factor.map { $0 > 0 } ?? true, "a pace of \(factor ?? 0)")
    self.factor = factor
    self.real = real
    virtual = .start
  }

  /// The current virtual time; nil if the run goes as fast as possible.
  func time(at now: ContinuousClock.Instant) -> VirtualTime? {
    if isPaused { return virtual }
    guard let factor else { return nil }
    let passed = real.duration(to: now) / .seconds(1) * factor * 1e9
    return virtual + VirtualTime.Span(nanoseconds: Int64(min(max(passed, 0), 4e18)))
  }

  /// Real seconds until `instant`; nil while paused.
  func wait(for instant: VirtualTime, at now: ContinuousClock.Instant) -> Double? {
    guard !isPaused else { return nil }
    guard let factor, let time = time(at: now) else { return 0 }
    return max(0, Double((instant - time).nanoseconds) / 1e9 / factor)
  }

  /// Pauses at `position`, or continues from there.
  mutating func setPaused(_ paused: Bool, at position: VirtualTime, now: ContinuousClock.Instant) {
    isPaused = paused
    anchor(position, now)
  }

  /// Changes the pace from `position` on.
  mutating func setFactor(_ factor: Double?, at position: VirtualTime, now: ContinuousClock.Instant) {
    self.factor = factor
    anchor(position, now)
  }

  /// Skips real time during which the process was stopped.
  mutating func skip(_ stopped: Duration) { real += stopped }

  private mutating func anchor(_ position: VirtualTime, _ now: ContinuousClock.Instant) {
    virtual = position
    real = now
  }

  /// The pace as text: `20x`, `paused at 20x`, `as fast as it goes`.
  var words: String {
    let pace = factor.map { TraceValue.number($0, places: 3).jsonText + "x" }
    return isPaused ? "paused" : pace ?? "as fast as possible"
  }
}
