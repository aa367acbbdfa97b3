package import CoachProtocol
package import Link

/// One word of the watch about the state of a workout, by either of the two channels.
package struct RunWord: Sendable, Equatable {
  /// Which workout it is about.
  package var workoutId: Identifier
  /// When it was said, by the watch's clock.
  package var sentAt: WatchTime
  /// What was said.
  package var content: Content

  /// Creates a word.
  package init(workoutId: Identifier, sentAt: WatchTime, content: Content) {
    self.workoutId = workoutId
    self.sentAt = sentAt
    self.content = content
  }

  /// Takes from a snapshot what it says of the state.
  package init(_ snapshot: LiveMetrics) {
    self.init(workoutId: snapshot.workoutId, sentAt: snapshot.sentAt, content: .snapshot(snapshot.state))
  }

  /// What a word says, by the kind of message that says it.
  package enum Content: Sendable, Equatable {
    /// Fast and lossy: a fresh `LiveMetrics`. Stale ones are no words.
    case snapshot(WorkoutState)
    /// Late and certain: `workoutStarted`.
    case workoutStarted(startedAt: WatchTime)
    /// Late and certain: `workoutPaused`.
    case workoutPaused
    /// Late and certain: `workoutResumed`.
    case workoutResumed
    /// Late and certain: `workoutEnded`; without a UUID the workout was discarded, and nothing is saved.
    case workoutEnded(healthKitWorkoutUUID: Identifier?)
  }

  /// The kind of message that carries a word.
  package enum Kind: Sendable, Equatable, CaseIterable {
    case snapshot, workoutStarted, workoutPaused, workoutResumed, workoutEnded

    /// The name in the trace.
    package var text: String {
      switch self {
      case .snapshot: "snapshot"
      case .workoutStarted: "workoutStarted"
      case .workoutPaused: "workoutPaused"
      case .workoutResumed: "workoutResumed"
      case .workoutEnded: "workoutEnded"
      }
    }
  }

  /// The kind of message that carried this word.
  package var kind: Kind {
    switch content {
    case .snapshot: .snapshot
    case .workoutStarted: .workoutStarted
    case .workoutPaused: .workoutPaused
    case .workoutResumed: .workoutResumed
    case .workoutEnded: .workoutEnded
    }
  }

  /// The state the word stands for.
  package var state: WorkoutState {
    switch content {
    case .snapshot(let state): state
    case .workoutStarted, .workoutResumed: .running
    case .workoutPaused: .paused
    case .workoutEnded: .ended
    }
  }

  /// Whether the word came by the queue: at equal `sentAt` it then beats a snapshot.
  package var isEvent: Bool { kind != .snapshot }

  /// What a change of the belief by this word is recorded with.
  package var cause: RunDecision.Cause { isEvent ? .event : .snapshot }
}
