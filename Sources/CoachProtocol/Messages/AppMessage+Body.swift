public import Link

extension AppMessage.Kind {
  /// The type that defines the kind.
  var body: any AppMessageBody.Type {
    switch self {
    case .liveMetrics: LiveMetrics.self
    case .workoutStarted: WorkoutStarted.self
    case .workoutPaused: WorkoutPaused.self
    case .workoutResumed: WorkoutResumed.self
    case .workoutEnded: WorkoutEnded.self
    case .sessionReport: SessionReport.self
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

  /// The channel it is sent by.
  public var channel: Channel { body.channel }

  /// A message of the kind with every field set, for reference pages and tests.
  public var example: AppMessage { body.example.message }
}

extension AppMessage {
  /// The channel it is sent by.
  ///
  /// A start is sent by `applicationContext` if the watch is unreachable, and so is its cancellation.
  public var channel: Channel { kind.channel }

  var body: any AppMessageBody {
    switch self {
    case .liveMetrics(let body): body
    case .workoutStarted(let body): body
    case .workoutPaused(let body): body
    case .workoutResumed(let body): body
    case .workoutEnded(let body): body
    case .sessionReport(let body): body
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
