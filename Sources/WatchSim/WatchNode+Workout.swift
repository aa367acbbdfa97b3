import CoachProtocol
import Link

/// The workout's effects: what is published, stored and announced.
extension WatchNode {
  /// Restores the workouts of the record: measures each again, and continues the last one unless it has ended.
  ///
  /// A workout that lies in the future by this start's clock belongs to another run, and is not adopted.
  mutating func recover(before now: VirtualTime) {
    for index in record.workouts.indices {
      let log = record.workouts[index]
      let isLast = index == record.workouts.count - 1
      guard log.isOver || (isLast && log.lastInstant <= now) else { continue }
      let (replayed, finished) = WorkoutHost.replaying(
        log, source: setup.plan(at: log.begin.at).source, seed: setup.seed,
        splitsCarried: isLast ? record.splitsCarried : .max, unit: setup.unit)
      if let finished { health.save(finished) }
      if isLast { host = replayed }
    }
  }

  /// Starts a workout, and stores its beginning.
  mutating func begin(_ workoutId: Identifier, cause: WorkoutCause, in turn: inout Turn) {
    let now = turn.now
    let plan = setup.plan(at: now)
    forgetSpent(in: &turn)
    persist(.began(WorkoutBegin(workoutId: workoutId, at: now, cause: cause, preparing: plan.preparing)), in: &turn)
    turn.items.append(.commit)
    startsAt = setup.nextStart(after: now)
    host = WorkoutHost(
      workoutId: workoutId, at: now, preparing: plan.preparing, source: plan.source, cause: cause, seed: setup.seed,
      unit: setup.unit)
    host?.begin(into: &hostEffects)
    carryOutHostEffects(in: &turn)
  }

  /// Forgets old discarded workouts.
  ///
  /// Keeps the record bounded if a phone cancels everything it starts. Part of the transaction in which the next
  /// workout begins.
  private mutating func forgetSpent(in turn: inout Turn) {
    guard let remaining = record.workoutsToRemain else { return }
    persist(.forgot(remaining: remaining, lastSentAt: record.lastSentAt), in: &turn)
    unannounced = record.unannounced
  }

  /// Caches what others read of the host; call it after every change of the host.
  mutating func rememberHost() {
    let status = host?.readStatus()
    hostDeadline = (status?.nextDeadline).map { max($0, awakeSince) }
    isWorkoutOver = status?.isOver == true && startsAt == nil
  }

  mutating func carryOutHostEffects(in turn: inout Turn) {
    for index in hostEffects.indices {
      // Moved out, since a copy retains what an effect refers to; nothing reads what is in its place.
      switch hostEffects.moveOut(index, leaving: .stateChanged(from: nil, to: .ended, cause: .source)) {
      case .publish(let snapshot): publish(snapshot, in: &turn)
      case .stepped(let step): apply(step, in: &turn)
      case .stateChanged(let from, let to, let cause):
        recordState(from: from, to: to, cause: cause, in: &turn)
      case .located(let position):
        guard turn.isRecording, let workoutId = host?.workoutId else { continue }
        turn.record(WorkoutPositioned.self, on: .watch) {
          $0.workoutId = workoutId
          $0.latitude = Double(position.latitudeE7) / 1e7
          $0.longitude = Double(position.longitudeE7) / 1e7
        }
      case .finished(let workout):
        if health.save(workout) {
          turn.record(workout.savedEvent, on: .watch)
          if setup.syncsHealth { sync(workout, in: &turn) }
        }
      case .refused(let command, let why): refuse(command, why: why, in: &turn)
      }
    }
    hostEffects.removeFew()
    rememberHost()
  }

  private func recordState(from: WorkoutState?, to: WorkoutState, cause: WorkoutCause, in turn: inout Turn) {
    guard turn.isRecording, let host else { return }
    turn.record(WorkoutStateChanged.self, on: .watch) {
      $0.workoutId = host.workoutId
      $0.from = from?.text
      $0.to = to.text
      $0.cause = cause.text
      if from == nil { ($0.sport, $0.openWater) = (host.source.sport, host.source.isOpenWater ? true : nil) }
    }
  }

  /// Passes the workouts that this start found in the health store to the platform: an app that died may have missed
  /// it.
  mutating func syncHealth(in turn: inout Turn) {
    owesHealth = false
    for workout in health.workouts { sync(workout, in: &turn) }
  }

  /// Passes a workout to the platform, which syncs it to the phone.
  private func sync(_ workout: FinishedWorkout, in turn: inout Turn) {
    let frames = HealthFrames.make(
      .data, about: workout.healthKitWorkoutUUID, epoch: session.epoch, workout.truth.bytes)
    for frame in frames { turn.send(frame) }
  }

  private mutating func publish(_ snapshot: LiveMetrics, in turn: inout Turn) {
    // Stored before it is sent, so that no stamp is used twice even after a crash.
    persistPublishMark(snapshot, in: &turn)
    turn.record(SnapshotPublished.self, on: .watch) {
      $0.metrics = snapshot.eventFields(epoch: session.epoch, seq: session.nextMessage)
    }
    session.sendMessage(snapshot.encoded(workout: &workoutText), kind: "liveMetrics", in: &turn)
  }

  /// ``persist(_:into:)`` and its commit, for the change of every second.
  private mutating func persistPublishMark(_ snapshot: LiveMetrics, in turn: inout Turn) {
    record.lastSentAt = snapshot.sentAt
    if snapshot.lastSplit != nil { record.splitsCarried += 1 }
    guard turn.isKeeping else { return }
    turn.items.append(.appChange(changes.count))
    turn.items.append(.commit)
    changes.append(
      .published(
        PublishMark(
          stamp: snapshot.sentAt, splitsCarried: Int32(truncatingIfNeeded: record.splitsCarried),
          workout: Int32(truncatingIfNeeded: record.workouts.count))))
  }

  // MARK: Steps and their events

  /// Stores a step and queues its event in one transaction; if the session refuses the event, the step is stored as
  /// unannounced.
  private mutating func apply(_ step: WorkoutStep, in turn: inout Turn) {
    if step.kind.isEnd, setup.plants.contains(.lostEnd) { return applyEndInTwoCommits(step, in: &turn) }
    if setup.plants.contains(.zombieSession) { logAdopted(step, in: &turn) }
    persist(.stepped(step), in: &turn)
    let workout = record.workouts.count - 1
    if step.kind.isEnd { settleEnded(record.workouts[workout].begin.workoutId, in: &turn) }
    var isClosed = false
    if step.kind.isAnnounced {
      unannounced.append(StepIndex(workout: workout, step: record.workouts[workout].steps.count - 1))
      isClosed = announceOwed(in: &turn)
    }
    if !isClosed { turn.items.append(.commit) }
    guard step.kind.isEnd else { return }
    turn.items.append(.crashPoint(.workoutCommitted))
    endRecording(by: step, in: &turn)
  }

  /// Records that an ended run must not start again; part of the transaction that the next commit closes.
  mutating func settleEnded(_ runId: Identifier, in turn: inout Turn) {
    if handshake.settle(runId) { persistSettled(runId, in: &turn) }
  }

  /// Stores a run that the handshake has settled.
  mutating func persistSettled(_ runId: Identifier, in turn: inout Turn) {
    persist(.settled(runId, number: record.settled.count), in: &turn)
  }

  /// Ends the recording together with the workout.
  mutating func endRecording(by step: WorkoutStep, in turn: inout Turn) {
    let now = turn.now
    if step.kind == .discarded {
      discardRecording(why: "the workout was discarded", in: &turn)
    } else {
      finishRecording(at: step.at, now: now, in: &turn)
    }
  }

  /// Queues the unannounced events in order, as far as the session accepts them.
  ///
  /// - Returns: Whether one was queued, which closed a transaction.
  @discardableResult
  mutating func announceOwed(in turn: inout Turn) -> Bool {
    announceAt = nil
    var count = 0
    while count < unannounced.count, announce(unannounced[count], in: &turn) { count += 1 }
    unannounced.removeFirst(count)
    return count > 0
  }

  private mutating func announce(_ index: StepIndex, in turn: inout Turn) -> Bool {
    let log = record.workouts[index.workout]
    let workoutId = log.begin.workoutId
    guard let event = event(of: log.steps[index.step], in: log) else {
      preconditionFailure("a step without an event is owed: \(log.steps[index.step])")
    }
    // A crash after some parts repeats all of them: the phone ignores those that it has.
    if log.steps[index.step].kind == .ended, !queueReports(of: workoutId, in: &turn) { return false }
    let mark = turn.items.count
    persist(.announced(index), in: &turn)
    do throws(SessionError) {
      try session.transferUserInfo(event.encoded, details: event.eventDetails, in: &turn)
      return true
    } catch {
      precondition(
        error == .insufficientSpace || error == .peerNotInstalled,
        "an event of \(event.encoded.count) bytes was refused: \(error)")
      // Nothing was queued: the mark is removed.
      turn.items.remove(at: mark)
      changes.removeLast()
      record.workouts[index.workout].steps[index.step].isAnnounced = false
      return false
    }
  }

  /// The event that announces a step of a workout; nil for an unannounced kind.
  func event(of step: WorkoutStep, in log: WorkoutLog) -> AppMessage? {
    let workoutId = log.begin.workoutId
    let discipline = setup.namesDisciplines ? setup.plan(at: log.begin.at).source.discipline : nil
    return step.event(
      of: workoutId, storedAs: WorkoutHost.healthKitWorkoutUUID(of: workoutId, seed: setup.seed),
      discipline: discipline == .running ? nil : discipline)
  }

  /// Queues the report of an ended session, ahead of the event that announces its end.
  ///
  /// - Returns: Whether the session accepted all parts.
  private mutating func queueReports(of workoutId: Identifier, in turn: inout Turn) -> Bool {
    guard setup.reportsSessions, let workout = health.workout(ofRun: workoutId) else { return true }
    for report in workout.reports(plants: setup.plants) {
      let message = AppMessage.sessionReport(report)
      do throws(SessionError) {
        try session.transferUserInfo(message.encoded, details: message.eventDetails, in: &turn)
      } catch {
        return false
      }
    }
    return true
  }
}
