import CoachProtocol
import Link

/// The wrong behaviour of planted bugs.
extension WatchNode {
  /// ``Plants/zombieSession``: adopts the last workout, which has ended, as one that prepares and never starts.
  mutating func adoptEnded(at now: VirtualTime) {
    guard let log = record.workouts.last, log.isOver else { return }
    host = WorkoutHost(
      workoutId: log.begin.workoutId, at: now, preparing: WorkoutLog.lengthMax, source: setup.source,
      cause: log.begin.cause, seed: setup.seed, unit: setup.unit)
  }

  /// ``Plants/zombieSession``: starts a second log for an adopted workout before its first step.
  ///
  /// The log of the ended workout is complete: no store accepts a step after its end.
  mutating func logAdopted(_ step: WorkoutStep, in turn: inout Turn) {
    guard let log = record.workouts.last, log.isOver else { return }
    persist(
      .began(WorkoutBegin(workoutId: log.begin.workoutId, at: step.at, cause: log.begin.cause, preparing: .zero)),
      in: &turn)
  }

  /// ``Plants/lostEnd``: commits the end, and announces it afterwards unless something intervenes.
  mutating func applyEndInTwoCommits(_ step: WorkoutStep, in turn: inout Turn) {
    persist(.stepped(step), in: &turn)
    let workout = record.workouts.count - 1
    persist(.announced(StepIndex(workout: workout, step: record.workouts[workout].steps.count - 1)), in: &turn)
    let workoutId = record.workouts[workout].begin.workoutId
    settleEnded(workoutId, in: &turn)
    turn.items.append(.commit)
    turn.items.append(.crashPoint(.workoutCommitted))
    if let event = event(of: step, in: record.workouts[workout]) {
      _ = try? session.transferUserInfo(event.encoded, details: event.eventDetails, in: &turn)
    }
    endRecording(by: step, in: &turn)
  }

  /// ``Plants/recoveryInMemory``: adopts the last workout, but no second time.
  mutating func restoreOnce() {
    guard let id = host?.workoutId, host?.state != .ended else { return }
    if record.settled.contains(id) { host = nil } else { restored = id }
  }

  /// ``Plants/recoveryInMemory``: stores that the workout must not be restored again.
  mutating func forgetRestored(in turn: inout Turn) {
    guard let id = restored else { return }
    restored = nil
    settleEnded(id, in: &turn)
    turn.items.append(.commit)
  }

  /// ``Plants/companionEcho``, ``Plants/staleStart``: obeys a queued command, however old.
  mutating func obeyFromQueue(_ entry: QueueEntry, _ message: AppMessage, in turn: inout Turn) {
    handled(entry, details: message.eventDetails, in: &turn)
    obey(message, isAgeless: true, in: &turn)
  }

  /// Whether a press paused the workout ten minutes ago, and it has been paused since.
  func hasPausedLong(at now: VirtualTime) -> Bool {
    guard host?.state == .paused, let step = record.workouts.last?.steps.last else { return false }
    return step.kind == .paused && step.at + .seconds(600) <= now
  }

  /// Ends the paused workout as if its athlete had.
  mutating func endPaused(at now: VirtualTime) {
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    host?.end(cause: .scenario, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
  }
}
