public import Link

/// The workout began to run: `preparing` is over.
public struct WorkoutStarted: Sendable, Equatable {
  /// Which workout.
  public var workoutId: Identifier
  /// When, by the watch's clock; the same as ``sentAt``.
  public var startedAt: WatchTime
  /// When it was said, by the watch's clock.
  public var sentAt: WatchTime

  /// Creates the event.
  public init(workoutId: Identifier, startedAt: WatchTime, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.startedAt = startedAt
    self.sentAt = sentAt
  }
}
