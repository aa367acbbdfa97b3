package import CoachProtocol
package import Link

/// The workout session on the watch: the truth about one run, from `preparing` to `ended`.
///
/// Publishes one snapshot at every whole second of the session, which begins with `preparing`, and one
/// at once at every change of state; where the two fall together there is one, with the new state. The
/// `ended` one is the last. Nothing here depends on the phone.
///
/// Choices where the specification is silent:
/// * The source is looked at on whole seconds of the session. A run by the model therefore ends at the
///   first whole second at or past its distance; a recorded pause begins and ends on a whole second.
/// * A command's pause holds the source (the runner waits), so a recording loses nothing by it. A pause
///   of the source's own passes on the source's clock. The workout runs when neither holds.
/// * A workout that ends while `preparing`, or is taken back, is discarded: `ended` is published and
///   `workoutEnded` announced without a UUID, so that the phone hears of it for certain.
/// * When the driver comes late (the app was suspended), every second missed is measured, and one
///   snapshot is published for all of them, changes of state among them. Each change is announced.
package struct WorkoutHost: Sendable, Equatable {
  /// Which workout.
  package let workoutId: Identifier
  /// What it is doing.
  package internal(set) var state = WorkoutState.preparing

  /// The name under which the health store keeps it once it has ended.
  package let healthKitWorkoutUUID: Identifier

  let runsAt: VirtualTime
  let startCause: WorkoutCause

  var source: AnyMotionSource
  let hasRecordedRoute: Bool
  /// What the sensors say before the start: a heart and a place, and no motion.
  let waiting: MotionSample
  var tracker = SplitTracker()
  var samples: [WorkoutSample] = []
  var events: [WorkoutEvent] = []
  var startedAt: WatchTime?

  /// Whether the first effect is out.
  var hasBegun = false
  /// Whether a command's pause is on.
  var isHeld = false
  /// The next whole second of the session.
  var nextSecond: VirtualTime
  /// The moment up to which time has been accounted for.
  var reached: VirtualTime
  var activeNanoseconds: Int64 = 0
  var sourceNanoseconds: Int64 = 0
  /// How many splits have been carried by a snapshot.
  package internal(set) var splitsCarried = 0
  /// The oldest sample that the current pace looks at.
  var paceFrom = 0

  /// Prepares a workout; the first snapshot is due at once.
  ///
  /// - Parameters:
  ///   - workoutId: The `runId` of the start command, or the watch's own.
  ///   - beganAt: The beginning of `preparing`: second 0 of the session.
  ///   - preparing: How long it takes, at least 0.
  ///   - source: Where the run comes from.
  ///   - cause: Who started it.
  ///   - seed: The run's seed, from which the health store's UUID comes.
  package init(
    workoutId: Identifier, at beganAt: VirtualTime, preparing: VirtualTime.Span, source: AnyMotionSource,
    cause: WorkoutCause, seed: UInt64
  ) {
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

  /// The name under which the health store keeps a workout.
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

  // MARK: Time

  /// Does what is due by `now`.
  ///
  /// - Parameters:
  ///   - now: Never earlier than in the call before, whichever it was.
  ///   - watchClock: What the watch's clock says now.
  ///   - sentAt: Stamps whatever is said.
  ///   - effects: What the watch must carry out is appended here, in order.
  package mutating func fire(
    at now: VirtualTime, watchClock: WatchTime, sentAt: inout SentAtClock, into effects: inout [HostEffect]
  ) {
    begin(into: &effects)
    while let due = nextDeadline, due <= now {
      fireOne(at: due, isLast: due + .seconds(1) > now, watchClock, &sentAt, &effects)
    }
  }

  private mutating func fireOne(
    at due: VirtualTime, isLast: Bool, _ watchClock: WatchTime, _ sentAt: inout SentAtClock,
    _ effects: inout [HostEffect]
  ) {
    let motion = move(to: due)
    if due == nextSecond { nextSecond = due + .seconds(1) }
    switch state {
    case .preparing:
      if due >= runsAt {
        // A source that begins standing is looked at a second later: one change at a time.
        change(to: .running, cause: startCause, motion, sentAt.stamp(watchClock), &effects)
        return
      }
    case .running, .paused:
      if motion.isFinished, !isHeld {
        finish(cause: .source, isDiscarding: false, motion, sentAt.stamp(watchClock), &effects)
        return
      }
      let wanted: WorkoutState = isHeld || motion.isPaused ? .paused : .running
      if wanted != state {
        change(to: wanted, cause: .source, motion, sentAt.stamp(watchClock), &effects)
        return
      }
    case .ended: preconditionFailure("an ended workout has no deadline")
    }
    measure(motion, isActive: state == .running)
    if isLast { publish(motion, sentAt.stamp(watchClock), &effects) }
  }

  /// The place to record now: that of a recorded route, on whole seconds of the session.
  func recordedPosition(_ motion: MotionSample) -> GeoPosition? {
    guard state != .preparing, reached + .seconds(1) == nextSecond else { return nil }
    return motion.position
  }

  // MARK: Steps

  /// Tells that the workout began to prepare, once.
  package mutating func begin(into effects: inout [HostEffect]) {
    guard !hasBegun else { return }
    hasBegun = true
    effects.append(.stateChanged(from: nil, to: .preparing, cause: startCause))
  }

  /// Does what was due before a command: of one instant, commands come first.
  mutating func catchUp(
    to now: VirtualTime, _ watchClock: WatchTime, _ sentAt: inout SentAtClock, _ effects: inout [HostEffect]
  ) {
    let before = VirtualTime(nanoseconds: now.nanoseconds - 1)
    fire(at: before, watchClock: watchClock, sentAt: &sentAt, into: &effects)
  }

  /// Moves on for a command that changes the state: its snapshot is the one of this second.
  mutating func moveForCommand(to now: VirtualTime) -> MotionSample {
    let motion = move(to: now)
    if nextSecond == now { nextSecond = now + .seconds(1) }
    return motion
  }

  /// Lets timer and source go on to `now`.
  @inline(__always)
  mutating func move(to now: VirtualTime) -> MotionSample {
    let passed = (now - reached).nanoseconds
    reached = now
    switch state {
    case .preparing: return waiting
    case .running, .paused:
      if isHeld { return source.rest(milliseconds: passed / 1_000_000) }
      if state == .running { activeNanoseconds += passed }
      sourceNanoseconds += passed
      return source.advance(toMilliseconds: sourceNanoseconds / 1_000_000)
    case .ended: preconditionFailure("an ended workout does not move")
    }
  }

  /// Goes over to `running` or `paused`.
  mutating func change(
    to next: WorkoutState, cause: WorkoutCause, _ motion: MotionSample, _ stamp: WatchTime,
    _ effects: inout [HostEffect]
  ) {
    let before = state
    effects.append(.stateChanged(from: before, to: next, cause: cause))
    if before == .preparing { startedAt = stamp }
    state = next
    measure(motion, isActive: before == .running)
    // The pace of before a pause says nothing of after it.
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

  /// Ends the workout; one that never started to run is not stored.
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
          samples: samples, events: events, splits: tracker.splits)))
    step(.ended, stamp, cause, &effects)
  }

  private func step(
    _ kind: WorkoutStep.Kind, _ stamp: WatchTime, _ cause: WorkoutCause, _ effects: inout [HostEffect]
  ) {
    effects.append(.stepped(WorkoutStep(kind, at: reached, sentAt: stamp, cause: cause)))
  }
}
