public import Link

/// The workout continues after a pause.
public struct WorkoutResumed: Sendable, Equatable {
  public var workoutId: Identifier
  /// By the watch's clock.
  public var sentAt: WatchTime

  public init(workoutId: Identifier, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.sentAt = sentAt
  }
}

extension WorkoutResumed: StampedMessageBody {
  static let kind = AppMessage.Kind.workoutResumed
  static let channel = Channel.userInfo

  var message: AppMessage { .workoutResumed(self) }
}
