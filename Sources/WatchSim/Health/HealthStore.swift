package import CoachProtocol
package import Link

/// The simulated HealthKit on the watch: the system of record.
///
/// Stores finished workouts as compact samples, in the order of saving; fetches are derived from them. Saving a workout
/// again (after a crash between commit and record) has no effect.
package struct HealthStore: Sendable, Equatable {
  /// In the order of saving.
  package private(set) var workouts: [FinishedWorkout] = []

  /// Saves a workout; false if it is already saved.
  @discardableResult
  package mutating func save(_ workout: FinishedWorkout) -> Bool {
    guard self[workout.healthKitWorkoutUUID] == nil else { return false }
    workouts.append(workout)
    return true
  }

  /// The workout with this UUID of the health store; nil if there is none.
  package subscript(uuid: Identifier) -> FinishedWorkout? {
    workouts.first { $0.healthKitWorkoutUUID == uuid }
  }

  /// The workout of a run, by `aarcRunId` in its metadata; nil if there is none.
  package func workout(ofRun runId: Identifier) -> FinishedWorkout? {
    workouts.first { $0.workoutId == runId }
  }

  /// The result of a fetch by UUID; nil if there is no such workout.
  package func truth(of uuid: Identifier) -> WorkoutTruth? { self[uuid]?.truth }
}

extension FinishedWorkout {
  /// The trace event of its saving.
  package var savedEvent: HealthSaved {
    var event = HealthSaved()
    event.workout = healthKitWorkoutUUID
    event.aarcRunId = workoutId
    event.distance = Double(distanceCentimetres) / 100
    event.duration = Double(activeMilliseconds) / 1_000
    event.samples = Int64(samples.count)
    event.splits = Int64(splits.count)
    return event
  }
}
