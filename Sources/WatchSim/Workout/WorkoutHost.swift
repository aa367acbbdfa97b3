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
///   snapshot is published for all of them.
package struct WorkoutHost: Sendable, Equatable {
  /// Which workout.
  package let workoutId: Identifier
  /// What it is doing.
  package private(set) var state = WorkoutState.preparing

  private let runsAt: VirtualTime
  private let startCause: WorkoutCause
  private let healthRandom: RandomStream

  private var source: AnyMotionSource
  /// What the sensors say before the start: a heart and a place, and no motion.
  private let waiting: MotionSample
  private var tracker = SplitTracker()
  private var samples: [WorkoutSample] = []
  private var events: [WorkoutEvent] = []
  private var startedAt: WatchTime?

  /// Whether the first effect is out.
  private var hasBegun = false
  /// Whether a command's pause is on.
  private var isHeld = false
  /// The next whole second of the session.
  private var nextSecond: VirtualTime
  /// The moment up to which time has been accounted for.
  private var reached: VirtualTime
  private var activeNanoseconds: Int64 = 0
  private var sourceNanoseconds: Int64 = 0
  /// How many splits have been carried by a snapshot.
  private var splitsCarried = 0
  /// The oldest sample that the current pace looks at.
  private var paceFrom = 0

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
    runsAt = beganAt + preparing
    startCause = cause
    healthRandom = RandomStream(seed: seed, name: "watch/health")
    nextSecond = beganAt
    reached = beganAt
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

  // MARK: Commands

  /// Pauses the workout until ``resume(cause:at:watchClock:sentAt:into:)``, whatever the source does meanwhile.
  ///
  /// Refused unless it runs, or stands because the source does.
  package mutating func pause(
    cause: WorkoutCause, at now: VirtualTime, watchClock: WatchTime, sentAt: inout SentAtClock,
    into effects: inout [HostEffect]
  ) {
    catchUp(to: now, watchClock, &sentAt, &effects)
    switch (state, isHeld) {
    case (.running, _):
      let motion = moveForCommand(to: now)
      isHeld = true
      change(to: .paused, cause: cause, motion, sentAt.stamp(watchClock), &effects)
    case (.paused, false):
      // The runner stands already. From now on the pause outlasts the stop.
      _ = move(to: now)
      isHeld = true
    case (.paused, true): refuse("pause", "the workout is paused already", &effects)
    case (.preparing, _): refuse("pause", "the workout is still preparing", &effects)
    case (.ended, _): refuse("pause", "the workout has ended", &effects)
    }
  }

  /// Takes a command's pause back; the workout goes on unless the source stands.
  ///
  /// Refused where no command paused it.
  package mutating func resume(
    cause: WorkoutCause, at now: VirtualTime, watchClock: WatchTime, sentAt: inout SentAtClock,
    into effects: inout [HostEffect]
  ) {
    catchUp(to: now, watchClock, &sentAt, &effects)
    switch (state, isHeld) {
    case (.paused, true):
      if source.advance(toMilliseconds: sourceNanoseconds / 1_000_000).isPaused {
        // The source's own pause goes on where it was held.
        _ = move(to: now)
        isHeld = false
      } else {
        let motion = moveForCommand(to: now)
        isHeld = false
        change(to: .running, cause: cause, motion, sentAt.stamp(watchClock), &effects)
      }
    case (.paused, false): refuse("resume", "the runner stands, nobody paused the workout", &effects)
    case (.running, _): refuse("resume", "the workout is running", &effects)
    case (.preparing, _): refuse("resume", "the workout is still preparing", &effects)
    case (.ended, _): refuse("resume", "the workout has ended", &effects)
    }
  }

  /// Ends the workout; refused where it has ended.
  ///
  /// - Parameter isDiscarding: Keep nothing of it. A workout that never started to run is discarded anyway.
  package mutating func end(
    cause: WorkoutCause, isDiscarding: Bool = false, at now: VirtualTime, watchClock: WatchTime,
    sentAt: inout SentAtClock, into effects: inout [HostEffect]
  ) {
    catchUp(to: now, watchClock, &sentAt, &effects)
    guard state != .ended else { return refuse("end", "the workout has ended", &effects) }
    let motion = moveForCommand(to: now)
    finish(cause: cause, isDiscarding: isDiscarding, motion, sentAt.stamp(watchClock), &effects)
  }

  private func refuse(_ command: String, _ why: String, _ effects: inout [HostEffect]) {
    effects.append(.refused(command: command, why: why))
  }

  // MARK: Steps

  private mutating func begin(into effects: inout [HostEffect]) {
    guard !hasBegun else { return }
    hasBegun = true
    effects.append(.stateChanged(from: nil, to: .preparing, cause: startCause))
  }

  /// Does what was due before a command: of one instant, commands come first.
  private mutating func catchUp(
    to now: VirtualTime, _ watchClock: WatchTime, _ sentAt: inout SentAtClock, _ effects: inout [HostEffect]
  ) {
    let before = VirtualTime(nanoseconds: now.nanoseconds - 1)
    fire(at: before, watchClock: watchClock, sentAt: &sentAt, into: &effects)
  }

  /// Moves on for a command that changes the state: its snapshot is the one of this second.
  private mutating func moveForCommand(to now: VirtualTime) -> MotionSample {
    let motion = move(to: now)
    if nextSecond == now { nextSecond = now + .seconds(1) }
    return motion
  }

  /// Lets timer and source go on to `now`.
  @inline(__always)
  private mutating func move(to now: VirtualTime) -> MotionSample {
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

  private mutating func change(
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
    case (.preparing, .running):
      effects.append(.announce(.workoutStarted(.init(workoutId: workoutId, startedAt: stamp, sentAt: stamp))))
    case (_, .paused):
      events.append(WorkoutEvent(kind: .pause, offsetMilliseconds: offsetMilliseconds, date: stamp))
      effects.append(.announce(.workoutPaused(.init(workoutId: workoutId, sentAt: stamp))))
    case (_, .running):
      events.append(WorkoutEvent(kind: .resume, offsetMilliseconds: offsetMilliseconds, date: stamp))
      effects.append(.announce(.workoutResumed(.init(workoutId: workoutId, sentAt: stamp))))
    case (_, .preparing), (_, .ended): preconditionFailure("\(before) does not change to \(next) here")
    }
  }

  private mutating func finish(
    cause: WorkoutCause, isDiscarding: Bool, _ motion: MotionSample, _ stamp: WatchTime, _ effects: inout [HostEffect]
  ) {
    let before = state
    effects.append(.stateChanged(from: before, to: .ended, cause: cause))
    if before != .preparing { measure(motion, isActive: before == .running) }
    state = .ended
    publish(motion, stamp, &effects, isMoving: before == .running)
    guard !isDiscarding, let startedAt else {
      effects.append(.discarded(workoutId: workoutId))
      effects.append(.announce(.workoutEnded(.init(workoutId: workoutId, healthKitWorkoutUUID: nil, sentAt: stamp))))
      return
    }
    let uuid = Identifier(healthRandom, for: RandomStream.key(workoutId.high, workoutId.low))
    effects.append(
      .finished(
        FinishedWorkout(
          workoutId: workoutId, healthKitWorkoutUUID: uuid, startedAt: startedAt, endedAt: stamp,
          lengthMilliseconds: offsetMilliseconds, activeMilliseconds: activeMilliseconds,
          distanceCentimetres: Self.centimetres(motion), energyDecikilocalories: motion.energyDecikilocalories,
          samples: samples, events: events, splits: tracker.splits)))
    effects.append(.announce(.workoutEnded(.init(workoutId: workoutId, healthKitWorkoutUUID: uuid, sentAt: stamp))))
  }

  // MARK: Measuring

  /// Milliseconds since the start, pauses included; 0 before it.
  private var offsetMilliseconds: Int64 { max(0, (reached - runsAt).nanoseconds + 500_000) / 1_000_000 }

  /// Milliseconds of the timer, rounded: `elapsed` to three decimals.
  private var activeMilliseconds: Int64 { (activeNanoseconds + 500_000) / 1_000_000 }

  /// Distance to two decimals: splits and paces are reckoned from this, so that they fit what is published.
  private static func centimetres(_ motion: MotionSample) -> Int64 { (motion.distanceMillimetres + 5) / 10 }

  /// Keeps what the sensors say, once the workout has started.
  @inline(__always)
  private mutating func measure(_ motion: MotionSample, isActive: Bool) {
    guard state != .preparing else { return }
    let distance = Self.centimetres(motion)
    let active = activeMilliseconds
    if samples.isEmpty { samples.reserveCapacity(source.secondsExpected) }
    samples.append(
      WorkoutSample(
        offsetMilliseconds: offsetMilliseconds, activeMilliseconds: active, distanceCentimetres: distance,
        heartRate: motion.heartRate, cadence: motion.cadence, isActive: isActive, position: motion.position))
    tracker.advance(
      toCentimetres: distance, activeMilliseconds: active, heartRate: isActive ? motion.heartRate : 0)
  }

  @inline(__always)
  private mutating func publish(
    _ motion: MotionSample, _ stamp: WatchTime, _ effects: inout [HostEffect], isMoving: Bool? = nil
  ) {
    let distance = Self.centimetres(motion)
    let active = activeMilliseconds
    var split: Split?
    if splitsCarried < tracker.splits.count {
      split = tracker.splits[splitsCarried]
      splitsCarried += 1
    }
    effects.append(
      .publish(
        LiveMetrics(
          workoutId: workoutId, sentAt: stamp, elapsed: Double(active) / 1000, distance: Double(distance) / 100,
          currentPaceSecPerKm: isMoving ?? (state == .running) ? takeCurrentPace(distance, active) : nil,
          avgPaceSecPerKm: Pace.secondsPerKilometre(centimetres: distance, milliseconds: active),
          currentHR: motion.heartRate > 0 ? Int(motion.heartRate) : nil,
          energyKcal: Double(motion.energyDecikilocalories) / 10,
          cadence: motion.cadence > 0 ? Int(motion.cadence) : nil, lastSplit: split, state: state)))
  }

  /// The pace of the last ten seconds of running; nil at less than ten centimetres a second.
  @inline(__always)
  private mutating func takeCurrentPace(_ distance: Int64, _ active: Int64) -> Double? {
    while paceFrom < samples.count - 1, active - Int64(samples[paceFrom].activeMilliseconds) > 10_000 { paceFrom += 1 }
    let way = distance - Int64(samples[paceFrom].distanceCentimetres)
    let time = active - Int64(samples[paceFrom].activeMilliseconds)
    guard way * 100 >= time else { return nil }
    return Pace.secondsPerKilometre(centimetres: way, milliseconds: time)
  }
}
