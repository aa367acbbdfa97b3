package import CoachProtocol
package import Link

/// One workout as the watch keeps it: how it began, and every step since.
///
/// HealthKit's session outlives the app, and so does what the sensors measure: with its motion source the log
/// says all that there is to know of a workout, however often the app that shows it was killed.
package struct WorkoutLog: Sendable, Equatable {
  /// How it began.
  package var begin: WorkoutBegin
  /// What happened since, in its order.
  package var steps: [WorkoutStep] = []

  /// Begins a log.
  package init(_ begin: WorkoutBegin) { self.begin = begin }

  /// Whether the workout has ended: it is never taken up again.
  package var isOver: Bool { steps.last?.kind.isEnd ?? false }

  /// Whether nothing of it is needed any more: it was discarded, and its last event is queued.
  package var isSpent: Bool { steps.last?.kind == .discarded && steps.allSatisfy(\.isAnnounced) }

  /// The moment of the last entry.
  package var lastInstant: VirtualTime { steps.last?.at ?? begin.at }

  /// How long a workout can be: no log that says more is believed.
  package static let lengthMax = VirtualTime.Span.seconds(366 * 86_400)
}

/// The beginning of a workout.
package struct WorkoutBegin: Sendable, Equatable {
  /// Which workout: the `runId` of the start command, or the watch's own.
  package var workoutId: Identifier
  /// Second 0 of the session.
  package var at: VirtualTime
  /// Who started it.
  package var cause: WorkoutCause
  /// How long `preparing` takes, at least 0.
  package var preparing: VirtualTime.Span

  /// Creates a beginning.
  package init(workoutId: Identifier, at: VirtualTime, cause: WorkoutCause, preparing: VirtualTime.Span) {
    self.workoutId = workoutId
    self.at = at
    self.cause = cause
    self.preparing = preparing
  }
}

/// One thing that happened to a workout.
package struct WorkoutStep: Sendable, Equatable {
  /// What happened.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// `preparing` is over.
    case started = 1
    /// The timer stands.
    case paused
    /// The timer goes on.
    case resumed
    /// It is over, and stored.
    case ended
    /// It is over, and nothing of it is kept.
    case discarded
    /// A command paused what stood already: from now on the pause outlasts the source's.
    case held
    /// A command took its pause back while the source stands: nothing is seen of it.
    case released

    /// Whether the workout is over with it.
    package var isEnd: Bool { self == .ended || self == .discarded }
    /// Whether the phone is told.
    package var isAnnounced: Bool { self != .held && self != .released }
  }

  /// What happened.
  package var kind: Kind
  /// When, by the watch's timers; a source's own change at the whole second that showed it, however late the app saw it.
  package var at: VirtualTime
  /// The stamp of the snapshot that reported it, and of the event that announces it; of no meaning where none does.
  package var sentAt: WatchTime
  /// Who caused it.
  package var cause: WorkoutCause
  /// Whether its event is queued, or there is none to queue.
  package var isAnnounced: Bool

  /// Creates a step whose event is not queued yet.
  package init(_ kind: Kind, at: VirtualTime, sentAt: WatchTime, cause: WorkoutCause) {
    self.kind = kind
    self.at = at
    self.sentAt = sentAt
    self.cause = cause
    isAnnounced = !kind.isAnnounced
  }

  /// The event that announces it; nil for a step that nobody is told of.
  ///
  /// - Parameters:
  ///   - workoutId: Whose step it is.
  ///   - uuid: The name under which the health store keeps the workout, once it has ended.
  package func event(of workoutId: Identifier, storedAs uuid: Identifier) -> AppMessage? {
    switch kind {
    case .started: .workoutStarted(WorkoutStarted(workoutId: workoutId, startedAt: sentAt, sentAt: sentAt))
    case .paused: .workoutPaused(WorkoutPaused(workoutId: workoutId, sentAt: sentAt))
    case .resumed: .workoutResumed(WorkoutResumed(workoutId: workoutId, sentAt: sentAt))
    case .ended: .workoutEnded(WorkoutEnded(workoutId: workoutId, healthKitWorkoutUUID: uuid, sentAt: sentAt))
    case .discarded: .workoutEnded(WorkoutEnded(workoutId: workoutId, healthKitWorkoutUUID: nil, sentAt: sentAt))
    case .held, .released: nil
    }
  }
}
