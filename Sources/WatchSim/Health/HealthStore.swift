package import CoachProtocol
package import Link

/// The simulated HealthKit on the watch: the system of record.
///
/// Keeps finished workouts in the order of their saving, as compact samples; what somebody fetches is
/// derived from them. A workout is saved once: saving it again (a crash between commit and record)
/// changes nothing.
package struct HealthStore: Sendable, Equatable {
  /// The workouts, in the order of their saving.
  package private(set) var workouts: [FinishedWorkout] = []

  /// Creates an empty store.
  package init() {}

  /// Keeps a workout; returns false when it is kept already.
  @discardableResult
  package mutating func save(_ workout: FinishedWorkout) -> Bool {
    guard self[workout.healthKitWorkoutUUID] == nil else { return false }
    workouts.append(workout)
    return true
  }

  /// The workout with this name of the store's own; nil when there is none.
  package subscript(uuid: Identifier) -> FinishedWorkout? {
    workouts.first { $0.healthKitWorkoutUUID == uuid }
  }

  /// The workout of a run, by `aarcRunId` in its metadata; nil when there is none.
  package func workout(ofRun runId: Identifier) -> FinishedWorkout? {
    workouts.first { $0.workoutId == runId }
  }

  /// What a fetch by the store's own name gives; nil when there is no such workout.
  package func truth(of uuid: Identifier) -> WorkoutTruth? { self[uuid]?.truth }
}

extension FinishedWorkout {
  /// The fields of the trace line `health.saved`.
  package var traceFields: [TraceEvent.Field] {
    [
      .init("workout", healthKitWorkoutUUID.traceValue),
      .init("aarcRunId", workoutId.traceValue),
      .init("distance", .fixed(distanceCentimetres, places: 2)),
      .init("duration", .fixed(activeMilliseconds, places: 3)),
      .init("samples", .int(Int64(samples.count))),
      .init("splits", .int(Int64(splits.count))),
    ]
  }
}
