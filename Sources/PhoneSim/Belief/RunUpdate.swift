package import CoachProtocol
package import Link

/// An update from the watch about a workout's state, by snapshot or by queued event.
package struct RunUpdate: Sendable, Equatable {
  package var workoutId: Identifier
  /// The time of sending by the watch's clock.
  package var sentAt: WatchTime
  package var content: Content
  /// When the workout began at the latest, by the watch's clock; nil if the update does not show it.
  ///
  /// Only a snapshot of a workout whose timer has counted shows it: a leftover session reports starts and zeros too.
  package var beganBy: WatchTime?

  package init(workoutId: Identifier, sentAt: WatchTime, content: Content) {
    self.workoutId = workoutId
    self.sentAt = sentAt
    self.content = content
  }

  /// Extracts the state from a snapshot.
  package init(_ snapshot: LiveMetrics) {
    self.init(workoutId: snapshot.workoutId, sentAt: snapshot.sentAt, content: .snapshot(snapshot.state))
    guard snapshot.elapsed > 0 else { return }
    beganBy = WatchTime(nanoseconds: snapshot.sentAt.nanoseconds -| Int64(saturating: snapshot.elapsed * 1e9))
  }

  package enum Content: Sendable, Equatable {
    /// Fast and lossy: a fresh `LiveMetrics`.
    case snapshot(WorkoutState)
    /// Slow and guaranteed.
    case workoutStarted(startedAt: WatchTime)
    /// Slow and guaranteed.
    case workoutPaused
    /// Slow and guaranteed.
    case workoutResumed
    /// Slow and guaranteed. Without a UUID the workout was discarded, and nothing is saved.
    case workoutEnded(healthKitWorkoutUUID: Identifier?)
  }

  /// The kind of message that carried an update.
  package enum Kind: String, Sendable, CaseIterable {
    case snapshot, workoutStarted, workoutPaused, workoutResumed, workoutEnded
  }

  package var kind: Kind {
    switch content {
    case .snapshot: .snapshot
    case .workoutStarted: .workoutStarted
    case .workoutPaused: .workoutPaused
    case .workoutResumed: .workoutResumed
    case .workoutEnded: .workoutEnded
    }
  }

  /// The workout's state according to this update.
  package var state: WorkoutState {
    switch content {
    case .snapshot(let state): state
    case .workoutStarted, .workoutResumed: .running
    case .workoutPaused: .paused
    case .workoutEnded: .ended
    }
  }

  /// Whether it came by the queue: at equal `sentAt` it then beats a snapshot.
  package var isEvent: Bool { if case .snapshot = content { false } else { true } }

  /// The `cause` of a `run.state` event.
  package var cause: RunDecision.Cause { isEvent ? .event : .snapshot }
}

extension AppMessage {
  /// The update of a run's state in a queued event; nil for every other message.
  ///
  /// A snapshot is read separately, because freshness depends on the link's sequence number.
  var runUpdate: RunUpdate? {
    switch self {
    case .workoutStarted(let event):
      RunUpdate(
        workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutStarted(startedAt: event.startedAt))
    case .workoutPaused(let event):
      RunUpdate(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutPaused)
    case .workoutResumed(let event):
      RunUpdate(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutResumed)
    case .workoutEnded(let event):
      RunUpdate(
        workoutId: event.workoutId, sentAt: event.sentAt,
        content: .workoutEnded(healthKitWorkoutUUID: event.healthKitWorkoutUUID))
    default: nil
    }
  }
}
