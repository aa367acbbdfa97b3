import CoachProtocol
import Link

/// How a workout is taken up again by an app that was not there all the time.
extension WorkoutHost {
  /// Measures a workout again up to the last entry of its log.
  ///
  /// The log is believed where the source would have it otherwise. What came after the last entry is measured by the
  /// next ``fire(at:watchClock:sentAt:into:)``, as for an app that comes late; nothing that the log tells of is
  /// told again.
  ///
  /// - Parameters:
  ///   - log: What happened.
  ///   - source: Where the run comes from: the one the workout began with.
  ///   - seed: The run's seed.
  ///   - splitsCarried: How many splits snapshots have carried.
  /// - Returns: The host, and what goes into the health store where the workout has ended and was not discarded.
  package static func replaying(
    _ log: WorkoutLog, source: AnyMotionSource, seed: UInt64, splitsCarried: Int
  ) -> (host: WorkoutHost, finished: FinishedWorkout?) {
    var host = WorkoutHost(
      workoutId: log.begin.workoutId, at: log.begin.at, preparing: log.begin.preparing, source: source,
      cause: log.begin.cause, seed: seed)
    host.hasBegun = true
    var effects: [HostEffect] = []
    var finished: FinishedWorkout?
    for step in log.steps {
      host.replay(step, &effects)
      for case .finished(let workout) in effects { finished = workout }
      effects.removeAll(keepingCapacity: true)
    }
    host.splitsCarried = max(splitsCarried, 0)
    return (host, finished)
  }

  private mutating func replay(_ step: WorkoutStep, _ effects: inout [HostEffect]) {
    while nextSecond < step.at {
      let second = nextSecond
      nextSecond = second + .seconds(1)
      measure(move(to: second), isActive: state == .running)
    }
    switch step.kind {
    case .held, .released:
      _ = move(to: step.at)
      isHeld = step.kind == .held
    case .started, .resumed:
      // A start is the end of preparing; every resumption takes back whatever pause there was.
      let motion = moveForCommand(to: step.at)
      isHeld = false
      change(to: .running, cause: step.cause, motion, step.sentAt, &effects)
    case .paused:
      let motion = moveForCommand(to: step.at)
      isHeld = step.cause != .source
      change(to: .paused, cause: step.cause, motion, step.sentAt, &effects)
    case .ended, .discarded:
      let motion = moveForCommand(to: step.at)
      finish(cause: step.cause, isDiscarding: step.kind == .discarded, motion, step.sentAt, &effects)
    }
  }
}
