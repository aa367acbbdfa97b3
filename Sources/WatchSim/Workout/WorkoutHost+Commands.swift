package import CoachProtocol
package import Link

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
