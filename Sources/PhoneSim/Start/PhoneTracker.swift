package import Link

/// The phone as tracker of a run that the watch did not start.
///
/// It knows the run's duration, and its distance from the plan's target pace. It publishes no metrics, so it triggers
/// no line of the script.
package struct PhoneTracker: Sendable, Equatable {
  package internal(set) var runId: Identifier
  /// By the phone's timers.
  package internal(set) var startedAt: VirtualTime
  /// By the phone's timers; nil while it is on.
  package var endedAt: VirtualTime?

  package var isLive: Bool { endedAt == nil }

  /// Its duration by the phone's timers, in seconds with three decimals.
  package func elapsed(at now: VirtualTime) -> Double {
    (((endedAt ?? now) - startedAt).seconds * 1_000).rounded() / 1_000
  }

  /// The event of its start.
  func startedEvent(at now: VirtualTime) -> TraceEvent {
    TraceEvent(TrackerStarted.self, at: now, on: .phone) {
      $0.workoutId = runId
      $0.by = "phone"
    }
  }

  /// The event of its end, with the distance if the plan has a pace.
  func endedEvent(plan: Plan, at now: VirtualTime) -> TraceEvent {
    let seconds = elapsed(at: now)
    return TraceEvent(TrackerEnded.self, at: now, on: .phone) {
      $0.workoutId = runId
      $0.by = "phone"
      $0.elapsed = seconds
      if let pace = plan.targetPace, pace > 0 {
        $0.distance = min((seconds / pace * 1_000 * 100).rounded() / 100, 1e9)
      }
    }
  }
}
