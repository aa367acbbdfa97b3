public import Link

/// The workout is over, and stored under this name.
public struct WorkoutEnded: Sendable, Equatable {
  /// Which workout.
  public var workoutId: Identifier
  /// The name under which the health store keeps it; nil when it was discarded.
  public var healthKitWorkoutUUID: Identifier?
  /// When, by the watch's clock.
  public var sentAt: WatchTime

  /// Creates the event.
  public init(workoutId: Identifier, healthKitWorkoutUUID: Identifier?, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.healthKitWorkoutUUID = healthKitWorkoutUUID
    self.sentAt = sentAt
  }
}
