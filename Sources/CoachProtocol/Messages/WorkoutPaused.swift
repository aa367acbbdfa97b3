public import Link

/// The workout was paused, by whomever.
public struct WorkoutPaused: Sendable, Equatable {
  /// Which workout.
  public var workoutId: Identifier
  /// When, by the watch's clock.
  public var sentAt: WatchTime

  /// Creates the event.
  public init(workoutId: Identifier, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.sentAt = sentAt
  }
}
