package import Link

/// The phone as the tracker of a run that the watch did not begin.
///
/// It knows how long the run lasts, and by the plan's target pace how far it must have come; it publishes no metrics, so
/// no line of the script is said by it.
package struct PhoneTracker: Sendable, Equatable {
  /// Which run.
  package let runId: Identifier
  /// Since when, by the phone's timers.
  package let startedAt: VirtualTime
  /// Until when; nil while it is on.
  package var endedAt: VirtualTime?

  /// Creates a tracker.
  package init(runId: Identifier, startedAt: VirtualTime, endedAt: VirtualTime? = nil) {
    self.runId = runId
    self.startedAt = startedAt
    self.endedAt = endedAt
  }

  /// Whether it is on.
  package var isLive: Bool { endedAt == nil }

  /// How long it has been on, or was, by the phone's timers: in seconds, three decimals.
  package func elapsed(at now: VirtualTime) -> Double {
    (((endedAt ?? now) - startedAt).seconds * 1_000).rounded() / 1_000
  }

  /// The line of its beginning.
  func startedEvent(at now: VirtualTime) -> TraceEvent {
    TraceEvent(
      "tracker.started", at: now, on: .phone, [.init("workoutId", runId.traceValue), .init("by", .string("phone"))])
  }

  /// The line of its end, with the distance where the plan tells a pace.
  func endedEvent(plan: Plan, at now: VirtualTime) -> TraceEvent {
    let seconds = elapsed(at: now)
    var fields: [TraceEvent.Field] = [
      .init("workoutId", runId.traceValue), .init("by", .string("phone")),
      .init("elapsed", .number(seconds, places: 3)),
    ]
    if let pace = plan.targetPace, pace > 0 {
      let metres = min((seconds / pace * 1_000 * 100).rounded() / 100, 1e9)
      fields.append(.init("distance", .number(metres, places: 2)))
    }
    return TraceEvent("tracker.ended", at: now, on: .phone, fields)
  }
}
