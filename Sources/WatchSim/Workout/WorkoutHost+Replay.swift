package import CoachProtocol
import Link

/// Restores a workout after the app was away.
extension WorkoutHost {
  /// Measures a workout again up to the last entry of its log.
  ///
  /// The log takes precedence over the source. What came after the last entry is measured by the next
  /// ``fire(at:watchClock:sentAt:into:)``, as if late; logged steps have no effects again.
  ///
  /// - Parameters:
  ///   - log: The workout's log.
  ///   - source: The motion source with which the workout began.
  ///   - seed: The execution's seed.
  ///   - splitsCarried: How many splits snapshots have carried.
  ///   - unit: The user's unit of length.
  /// - Returns: The host, and the workout to save if it has ended and was not discarded.
  package static func replaying(
    _ log: WorkoutLog, source: AnyMotionSource, seed: UInt64, splitsCarried: Int, unit: LengthUnit = .kilometres
  ) -> (host: WorkoutHost, finished: FinishedWorkout?) {
    var host = WorkoutHost(
      workoutId: log.begin.workoutId, at: log.begin.at, preparing: log.begin.preparing, source: source,
      cause: log.begin.cause, seed: seed, unit: unit)
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
      measure(advance(to: second), isActive: state == .running)
    }
    switch step.kind {
    case .held: hold(at: step.at)
    case .released:
      _ = advance(to: step.at)
      endHold()
    case .started, .resumed:
      // A start ends preparing; every resumption ends whatever pause there was.
      let motion = resumeHeld(at: step.at)
      change(to: .running, cause: step.cause, motion, step.sentAt, &effects)
    case .paused:
      let motion = advanceForCommand(to: step.at)
      isHeld = step.cause != .source
      change(to: .paused, cause: step.cause, motion, step.sentAt, &effects)
    case .ended, .discarded:
      countedBeforeHold = nil
      let motion = advanceForCommand(to: step.at)
      finish(cause: step.cause, isDiscarding: step.kind == .discarded, motion, step.sentAt, &effects)
    }
  }
}
