package import CoachProtocol

/// What a workout asks of the watch, in order.
package enum HostEffect: Sendable, Equatable {
  /// Record this change of state; `from` is nil at the beginning of `preparing`.
  case stateChanged(from: WorkoutState?, to: WorkoutState, cause: WorkoutCause)
  /// Record where the runner is, as the recorded route has it; at most once a second.
  case located(GeoPosition)
  /// Send this on the `message` channel, reachable or not.
  case publish(LiveMetrics)
  /// Write this into the health store.
  case finished(FinishedWorkout)
  /// Keep this in the workout's log and queue its event as `userInfo`, both in one transaction; after
  /// ``finished(_:)`` the storing of the workout too: it is stored and announced, or neither.
  case stepped(WorkoutStep)
  /// Record that a command made no sense now.
  case refused(command: String, why: String)
}

/// Who caused a change of a workout's state.
package enum WorkoutCause: UInt8, Sendable, Equatable, CaseIterable {
  /// The scenario's events, or the live view.
  case scenario = 1
  /// The runner: a stop, a recorded pause, the end of the distance.
  case source
  /// A word from the phone.
  case command
  /// The end of the scenario's duration.
  case duration

  /// The name in the trace.
  package var text: String {
    switch self {
    case .scenario: "scenario"
    case .source: "source"
    case .command: "command"
    case .duration: "duration"
    }
  }
}
