import Link

/// When a run ends: at its duration or soon after its workout, and then once its queues have drained.
struct RunLength {
  /// How long the queues may drain after the end.
  static let drainMax = VirtualTime.Span.seconds(600)
  /// How long a run with a free-running node continues after all owed transfers have arrived.
  static let settlingMax = VirtualTime.Span.seconds(30)
  /// How long a run continues after its workout.
  static let afterglow = VirtualTime.Span.seconds(5)

  /// When the faults end and the drain begins.
  private(set) var endAt: VirtualTime
  private let drain: VirtualTime.Span
  /// When the drain ends.
  private(set) var drainedAt = VirtualTime.start
  /// Whether the run continues after its workouts, up to its duration.
  private let lastsWholeDuration: Bool
  /// The transfers owed at the end of a run with a free-running node; nil before the end, and once they have arrived.
  var owed: [Identifier]?

  init(_ duration: VirtualTime.Span, drain: VirtualTime.Span, lastsWholeDuration: Bool) {
    endAt = .start + duration
    self.drain = drain
    self.lastsWholeDuration = lastsWholeDuration
  }

  /// Ends the run soon after its workouts; call it at every instant after they are over.
  mutating func shortenAfterWorkouts(at now: VirtualTime) {
    if !lastsWholeDuration { endAt = min(endAt, now + Self.afterglow) }
  }

  /// Sets how long the queues may drain.
  ///
  /// Delayed frames keep their delay and their order, and everything sent after them comes later still. A drain that
  /// such frames would outlast continues until they have arrived, and half as long again for the answers.
  mutating func beginDrain(heldUpUntil: VirtualTime) {
    drainedAt = max(endAt + drain, heldUpUntil + VirtualTime.Span(nanoseconds: drain.nanoseconds / 2))
  }

  /// Ends the drain soon after what was owed at the end has arrived, whatever free-running nodes still send.
  mutating func boundDrain(_ exchange: inout Exchange) {
    guard let owed, !owed.contains(where: { exchange.log.sink.outstanding.contains($0) }) else { return }
    self.owed = nil
    drainedAt = min(drainedAt, max(exchange.log.now, exchange.heldUpUntil) + Self.settlingMax)
  }
}
