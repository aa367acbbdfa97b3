package import CoachProtocol
package import Link

/// An effect of a workout that the watch carries out, in order.
package enum HostEffect: Sendable, Equatable {
  /// Record this change of state; `from` is nil at the beginning of `preparing`.
  case stateChanged(from: WorkoutState?, to: WorkoutState, cause: WorkoutCause)
  /// Record the position on a recorded route; at most once a second.
  case located(GeoPosition)
  /// Send this on the `message` channel, reachable or not.
  case publish(LiveMetrics)
  /// Save this in the health store.
  case finished(FinishedWorkout)
  /// Store this in the workout's log and queue its event as `userInfo`, both in one transaction; after ``finished(_:)``
  /// including the saving of the workout.
  case stepped(WorkoutStep)
  /// Record that a command was refused.
  case refused(command: String, why: String)
}

/// The cause of a change of a workout's state.
package enum WorkoutCause: UInt8, Sendable, Equatable, CaseIterable {
  /// The scenario's events, or the live view.
  case scenario = 1
  /// The athlete: a stop, a recorded pause, the end of the distance.
  case source
  /// A command of the phone.
  case command
  /// The end of the scenario's duration.
  case duration

  package var text: String {
    switch self {
    case .scenario: "scenario"
    case .source: "source"
    case .command: "command"
    case .duration: "duration"
    }
  }
}
