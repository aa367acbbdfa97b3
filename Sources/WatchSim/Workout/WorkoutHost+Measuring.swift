package import CoachProtocol
package import Link

/// What a workout measures and publishes.
extension WorkoutHost {
  /// Milliseconds since the start, pauses included; 0 before it.
  var offsetMilliseconds: Int64 { max(0, (reached - runsAt).nanoseconds + 500_000) / 1_000_000 }

  /// Milliseconds of the timer, rounded: `elapsed` to three decimals.
  var activeMilliseconds: Int64 { (activeNanoseconds + 500_000) / 1_000_000 }

  /// Distance to two decimals; splits and paces are computed from this, to be consistent with the published values.
  static func centimetres(_ motion: MotionSample) -> Int64 { (motion.distanceMillimetres + 5) / 10 }

  /// Stores the sensors' values, once the workout has started.
  @inline(__always)
  mutating func measure(_ motion: MotionSample, isActive: Bool) {
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
  mutating func publish(
    _ motion: MotionSample, _ stamp: WatchTime, _ effects: inout [HostEffect], isMoving: Bool? = nil
  ) {
    let distance = Self.centimetres(motion)
    let active = activeMilliseconds
    let retracted = effects.isEmpty ? nil : retractPublished(&effects)
    // The event that announces a state and the snapshot that reports it carry the same stamp.
    let stamp = retracted?.state == state ? retracted?.sentAt ?? stamp : stamp
    var split: Split?
    if splitsCarried < tracker.splits.count {
      split = tracker.splits[splitsCarried]
      splitsCarried += 1
    }
    let snapshot = LiveMetrics(
      workoutId: workoutId, sentAt: stamp, elapsed: Double(active) / 1000, distance: Double(distance) / 100,
      currentPaceSecPerKm: isMoving ?? (state == .running) ? updateCurrentPace(distance, active) : nil,
      avgPaceSecPerKm: AveragePace.secondsPerKilometre(centimetres: distance, milliseconds: active),
      currentHR: motion.heartRate > 0 ? Int(motion.heartRate) : nil,
      energyKcal: Double(motion.energyDecikilocalories) / 10,
      cadence: motion.cadence > 0 ? Int(motion.cadence) : nil, lastSplit: split, state: state)
    // Before the events that it reports: after a crash right after their commit it must have been published.
    guard let index = retracted?.index else {
      if hasRecordedRoute, let position = recordedPosition(motion) { effects.append(.located(position)) }
      return effects.append(.publish(snapshot))
    }
    effects.insert(.publish(snapshot), at: index)
    if hasRecordedRoute, let position = recordedPosition(motion) { effects.insert(.located(position), at: index) }
  }

  /// Removes the snapshot that this call has already published, with its position; nil if there is none.
  ///
  /// The driver was late, and of one instant only the last snapshot is true.
  private mutating func retractPublished(
    _ effects: inout [HostEffect]
  ) -> (index: Int, state: WorkoutState, sentAt: WatchTime)? {
    for index in effects.indices {
      guard case .publish(let snapshot) = effects[index] else { continue }
      if snapshot.lastSplit != nil { splitsCarried -= 1 }
      effects.remove(at: index)
      guard index > 0, case .located = effects[index - 1] else { return (index, snapshot.state, snapshot.sentAt) }
      effects.remove(at: index - 1)
      return (index - 1, snapshot.state, snapshot.sentAt)
    }
    return nil
  }

  /// The pace of the last ten seconds of running; nil at less than ten centimetres a second.
  @inline(__always)
  mutating func updateCurrentPace(_ distance: Int64, _ active: Int64) -> Double? {
    while paceFrom < samples.count - 1, active - Int64(samples[paceFrom].activeMilliseconds) > 10_000 { paceFrom += 1 }
    let way = distance - Int64(samples[paceFrom].distanceCentimetres)
    let time = active - Int64(samples[paceFrom].activeMilliseconds)
    guard way * 100 >= time else { return nil }
    return AveragePace.secondsPerKilometre(centimetres: way, milliseconds: time)
  }
}

/// Commands to a workout.
extension WorkoutHost {
  /// Pauses the workout until ``resume(cause:at:watchClock:sentAt:into:)``, whatever the source does.
  ///
  /// Refused unless it is running, or stopped by the source. Where the source has finished since the last second, the
  /// workout ends instead: a pause would make it last longer than what the athlete did.
  package mutating func pause(
    cause: WorkoutCause, at now: VirtualTime, watchClock: WatchTime, sentAt: inout SentAtClock,
    into effects: inout [HostEffect]
  ) {
    catchUp(to: now, watchClock, &sentAt, &effects)
    switch (state, isHeld) {
    case (.running, _):
      let motion = advanceForCommand(to: now)
      guard !motion.isFinished else {
        finish(cause: .source, isDiscarding: false, motion, sentAt.stamp(watchClock), &effects)
        return refuse("pause", "the workout has ended", &effects)
      }
      isHeld = true
      change(to: .paused, cause: cause, motion, sentAt.stamp(watchClock), &effects)
    case (.paused, false):
      // The athlete is already standing still. From now on the pause outlasts the stop.
      hold(at: now)
      effects.append(.stepped(WorkoutStep(.held, at: now, sentAt: sentAt.last, cause: cause)))
    case (.paused, true): refuse("pause", "the workout is paused already", &effects)
    case (.preparing, _): refuse("pause", "the workout is still preparing", &effects)
    case (.ended, _): refuse("pause", "the workout has ended", &effects)
    }
  }

  /// Ends a command's pause; the workout continues unless the source is paused.
  ///
  /// Refused if no command paused it.
  package mutating func resume(
    cause: WorkoutCause, at now: VirtualTime, watchClock: WatchTime, sentAt: inout SentAtClock,
    into effects: inout [HostEffect]
  ) {
    catchUp(to: now, watchClock, &sentAt, &effects)
    switch (state, isHeld) {
    case (.paused, true):
      if source.advance(toMilliseconds: sourceNanoseconds / 1_000_000).isPaused {
        // The source's own pause continues.
        _ = advance(to: now)
        endHold()
        effects.append(.stepped(WorkoutStep(.released, at: now, sentAt: sentAt.last, cause: cause)))
      } else {
        let motion = resumeHeld(at: now)
        change(to: .running, cause: cause, motion, sentAt.stamp(watchClock), &effects)
      }
    case (.paused, false):
      refuse("resume", "the athlete stands still; no command paused the workout", &effects)
    case (.running, _): refuse("resume", "the workout is running", &effects)
    case (.preparing, _): refuse("resume", "the workout is still preparing", &effects)
    case (.ended, _): refuse("resume", "the workout has ended", &effects)
    }
  }

  /// Ends the workout; refused if it has ended.
  ///
  /// - Parameter isDiscarding: Save nothing of it. A workout that never started to run is always discarded.
  package mutating func end(
    cause: WorkoutCause, isDiscarding: Bool = false, at now: VirtualTime, watchClock: WatchTime,
    sentAt: inout SentAtClock, into effects: inout [HostEffect]
  ) {
    catchUp(to: now, watchClock, &sentAt, &effects)
    guard state != .ended else { return refuse("end", "the workout has ended", &effects) }
    countedBeforeHold = nil
    let motion = advanceForCommand(to: now)
    finish(cause: cause, isDiscarding: isDiscarding, motion, sentAt.stamp(watchClock), &effects)
  }

  /// Begins a command's pause in a stop of the source.
  mutating func hold(at now: VirtualTime) {
    countedBeforeHold = source.advance(toMilliseconds: sourceNanoseconds / 1_000_000)
    _ = advance(to: now)
    isHeld = true
  }

  /// Ends a command's pause, and counts what the sensors did before it.
  mutating func resumeHeld(at now: VirtualTime) -> MotionSample {
    countedBeforeHold = nil
    let motion = advanceForCommand(to: now)
    isHeld = false
    return motion
  }

  /// Ends a command's pause within a stop of the source, which has not moved since.
  mutating func endHold() {
    countedBeforeHold = nil
    isHeld = false
  }

  private func refuse(_ command: String, _ why: String, _ effects: inout [HostEffect]) {
    effects.append(.refused(command: command, why: why))
  }
}
