package import CoachProtocol
package import Link

/// The workout session on the watch: the truth about one run, from `preparing` to `ended`.
///
/// Publishes one snapshot at every whole second of the session, which begins with `preparing`, and one at every change
/// of state; if the two coincide there is one, with the new state. The `ended` one is the last. Nothing here depends on
/// the phone.
///
/// Where the specification is silent:
/// * The source is sampled at whole seconds of the session. A synthetic run therefore ends at the first whole second at
///   or past its distance; recorded pauses begin and end on whole seconds.
/// * A command's pause stops the source's clock, so a recording loses nothing. The source's own pauses take place on
///   its clock. The workout runs if neither pause is on.
/// * A workout that ends while `preparing`, or is cancelled, is discarded: `ended` is published and `workoutEnded`
///   announced without a UUID, so that the phone learns of it reliably.
/// * If the driver is late (the app was suspended, or dead), every missed second is measured, and one snapshot is published
///   for all of them, including changes of state. Each change is announced, with the time at which it happened.
package struct WorkoutHost: Sendable, Equatable {
  package let workoutId: Identifier
  package internal(set) var state = WorkoutState.preparing

  /// Its id in the health store once it has ended.
  package let healthKitWorkoutUUID: Identifier

  let runsAt: VirtualTime
  let startCause: WorkoutCause

  var source: AnyMotionSource
  let hasRecordedRoute: Bool
  /// The sensors before the start: heart rate and position, no motion.
  let waiting: MotionSample
  var tracker: SplitTracker
  var samples: [WorkoutSample] = []
  var events: [WorkoutEvent] = []
  var startedAt: WatchTime?

  /// Whether the first effect was emitted.
  var hasBegun = false
  /// Whether a command's pause is on.
  var isHeld = false
  /// What the sensors had counted when a command's pause began in a stop of the source; nil for any other pause.
  ///
  /// The source may have gone on since the last second. The pause had begun by then, so that counts once it is over.
  var countedBeforeHold: MotionSample?
  /// The next whole second of the session.
  var nextSecond: VirtualTime
  /// The instant up to which time has been accounted for.
  var reached: VirtualTime
  var activeNanoseconds: Int64 = 0
  var sourceNanoseconds: Int64 = 0
  /// How many splits snapshots have carried.
  package internal(set) var splitsCarried = 0
  /// Index of the oldest sample in the current pace.
  var paceFrom = 0

  /// Prepares a workout; the first snapshot is due at once.
  ///
  /// - Parameters:
  ///   - workoutId: The `runId` of the start command, or the watch's own.
  ///   - beganAt: Second 0 of the session, the start of `preparing`.
  ///   - preparing: Its duration, at least 0.
  ///   - source: The motion source.
  ///   - cause: Who started it.
  ///   - seed: The execution's seed, from which the health store's UUID is derived.
  ///   - unit: The user's unit of length.
  package init(
    workoutId: Identifier, at beganAt: VirtualTime, preparing: VirtualTime.Span, source: AnyMotionSource,
    cause: WorkoutCause, seed: UInt64, unit: LengthUnit = .kilometres
  ) {
    tracker = SplitTracker(unit)
    precondition(preparing >= .zero, "preparing takes \(preparing.nanoseconds) ns")
    self.workoutId = workoutId
    var source = source
    let first = source.advance(toMilliseconds: 0)
    waiting = MotionSample(distanceMillimetres: 0, heartRate: first.heartRate, position: first.position)
    self.source = source
    hasRecordedRoute = source.hasRecordedRoute
    runsAt = beganAt + preparing
    startCause = cause
    healthKitWorkoutUUID = Self.healthKitWorkoutUUID(of: workoutId, seed: seed)
    nextSecond = beganAt
    reached = beganAt
  }

  /// A workout's id in the health store.
  package static func healthKitWorkoutUUID(of workoutId: Identifier, seed: UInt64) -> Identifier {
    Identifier(RandomStream(seed: seed, name: "watch/health"), for: RandomStream.key(workoutId.high, workoutId.low))
  }

  /// When ``fire(at:watchClock:sentAt:into:)`` must be called; nil once the workout has ended.
  package var nextDeadline: VirtualTime? {
    switch state {
    case .preparing: min(nextSecond, runsAt)
    case .running, .paused: nextSecond
    case .ended: nil
    }
  }

  /// When it must be called, and whether it has ended.
  ///
  /// Mutating, so that a host behind an optional is read in place; a property would copy it first.
  mutating func readStatus() -> (nextDeadline: VirtualTime?, isOver: Bool) { (nextDeadline, state == .ended) }

  // MARK: Time

  /// Does what is due by `now`.
  ///
  /// - Parameters:
  ///   - now: Never decreases between calls.
  ///   - watchClock: The watch's clock now.
  ///   - sentAt: Stamps messages.
  ///   - effects: Effects are appended here, in order.
  package mutating func fire(
    at now: VirtualTime, watchClock: WatchTime, sentAt: inout SentAtClock, into effects: inout [HostEffect]
  ) {
    begin(into: &effects)
    while let due = nextDeadline, due <= now {
      // A change that an app which was away finds late has the time at which it happened.
      let then = WatchTime(nanoseconds: watchClock.nanoseconds -| (now - due).nanoseconds)
      fireOne(at: due, isLast: due + .seconds(1) > now, then, watchClock, &sentAt, &effects)
    }
  }

  /// - Parameters:
  ///   - then: The watch's clock at `due`.
  ///   - watchClock: The watch's clock now, which may be later.
  private mutating func fireOne(
    at due: VirtualTime, isLast: Bool, _ then: WatchTime, _ watchClock: WatchTime, _ sentAt: inout SentAtClock,
    _ effects: inout [HostEffect]
  ) {
    let motion = advance(to: due)
    if due == nextSecond { nextSecond = due + .seconds(1) }
    switch state {
    case .preparing:
      if due >= runsAt {
        // A source that begins with a pause is sampled a second later: one change at a time.
        change(to: .running, cause: startCause, motion, sentAt.stamp(then), &effects)
        return
      }
    case .running, .paused:
      if motion.isFinished, !isHeld {
        finish(cause: .source, isDiscarding: false, motion, sentAt.stamp(then), &effects)
        return
      }
      let wanted: WorkoutState = isHeld || motion.isPaused ? .paused : .running
      if wanted != state {
        change(to: wanted, cause: .source, motion, sentAt.stamp(then), &effects)
        return
      }
    case .ended: preconditionFailure("an ended workout has no deadline")
    }
    measure(motion, isActive: state == .running)
    if isLast { publish(motion, sentAt.stamp(watchClock), &effects) }
  }

  /// The position to record now: on a recorded route, at whole seconds of the session.
  func recordedPosition(_ motion: MotionSample) -> GeoPosition? {
    guard state != .preparing, reached + .seconds(1) == nextSecond else { return nil }
    return motion.position
  }

  // MARK: Steps

  /// Emits `.preparing` once.
  package mutating func begin(into effects: inout [HostEffect]) {
    guard !hasBegun else { return }
    hasBegun = true
    effects.append(.stateChanged(from: nil, to: .preparing, cause: startCause))
  }

  /// Does what was due before a command: at one instant, commands come first.
  mutating func catchUp(
    to now: VirtualTime, _ watchClock: WatchTime, _ sentAt: inout SentAtClock, _ effects: inout [HostEffect]
  ) {
    let before = VirtualTime(nanoseconds: now.nanoseconds - 1)
    let clock = WatchTime(nanoseconds: watchClock.nanoseconds -| 1)
    fire(at: before, watchClock: clock, sentAt: &sentAt, into: &effects)
  }

  /// Advances for a command that changes the state: its snapshot is the one of this second.
  mutating func advanceForCommand(to now: VirtualTime) -> MotionSample {
    let motion = advance(to: now)
    if nextSecond == now { nextSecond = now + .seconds(1) }
    return motion
  }

  /// Advances timer and source to `now`.
  @inline(__always)
  mutating func advance(to now: VirtualTime) -> MotionSample {
    let passed = (now - reached).nanoseconds
    reached = now
    switch state {
    case .preparing: return waiting
    case .running, .paused:
      if isHeld {
        var motion = source.rest(milliseconds: passed / 1_000_000)
        motion.distanceMillimetres = countedBeforeHold?.distanceMillimetres ?? motion.distanceMillimetres
        motion.energyDecikilocalories = countedBeforeHold?.energyDecikilocalories ?? motion.energyDecikilocalories
        return motion
      }
      if state == .running { activeNanoseconds += passed }
      sourceNanoseconds += passed
      return source.advance(toMilliseconds: sourceNanoseconds / 1_000_000)
    case .ended: preconditionFailure("an ended workout does not move")
    }
  }

  /// Changes the state to `running` or `paused`.
  mutating func change(
    to next: WorkoutState, cause: WorkoutCause, _ motion: MotionSample, _ stamp: WatchTime,
    _ effects: inout [HostEffect]
  ) {
    let before = state
    effects.append(.stateChanged(from: before, to: next, cause: cause))
    if before == .preparing { startedAt = stamp }
    state = next
    measure(motion, isActive: before == .running)
    // The pace before a pause does not apply after it.
    if next == .running { paceFrom = samples.count - 1 }
    publish(motion, stamp, &effects)
    switch (before, next) {
    case (.preparing, .running): step(.started, stamp, cause, &effects)
    case (_, .paused):
      events.append(WorkoutEvent(kind: .pause, offsetMilliseconds: offsetMilliseconds, date: stamp))
      step(.paused, stamp, cause, &effects)
    case (_, .running):
      events.append(WorkoutEvent(kind: .resume, offsetMilliseconds: offsetMilliseconds, date: stamp))
      step(.resumed, stamp, cause, &effects)
    case (_, .preparing), (_, .ended): preconditionFailure("\(before) does not change to \(next) here")
    }
  }

  /// Ends the workout; one that never started to run is not saved.
  mutating func finish(
    cause: WorkoutCause, isDiscarding: Bool, _ motion: MotionSample, _ stamp: WatchTime, _ effects: inout [HostEffect]
  ) {
    let before = state
    effects.append(.stateChanged(from: before, to: .ended, cause: cause))
    if before != .preparing { measure(motion, isActive: before == .running) }
    state = .ended
    publish(motion, stamp, &effects, isMoving: before == .running)
    guard !isDiscarding, let startedAt else { return step(.discarded, stamp, cause, &effects) }
    effects.append(
      .finished(
        FinishedWorkout(
          workoutId: workoutId, healthKitWorkoutUUID: healthKitWorkoutUUID, startedAt: startedAt, endedAt: stamp,
          lengthMilliseconds: offsetMilliseconds, activeMilliseconds: activeMilliseconds,
          distanceCentimetres: Self.centimetres(motion), energyDecikilocalories: motion.energyDecikilocalories,
          samples: samples, events: events, splits: tracker.splits, splitUnit: tracker.unit,
          discipline: source.discipline, units: source.units)))
    step(.ended, stamp, cause, &effects)
  }

  private func step(
    _ kind: WorkoutStep.Kind, _ stamp: WatchTime, _ cause: WorkoutCause, _ effects: inout [HostEffect]
  ) {
    effects.append(.stepped(WorkoutStep(kind, at: reached, sentAt: stamp, cause: cause)))
  }
}

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
