import CoachProtocol

extension AppMessage {
  /// The word about a run's state that a queued event is; nil for every other message.
  ///
  /// A snapshot is no such word: it comes with the number the link stamped on it.
  var runWord: RunWord? {
    switch self {
    case .workoutStarted(let event):
      RunWord(
        workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutStarted(startedAt: event.startedAt))
    case .workoutPaused(let event):
      RunWord(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutPaused)
    case .workoutResumed(let event):
      RunWord(workoutId: event.workoutId, sentAt: event.sentAt, content: .workoutResumed)
    case .workoutEnded(let event):
      RunWord(
        workoutId: event.workoutId, sentAt: event.sentAt,
        content: .workoutEnded(healthKitWorkoutUUID: event.healthKitWorkoutUUID))
    case .liveMetrics, .startWorkout, .startAck, .startDeclined, .cancelStart, .endWorkout, .hapticCue,
      .companionMessageDispatched, .probe:
      nil
    }
  }
}
