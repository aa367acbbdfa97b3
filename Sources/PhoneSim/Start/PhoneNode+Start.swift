import CoachProtocol
import Link

/// Starts and ends that the user requests on the phone.
extension PhoneNode {
  /// `startWorkout`: requests a run from the watch, if none is on.
  mutating func carryOutStart(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    let start = consumer.record.start
    if start.asking != nil { return refuse(command.name, why: "a start is being asked for", at: now, into: &output) }
    let isOn = consumer.record.belief.isOn || start.tracker?.isLive == true
    if isOn { return refuse(command.name, why: "a run is on", at: now, into: &output) }
    let runId = Identifier(RandomStream(seed: setup.seed, name: "phone.start"), for: UInt64(start.count) + 1)
    carryOut(consumer.startWorkout(runId: runId, at: now, into: &output).decisions, at: now, into: &output)
    changeStart(at: now, into: &output) { $0.start(runId, at: now) }
  }

  /// `endWorkout`: ends the phone's own tracker, cancels an unanswered start, or orders the watch to end its run.
  ///
  /// At the end of the scenario only the phone's own tracker is ended.
  mutating func carryOutEnd(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    let start = consumer.record.start
    let isOver = command.argument("cause") == .string("duration")
    if let tracker = start.tracker, tracker.isLive {
      endTracker(at: now, into: &output)
    } else if let request = start.asking {
      changeStart(at: now, into: &output) { $0.cancel(at: now) }
      endOnPhone(request.runId, at: now, into: &output)
    } else if isOver {
      return
    } else if let awaited = consumer.record.belief.awaited, consumer.record.belief.isGivenUp(awaited) {
      if consumer.state == .ended { return refuse(command.name, why: "no run is on", at: now, into: &output) }
      endOnPhone(awaited, at: now, into: &output)
    } else if let runId = consumer.workoutId, consumer.state != .ended {
      // Includes a run that the watch acknowledged without any update so far.
      changeStart(at: now, into: &output) { $0.end(runId, at: now) }
    } else {
      refuse(command.name, why: "no run is on", at: now, into: &output)
    }
  }

  // MARK: Messages of the watch

  /// Handles `startAck` or `startDeclined`; false if it answers no start of this phone.
  mutating func handleStartAnswer(_ message: AppMessage, at now: VirtualTime, into output: inout NodeOutput) -> Bool {
    switch message {
    case .startAck(let answer) where consumer.record.start.remembers(answer.runId):
      updateStart(message.kind.rawValue, of: answer.runId, at: now, into: &output)
    case .startDeclined(let answer) where consumer.record.start.remembers(answer.runId):
      changeStart(at: now, into: &output) { $0.handleDecline(answer.runId, answer.reason, at: now) }
    default: return false
    }
    return true
  }

  /// Passes a message about a run to the start handshake.
  mutating func updateStart(
    _ word: String, of runId: Identifier, saysEnded: Bool = false, at now: VirtualTime, into output: inout NodeOutput
  ) {
    changeStart(at: now, into: &output) { $0.handleMessage(word, of: runId, saysEnded: saysEnded, at: now) }
  }

  /// Handles that the watch became reachable again.
  mutating func handleReachable(at now: VirtualTime, into output: inout NodeOutput) {
    changeStart(at: now, into: &output) { $0.handleReachable(at: now) }
  }

  // MARK: Effects

  /// Changes the handshake, carries out the effects, and stores it.
  mutating func changeStart(
    at now: VirtualTime, into output: inout NodeOutput, _ change: (inout PhoneStartHandshake) -> [StartEffect]
  ) {
    let before = consumer.record.start
    let effects = change(&consumer.record.start)
    for effect in effects { carryOut(effect, at: now, into: &output) }
    if !setup.plants.contains(.startLost) { startDeadline = consumer.record.start.nextDeadline }
    if !effects.isEmpty || consumer.record.start != before { commit(.consumer(consumer.record), into: &output) }
  }

  private mutating func carryOut(_ effect: StartEffect, at now: VirtualTime, into output: inout NodeOutput) {
    switch effect {
    case .ask(let runId, let attempt): ask(for: runId, attempt: attempt, at: now, into: &output)
    case .acknowledged(let runId, let word):
      output.record(StartAcked.self, at: now, on: .phone) {
        $0.runId = runId
        $0.word = word
      }
    case .declined(let runId, let reason):
      output.record(StartRejected.self, at: now, on: .phone) {
        $0.runId = runId
        $0.reason = reason
      }
    case .failed(let runId, let why):
      output.record(StartFailed.self, at: now, on: .phone) {
        $0.runId = runId
        $0.why = why
      }
    case .cancel(let runId), .late(let runId, _):
      if setup.plants.contains(.doubleTracking) { return consumer.record.start.leave(runId) }
      giveUp(effect, at: now, into: &output)
    case .end(let runId): send(.endWorkout(EndWorkout(workoutId: runId)), at: now, into: &output)
    case .track(let runId): track(runId, at: now, into: &output)
    }
  }

  /// Cancels a start, for the first time or again.
  private mutating func giveUp(_ effect: StartEffect, at now: VirtualTime, into output: inout NodeOutput) {
    switch effect {
    case .cancel(let runId):
      output.record(StartCancelled.self, at: now, on: .phone) { $0.runId = runId }
      consumer.record.belief.withdraw(runId)
      cancel(runId, at: now, into: &output)
    case .late(let runId, let word):
      output.record(StartLate.self, at: now, on: .phone) {
        $0.runId = runId
        $0.word = word
      }
      cancel(runId, at: now, into: &output)
    case .ask, .acknowledged, .declined, .failed, .end, .track: preconditionFailure("\(effect) cancels nothing")
    }
  }

  /// Requests a run by message if the watch is reachable, otherwise by application context, where a later context
  /// replaces it; never by the queue, where it would outlive its use.
  private mutating func ask(for runId: Identifier, attempt: Int, at now: VirtualTime, into output: inout NodeOutput) {
    let sentAt = PhoneTime(nanoseconds: clock.reading(at: now))
    let start = AppMessage.startWorkout(
      StartWorkout(
        runId: runId, runType: setup.runType, personality: setup.personality, mode: setup.mode, sentAt: sentAt))
    let channel: Channel
    let error: SessionError?
    if (session.isReachable && session.isPeerInstalled) || setup.plants.contains(.startLost) {
      channel = .message
      error = session.sendMessage(start.encoded, kind: start.kind.rawValue, at: now, into: &output).error
    } else if setup.plants.contains(.staleStart) {
      channel = .userInfo
      error = queueStart(start, at: now, into: &output)
    } else {
      channel = .applicationContext
      error = setContext(start, at: now, into: &output)
    }
    output.record(StartAsked.self, at: now, on: .phone) {
      $0.runId = runId
      $0.channel = channel
      $0.attempt = Int64(attempt)
      $0.sentAt = sentAt.nanoseconds
      $0.error = error?.text(on: .phone)
    }
  }

  /// Cancels a start by message at once, and by context, which is not lost and replaces a queued start.
  private mutating func cancel(_ runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    let cancel = AppMessage.cancelStart(CancelStart(runId: runId))
    send(cancel, at: now, into: &output)
    // If it is refused, so was the start; an update from the watch brings it up again.
    _ = setContext(cancel, at: now, into: &output)
  }

  /// Sends a command by message if the watch is reachable.
  private mutating func send(_ command: AppMessage, at now: VirtualTime, into output: inout NodeOutput) {
    guard session.isReachable, session.isPeerInstalled else { return }
    session.sendMessage(command.encoded, kind: command.kind.rawValue, at: now, into: &output)
  }

  private mutating func setContext(
    _ command: AppMessage, at now: VirtualTime, into output: inout NodeOutput
  ) -> SessionError? {
    do throws(SessionError) {
      try session.updateApplicationContext(command.encoded, at: now, into: &output)
      return nil
    } catch { return error }
  }

  // MARK: The phone's own tracker

  /// Starts the phone's own tracker, if the run is still awaited.
  private mutating func track(_ runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    guard consumer.record.belief.awaited == runId else { return }
    consumer.record.start.track(runId, at: now)
    if let tracker = consumer.record.start.tracker { output.record(tracker.startedEvent(at: now)) }
    engine.startRun()
    var row = row(of: runId, startedAt: WatchTime(nanoseconds: clock.reading(at: now)))
    row.isTrackedHere = true
    persist(.runOpened(row), into: &output)
    health?.addRow(row)
    carryOut(consumer.trackOnPhone(runId, at: now, into: &output).decisions, at: now, into: &output)
  }

  private mutating func endTracker(at now: VirtualTime, into output: inout NodeOutput) {
    consumer.record.start.endTracker(at: now)
    guard let tracker = consumer.record.start.tracker else { return }
    output.record(tracker.endedEvent(plan: setup.plan, at: now))
    let endedAt = WatchTime(nanoseconds: clock.reading(at: now))
    persist(.runEnded(tracker.runId, endedAt: endedAt), into: &output)
    health?.setEnd(tracker.runId, at: endedAt)
    endOnPhone(tracker.runId, at: now, into: &output)
  }

  private mutating func endOnPhone(_ runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    carryOut(consumer.endOnPhone(runId, at: now, into: &output).decisions, at: now, into: &output)
    commit(.consumer(consumer.record), into: &output)
  }
}
