package import CoachProtocol
package import Link

/// Everything the watch knows of a workout that is over: what goes into the health store.
package struct FinishedWorkout: Sendable, Equatable {
  /// Which workout: `aarcRunId` in the stored workout's metadata.
  package var workoutId: Identifier
  /// The stored workout's own name, which `workoutEnded` hands to the phone.
  package var healthKitWorkoutUUID: Identifier
  /// When it started to run, by the watch's clock: the `sentAt` of `workoutStarted`.
  package var startedAt: WatchTime
  /// When it ended, by the watch's clock: the `sentAt` of `workoutEnded`.
  package var endedAt: WatchTime
  /// Milliseconds from start to end, pauses included.
  package var lengthMilliseconds: Int64
  /// Milliseconds of the timer, pauses excluded.
  package var activeMilliseconds: Int64
  /// Centimetres.
  package var distanceCentimetres: Int64
  /// Active energy in tenths of a kilocalorie.
  package var energyDecikilocalories: Int64
  /// One for each second and each change of state, in order.
  package var samples: [WorkoutSample]
  /// Pauses and resumptions, in order.
  package var events: [WorkoutEvent]
  /// The completed kilometres, as they were published.
  package var splits: [Split]
}

/// A pause or its end.
package struct WorkoutEvent: Sendable, Equatable {
  /// What happened.
  package enum Kind: Sendable, Equatable { case pause, resume }

  /// What happened.
  package var kind: Kind
  /// Milliseconds since the start, pauses included.
  package var offsetMilliseconds: Int64
  /// The `sentAt` of the word that announced it.
  package var date: WatchTime
}
