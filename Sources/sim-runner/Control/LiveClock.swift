import Link

/// How virtual time follows real time while a run is looked at: at a pace that can be changed, or not at all.
struct LiveClock {
  /// Virtual seconds a real second; nil for as fast as the run goes.
  private(set) var factor: Double?
  private(set) var isPaused = false
  private var real: ContinuousClock.Instant
  private var virtual: VirtualTime

  /// A clock that stands at the run's start.
  init(factor: Double?, at real: ContinuousClock.Instant) {
    precondition(factor.map { $0 > 0 } ?? true, "a pace of \(factor ?? 0)")
    self.factor = factor
    self.real = real
    virtual = .start
  }

  /// What time it is in the run; nil where the run goes as fast as it can.
  func time(at now: ContinuousClock.Instant) -> VirtualTime? {
    if isPaused { return virtual }
    guard let factor else { return nil }
    let passed = real.duration(to: now) / .seconds(1) * factor * 1e9
    return virtual + VirtualTime.Span(nanoseconds: Int64(min(max(passed, 0), 4e18)))
  }

  /// How long until it is `instant` in the run, in real seconds; nil while time stands still.
  func wait(for instant: VirtualTime, at now: ContinuousClock.Instant) -> Double? {
    guard !isPaused else { return nil }
    guard let factor, let time = time(at: now) else { return 0 }
    return max(0, Double((instant - time).nanoseconds) / 1e9 / factor)
  }

  /// Has time stand still at `position`, or go on from there.
  mutating func setPaused(_ paused: Bool, at position: VirtualTime, now: ContinuousClock.Instant) {
    isPaused = paused
    anchor(position, now)
  }

  /// Changes the pace from `position` on.
  mutating func setFactor(_ factor: Double?, at position: VirtualTime, now: ContinuousClock.Instant) {
    self.factor = factor
    anchor(position, now)
  }

  private mutating func anchor(_ position: VirtualTime, _ now: ContinuousClock.Instant) {
    virtual = position
    real = now
  }

  /// The pace in words: `20x`, `paused at 20x`, `as fast as it goes`.
  var words: String {
    let pace = factor.map { factor in
      var text = ""
      TraceValue.number(factor, places: 3).append(to: &text)
      return "\(text)x"
    }
    return isPaused ? "paused" : pace ?? "as fast as it goes"
  }
}
