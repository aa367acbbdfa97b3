import CoachProtocol
import Link

/// Starts and ends that the user requests on the phone.
extension PhoneNode {
  /// `startWorkout`: requests a run from the watch, if none is on.
  mutating func carryOutStart(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    if let why = consumer.record.startRefusal { return refuse(command.name, why: why, in: &turn) }
    let count = consumer.record.start.count
    let runId = Identifier(RandomStream(seed: setup.seed, name: "phone.start"), for: UInt64(count) + 1)
    carryOut(consumer.startWorkout(runId: runId, in: &turn).decisions, in: &turn)
    changeStart(in: &turn) { $0.start(runId, at: now) }
  }

  /// `endWorkout`: ends the phone's own tracker, cancels an unanswered start, or orders the watch to end its run.
  ///
  /// At the end of the scenario only the phone's own tracker is ended.
  mutating func carryOutEnd(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    switch consumer.record.endable {
    case .tracker: endTracker(in: &turn)
    case .request(let runId):
      changeStart(in: &turn) { $0.cancel(at: now) }
      endOnPhone(runId, in: &turn)
    case _ where command.argument("cause") == .string("duration"): break
    case .givenUp(let runId): endOnPhone(runId, in: &turn)
    case .run(let runId): changeStart(in: &turn) { $0.end(runId, at: now) }
    case nil: refuse(command.name, why: "no run is on", in: &turn)
    }
  }

  // MARK: Messages of the watch

  /// Handles `startAck` or `startDeclined`; false if it answers no start of this phone.
  mutating func handleStartAnswer(_ message: AppMessage, in turn: inout Turn) -> Bool {
    let now = turn.now
    switch message {
    case .startAck(let answer) where consumer.record.start.remembers(answer.runId):
      updateStart(message.kind.rawValue, of: answer.runId, in: &turn)
    case .startDeclined(let answer) where consumer.record.start.remembers(answer.runId):
      changeStart(in: &turn) { $0.handleDecline(answer.runId, answer.reason, at: now) }
    default: return false
    }
    return true
  }

  /// Passes a message about a run to the start handshake.
  mutating func updateStart(_ word: String, of runId: Identifier, saysEnded: Bool = false, in turn: inout Turn) {
    let now = turn.now
    changeStart(in: &turn) { $0.handleMessage(word, of: runId, saysEnded: saysEnded, at: now) }
  }

  /// Handles that the watch became reachable again.
  mutating func handleReachable(in turn: inout Turn) {
    let now = turn.now
    changeStart(in: &turn) { $0.handleReachable(at: now) }
  }

  // MARK: Effects

  /// The handshake's next deadline, if any.
  var startDeadline: VirtualTime? {
    setup.plants.contains(.startLost) ? nil : consumer.record.start.nextDeadline
  }

  mutating func fireStart(in turn: inout Turn) {
    let now = turn.now
    changeStart(in: &turn) { $0.fire(at: now) }
  }

  /// Changes the handshake, carries out the effects, and stores it.
  mutating func changeStart(in turn: inout Turn, _ change: (inout PhoneStartHandshake) -> [StartEffect]) {
    let before = consumer.record.start
    let effects = change(&consumer.record.start)
    for effect in effects { carryOut(effect, in: &turn) }
    if !effects.isEmpty || consumer.record.start != before { commit(.consumer(consumer.record), in: &turn) }
  }

  private mutating func carryOut(_ effect: StartEffect, in turn: inout Turn) {
    switch effect {
    case .ask(let runId, let attempt): ask(for: runId, attempt: attempt, in: &turn)
    case .acknowledged(let runId, let word):
      turn.record(StartAcked.self, on: .phone) {
        $0.runId = runId
        $0.word = word
      }
    case .declined(let runId, let reason):
      turn.record(StartRejected.self, on: .phone) {
        $0.runId = runId
        $0.reason = reason
      }
    case .failed(let runId, let why):
      turn.record(StartFailed.self, on: .phone) {
        $0.runId = runId
        $0.why = why
      }
    case .cancel(let runId), .late(let runId, _):
      if setup.plants.contains(.doubleTracking) { return consumer.record.start.leave(runId) }
      if case .late(_, let word) = effect {
        turn.record(StartLate.self, on: .phone) {
          $0.runId = runId
          $0.word = word
        }
      } else {
        turn.record(StartCancelled.self, on: .phone) { $0.runId = runId }
        consumer.record.belief.withdraw(runId)
      }
      cancel(runId, in: &turn)
    case .end(let runId):
      let fate = consumer.record.start.runs.first { $0.runId == runId }?.fate
      turn.record(EndAsked.self, on: .phone) {
        $0.runId = runId
        $0.by = fate == .givenUp ? .cancelledStart : .runner
      }
      send(.endWorkout(EndWorkout(workoutId: runId)), in: &turn)
    case .track(let runId): track(runId, in: &turn)
    }
  }

  /// Requests a run by message if the watch is reachable, otherwise by application context, where a later context
  /// replaces it; never by the queue, where it would outlive its use.
  private mutating func ask(for runId: Identifier, attempt: Int, in turn: inout Turn) {
    let sentAt = PhoneTime(nanoseconds: clock.reading(at: turn.now))
    let start = AppMessage.startWorkout(
      StartWorkout(
        runId: runId, runType: setup.runType, personality: setup.personality, mode: setup.mode, sentAt: sentAt))
    let channel: Channel
    let error: SessionError?
    if (session.isReachable && session.isPeerInstalled) || setup.plants.contains(.startLost) {
      channel = .message
      error = session.sendMessage(start.encoded, kind: start.kind.rawValue, in: &turn).error
    } else if setup.plants.contains(.staleStart) {
      channel = .userInfo
      error = queueStart(start, in: &turn)
    } else {
      channel = .applicationContext
      error = setContext(start, in: &turn)
    }
    turn.record(StartAsked.self, on: .phone) {
      $0.runId = runId
      $0.channel = channel
      $0.attempt = Int64(attempt)
      $0.sentAt = sentAt.nanoseconds
      $0.error = error?.text(on: .phone)
    }
  }

  /// Cancels a start by message at once, and by context, which is not lost and replaces a queued start.
  private mutating func cancel(_ runId: Identifier, in turn: inout Turn) {
    let cancel = AppMessage.cancelStart(CancelStart(runId: runId))
    send(cancel, in: &turn)
    // If it is refused, so was the start; an update from the watch brings it up again.
    _ = setContext(cancel, in: &turn)
  }

  /// Sends a command by message if the watch is reachable.
  private mutating func send(_ command: AppMessage, in turn: inout Turn) {
    guard session.isReachable, session.isPeerInstalled else { return }
    session.sendMessage(command.encoded, kind: command.kind.rawValue, in: &turn)
  }

  private mutating func setContext(_ command: AppMessage, in turn: inout Turn) -> SessionError? {
    do throws(SessionError) {
      try session.updateApplicationContext(command.encoded, in: &turn)
      return nil
    } catch { return error }
  }

  // MARK: The phone's own tracker

  /// Starts the phone's own tracker, if the run is still awaited.
  private mutating func track(_ runId: Identifier, in turn: inout Turn) {
    let now = turn.now
    guard consumer.record.belief.awaited == runId else { return }
    consumer.record.start.track(runId, at: now)
    if let tracker = consumer.record.start.tracker { turn.record(tracker.startedEvent(at: now)) }
    engine.startRun()
    var row = row(of: runId, startedAt: WatchTime(nanoseconds: clock.reading(at: now)))
    row.isTrackedHere = true
    persist(.runOpened(row), in: &turn)
    health?.addRow(row)
    carryOut(consumer.trackOnPhone(runId, in: &turn).decisions, in: &turn)
  }

  private mutating func endTracker(in turn: inout Turn) {
    let now = turn.now
    consumer.record.start.endTracker(at: now)
    guard let tracker = consumer.record.start.tracker else { return }
    turn.record(tracker.endedEvent(plan: setup.plan, at: now))
    let endedAt = WatchTime(nanoseconds: clock.reading(at: now))
    persist(.runEnded(tracker.runId, endedAt: endedAt), in: &turn)
    health?.setEnd(tracker.runId, at: endedAt)
    endOnPhone(tracker.runId, in: &turn)
  }

  private mutating func endOnPhone(_ runId: Identifier, in turn: inout Turn) {
    carryOut(consumer.endOnPhone(runId, in: &turn).decisions, in: &turn)
    commit(.consumer(consumer.record), in: &turn)
  }
}
