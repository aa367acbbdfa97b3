public import Link

/// The workout was paused, by a command or by the runner.
public struct WorkoutPaused: Sendable, Equatable {
  public var workoutId: Identifier
  /// By the watch's clock.
  public var sentAt: WatchTime

  public init(workoutId: Identifier, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.sentAt = sentAt
  }
}

extension WorkoutPaused: StampedMessageBody {
  static let kind = AppMessage.Kind.workoutPaused
  static let channel = Channel.userInfo

  var message: AppMessage { .workoutPaused(self) }
}
