package import CoachProtocol
package import Link

/// A finished workout, as stored in the health store.
package struct FinishedWorkout: Sendable, Equatable {
  /// `aarcRunId` in the stored workout's metadata.
  package var workoutId: Identifier
  /// The stored workout's own id, which `workoutEnded` passes to the phone.
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
  /// In order.
  package var events: [WorkoutEvent]
  /// The completed kilometres or miles, as published.
  package var splits: [Split]
  package var splitUnit = LengthUnit.kilometres
  /// Nil for a sport that is none.
  package var discipline: TrainingDiscipline? = .running
  /// The discipline's own records, in order; of a run, its intervals.
  package var units: [SessionUnit] = []
}

/// A pause or its end.
package struct WorkoutEvent: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case pause, resume }

  package var kind: Kind
  /// Milliseconds since the start, pauses included.
  package var offsetMilliseconds: Int64
  /// The `sentAt` of the event that announced it.
  package var date: WatchTime
}
