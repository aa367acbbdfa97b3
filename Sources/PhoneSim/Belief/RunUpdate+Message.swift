import CoachProtocol

extension AppMessage {
  /// The update of a run's state in a queued event; nil for every other message.
  ///
  /// A snapshot is read separately, because freshness depends on the link's sequence number.
  var runUpdate: RunUpdate? {
    switch self {
    case .workoutStarted(let event):
      RunUpdate(
        workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutStarted(startedAt: event.startedAt))
    case .workoutPaused(let event):
      RunUpdate(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutPaused)
    case .workoutResumed(let event):
      RunUpdate(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutResumed)
    case .workoutEnded(let event):
      RunUpdate(
        workoutId: event.workoutId, sentAt: event.sentAt,
        content: .workoutEnded(healthKitWorkoutUUID: event.healthKitWorkoutUUID))
    default: nil
    }
  }
}
