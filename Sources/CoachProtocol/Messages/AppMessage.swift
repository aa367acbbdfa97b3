/// All messages between watch and phone, except voice notes, which are files.
///
/// An enum, so that the compiler reports every switch that lacks a new kind. Fields, channel and encoding of a kind are
/// in its own file.
public enum AppMessage: Sendable, Equatable {
  case liveMetrics(LiveMetrics)
  case workoutStarted(WorkoutStarted)
  case workoutPaused(WorkoutPaused)
  case workoutResumed(WorkoutResumed)
  case workoutEnded(WorkoutEnded)
  case sessionReport(SessionReport)
  case startWorkout(StartWorkout)
  case startAck(StartAck)
  case startDeclined(StartDeclined)
  case cancelStart(CancelStart)
  case endWorkout(EndWorkout)
  case hapticCue(HapticCue)
  case companionMessageDispatched(CompanionMessageDispatched)
  case probe(Probe)

  /// The kinds of messages: `kind` on the wire and in the trace.
  public enum Kind: String, Sendable, CaseIterable {
    case liveMetrics, workoutStarted, workoutPaused, workoutResumed, workoutEnded, sessionReport
    case startWorkout, startAck, startDeclined, cancelStart, endWorkout
    case hapticCue, companionMessageDispatched
    case probe
  }

  public var kind: Kind {
    switch self {
    case .liveMetrics: .liveMetrics
    case .workoutStarted: .workoutStarted
    case .workoutPaused: .workoutPaused
    case .workoutResumed: .workoutResumed
    case .workoutEnded: .workoutEnded
    case .sessionReport: .sessionReport
    case .startWorkout: .startWorkout
    case .startAck: .startAck
    case .startDeclined: .startDeclined
    case .cancelStart: .cancelStart
    case .endWorkout: .endWorkout
    case .hapticCue: .hapticCue
    case .companionMessageDispatched: .companionMessageDispatched
    case .probe: .probe
    }
  }
}
