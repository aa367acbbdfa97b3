package import CoachProtocol
package import Link

/// One workout as the watch stores it: its beginning and every step since.
///
/// HealthKit's session outlives the app, and so do the sensors: together with the motion source the log reconstructs
/// the workout, however often the app was killed.
package struct WorkoutLog: Sendable, Equatable {
  package var begin: WorkoutBegin
  /// In order.
  package var steps: [WorkoutStep] = []

  /// Whether the workout has ended, so that it is never continued.
  package var isOver: Bool { steps.last?.kind.isEnd ?? false }

  /// Whether it is no longer needed: it was discarded, and its last event is queued.
  package var isSpent: Bool { steps.last?.kind == .discarded && steps.allSatisfy(\.isAnnounced) }

  /// The instant of the last entry.
  package var lastInstant: VirtualTime { steps.last?.at ?? begin.at }

  /// The longest valid workout; longer logs are refused.
  package static let lengthMax = VirtualTime.Span.seconds(366 * 86_400)
}

/// The beginning of a workout.
package struct WorkoutBegin: Sendable, Equatable {
  /// The `runId` of the start command, or the watch's own.
  package var workoutId: Identifier
  /// Second 0 of the session.
  package var at: VirtualTime
  /// Who started it.
  package var cause: WorkoutCause
  /// The duration of `preparing`, at least 0.
  package var preparing: VirtualTime.Span
}

/// One step of a workout.
package struct WorkoutStep: Sendable, Equatable {
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// `preparing` is over.
    case started = 1
    /// The timer stopped.
    case paused
    /// The timer continues.
    case resumed
    /// It is over and saved.
    case ended
    /// It is over, and nothing of it is saved.
    case discarded
    /// A command paused a workout that was already stopped: the pause outlasts the source's.
    case held
    /// A command ended its pause while the source is paused: no visible change.
    case released

    /// Whether the workout ends with it.
    package var isEnd: Bool { self == .ended || self == .discarded }
    /// Whether the phone gets an event.
    package var isAnnounced: Bool { self != .held && self != .released }
  }

  package var kind: Kind
  /// By the watch's timers; a source's change at its whole second, even if the app saw it late.
  package var at: VirtualTime
  /// The stamp of its snapshot and event; meaningless for steps without these.
  package var sentAt: WatchTime
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

  /// The event that announces it; nil for an unannounced kind.
  ///
  /// - Parameters:
  ///   - workoutId: The step's workout.
  ///   - uuid: The workout's id in the health store, once it has ended.
  ///   - discipline: What its start names; nil for a run.
  package func event(
    of workoutId: Identifier, storedAs uuid: Identifier, discipline: TrainingDiscipline? = nil
  ) -> AppMessage? {
    switch kind {
    case .started:
      .workoutStarted(
        WorkoutStarted(workoutId: workoutId, startedAt: sentAt, sentAt: sentAt, discipline: discipline))
    case .paused: .workoutPaused(WorkoutPaused(workoutId: workoutId, sentAt: sentAt))
    case .resumed: .workoutResumed(WorkoutResumed(workoutId: workoutId, sentAt: sentAt))
    case .ended: .workoutEnded(WorkoutEnded(workoutId: workoutId, healthKitWorkoutUUID: uuid, sentAt: sentAt))
    case .discarded: .workoutEnded(WorkoutEnded(workoutId: workoutId, healthKitWorkoutUUID: nil, sentAt: sentAt))
    case .held, .released: nil
    }
  }
}

/// One measurement of a workout that has started, in 32 bytes: almost three megabytes a day.
package struct WorkoutSample: Sendable, Equatable {
  /// Milliseconds since the start, pauses included.
  package var offsetMilliseconds: UInt32
  /// Milliseconds of the timer, pauses excluded.
  package var activeMilliseconds: UInt32
  /// Centimetres since the start.
  package var distanceCentimetres: UInt32
  /// Steps per minute; 0 without a reading.
  package var cadence: UInt16
  /// Beats per minute; 0 without a reading.
  package var heartRate: UInt8
  /// Whether the timer ran since the previous sample.
  package var isActive: Bool
  private var latitudeE7: Int32
  private var longitudeE7: Int32
  private var altitudeMillimetres: Int32
  private var accuracyDecimetres: UInt16

  /// Creates a sample; times and distances are clamped to 2^32 - 1.
  package init(
    offsetMilliseconds: Int64, activeMilliseconds: Int64, distanceCentimetres: Int64, heartRate: UInt8, cadence: UInt16,
    isActive: Bool, position: GeoPosition?
  ) {
    self.offsetMilliseconds = UInt32(clamping: offsetMilliseconds)
    self.activeMilliseconds = UInt32(clamping: activeMilliseconds)
    self.distanceCentimetres = UInt32(clamping: distanceCentimetres)
    self.heartRate = heartRate
    self.cadence = cadence
    self.isActive = isActive
    latitudeE7 = position?.latitudeE7 ?? .min
    longitudeE7 = position?.longitudeE7 ?? .min
    altitudeMillimetres = position?.altitudeMillimetres ?? 0
    accuracyDecimetres = position?.accuracyDecimetres ?? 0
  }

  /// Nil if unknown.
  package var position: GeoPosition? {
    // No position on the globe has this latitude.
    latitudeE7 == .min
      ? nil
      : GeoPosition(
        latitudeE7: latitudeE7, longitudeE7: longitudeE7, altitudeMillimetres: altitudeMillimetres,
        accuracyDecimetres: accuracyDecimetres)
  }
}
