public import Link

/// The workout goes on after a pause.
public struct WorkoutResumed: Sendable, Equatable {
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
