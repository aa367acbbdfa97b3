public import Link

extension AppMessage.Kind {
  /// What says everything about the kind.
  var body: any AppMessageBody.Type {
    switch self {
    case .liveMetrics: LiveMetrics.self
    case .workoutStarted: WorkoutStarted.self
    case .workoutPaused: WorkoutPaused.self
    case .workoutResumed: WorkoutResumed.self
    case .workoutEnded: WorkoutEnded.self
    case .startWorkout: StartWorkout.self
    case .startAck: StartAck.self
    case .startDeclined: StartDeclined.self
    case .cancelStart: CancelStart.self
    case .endWorkout: EndWorkout.self
    case .hapticCue: HapticCue.self
    case .companionMessageDispatched: CompanionMessageDispatched.self
    case .probe: Probe.self
    }
  }

  /// The channel it goes by.
  public var channel: Channel { body.channel }

  /// One message of the kind, for reference pages and tests: every field is set.
  public var example: AppMessage { body.example.message }
}

extension AppMessage {
  /// The channel it goes by.
  ///
  /// A start goes by `applicationContext` where the watch is not reachable, and what takes it back goes there, too.
  public var channel: Channel { kind.channel }

  /// What it says.
  var body: any AppMessageBody {
    switch self {
    case .liveMetrics(let body): body
    case .workoutStarted(let body): body
    case .workoutPaused(let body): body
    case .workoutResumed(let body): body
    case .workoutEnded(let body): body
    case .startWorkout(let body): body
    case .startAck(let body): body
    case .startDeclined(let body): body
    case .cancelStart(let body): body
    case .endWorkout(let body): body
    case .hapticCue(let body): body
    case .companionMessageDispatched(let body): body
    case .probe(let body): body
    }
  }
}
