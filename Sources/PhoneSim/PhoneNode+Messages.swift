import CoachProtocol
import Link

/// Messages of the watch, and what follows for the run.
extension PhoneNode {
  mutating func handleDeliveries(in turn: inout Turn) {
    var index = 0
    while index < turn.deliveries.count {
      handle(turn.deliveries.moveOut(index, leaving: .reachability(false)), in: &turn)
      index += 1
    }
    turn.deliveries.removeFew()
  }

  private mutating func handle(_ delivery: consuming SessionDelivery, in turn: inout Turn) {
    switch consume delivery {
    case .message(let payload, let flags, let epoch, let seq, let isStale):
      handleMessage(payload, flags: flags, epoch: epoch, seq: seq, isStale: isStale, in: &turn)
    case .userInfo(let entry): handleEvent(entry, in: &turn)
    case .context(let payload, let seq):
      // The watch sets contexts for probes only; any other is received without effect.
      if case .failure(let error) = AppMessage.reading(payload), !setup.plants.contains(.schemaDrift) {
        let now = turn.now
        turn.record(
          session.undecodableEvent(
            on: .applicationContext, payload: payload, epoch: session.epoch, seq: seq, error: error.description,
            at: now))
      }
    case .file(let entry, let offer):
      voice.add(entry, offer)
      handleFiles(in: &turn)
    case .peerStarted(let epoch, _) where setup.plants.contains(.peerRestartEnds) && epoch.rawValue > 1:
      endRunOfPeer(in: &turn)
    case .reachability(true) where consumer.record.start.isListening: handleReachable(in: &turn)
    case .reply, .received, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability,
      .peerStarted:
      break  // Nothing waits for these so far.
    }
  }

  private mutating func handleMessage(
    _ payload: [UInt8], flags: Frame.Flags, epoch: Epoch, seq: SequenceNumber, isStale: Bool, in turn: inout Turn
  ) {
    let now = turn.now
    var snapshot = LiveMetrics()
    if snapshot.read(encoded: payload, workout: &workoutText) {
      if turn.isRecording, !isStale {
        turn.record(
          session.receivedEvent(kind: "liveMetrics", payload: payload, epoch: epoch, seq: seq), on: .phone)
      }
      handle(snapshot, epoch: epoch, seq: seq, isStale: isStale, in: &turn)
      return
    }
    guard !isStale else { return }
    let message = AppMessage.reading(payload)
    var event = session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq)
    if case .success(let message) = message, let update = message.runUpdate {
      event.workoutId = update.workoutId
      event.sentAt = update.sentAt.nanoseconds
    }
    turn.record(event, on: .phone)
    switch message {
    case .success(.probe(let probe)):
      if flags.contains(.wantsReply) {
        let answer = AppMessage.probe(Probe(number: probe.number))
        session.reply(to: seq, of: epoch, answer.encoded, in: &turn)
      }
    case .success(let message): if handle(message, in: &turn) { turn.items.append(.commit) }
    case .failure(let error):
      if setup.plants.contains(.schemaDrift) { return }
      turn.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  /// Handles a message other than a snapshot.
  ///
  /// A workout event counts once, by whichever channel it comes first.
  ///
  /// - Returns: Whether there is something to commit.
  mutating func handle(_ message: AppMessage, in turn: inout Turn) -> Bool {
    guard let update = message.runUpdate else {
      if case .sessionReport(let report) = message, training != nil {
        return updateTraining(in: &turn) { book, _, orders in book.receive(report, into: &orders) }
      }
      if handleStartAnswer(message, in: &turn) { return false }
      refuse(message.kind.rawValue, why: "not a message for the phone", in: &turn)
      return false
    }
    coach.recordStart(message)
    let outcome = consumer.receiveEvent(update, in: &turn)
    carryOut(outcome.decisions, in: &turn)
    persist(.consumer(consumer.record), in: &turn)
    if consumer.record.start.isListening {
      updateStart(update.kind.rawValue, of: update.workoutId, saysEnded: update.state == .ended, in: &turn)
    }
    if setup.plants.contains(.doubleDelivery), update.kind == .workoutStarted { restartScript(in: &turn) }
    return true
  }

  private mutating func handleEvent(_ entry: QueueEntry, in turn: inout Turn) {
    // Only a planted bug jams the queue.
    if isJammed { return }
    switch AppMessage.reading(entry.payload) {
    case .failure(let error):
      if setup.plants.contains(.queueJam) || setup.plants.contains(.schemaDrift) { return mishandle(entry, in: &turn) }
      let now = turn.now
      turn.record(
        session.undecodableEvent(
          on: .userInfo, payload: entry.payload, epoch: session.epoch, seq: entry.seq, error: error.description,
          at: now))
      session.setAside(entry, error: error.description, in: &turn)
    case .success(let message):
      if setup.plants.contains(.watchdogKill) { return handleTooLate(entry, message, in: &turn) }
      // The event's effects and its handled mark become durable together.
      session.markHandled(entry, in: &turn)
      turn.record(TransferDelivered.self, on: .phone) {
        $0.describe(entry)
        $0.details = message.eventDetails
      }
      if message.kind != .probe { _ = handle(message, in: &turn) }
      session.commitHandled(entry, in: &turn)
    }
  }

  // MARK: The run

  /// Notes that the watch is silent, if it is.
  mutating func fireConsumer(in turn: inout Turn) {
    if consumer.fire(in: &turn) { commit(.consumer(consumer.record), in: &turn) }
  }

  private mutating func handle(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, isStale: Bool, in turn: inout Turn
  ) {
    let now = turn.now
    let seemsOld = setup.plants.contains(.clockSkew) && seemsOld(snapshot, at: now)
    let outcome = consumer.receiveSnapshot(
      snapshot, epoch: epoch, seq: seq, isDuplicateFromSession: isStale, seemsOld: seemsOld, in: &turn)
    guard outcome.isFresh else { return }
    if !outcome.decisions.isEmpty { carryOut(outcome.decisions, in: &turn) }
    // Stored with the run that it opens: an app that dies at the first line must not give the start up.
    if consumer.record.start.isListening {
      updateStart(
        RunUpdate.Kind.snapshot.rawValue, of: snapshot.workoutId, saysEnded: snapshot.state == .ended, in: &turn)
    }
    let evaluations = engine.evaluations
    let isNewScript = engine.isNewlyInstalled
    var isOfRun = false
    if outcome.isFreshOfRun {
      isOfRun = engine.observe(
        snapshot, epoch: epoch, sequence: seq, hour: hour.hour(clock: clock.reading(at: now)),
        isRunning: consumer.state == .running, at: now, canCommit: !isDiskFull, into: &decisions)
      if setup.hasEdge {
        coach.diary.snapshot = snapshot
        engine.checkReplies(
          at: snapshot, epoch: epoch, sequence: seq, state: consumer.state, at: now, canCommit: !isDiskFull,
          into: &decisions)
      }
    }
    let isJudged = engine.evaluations != evaluations
    guard turn.isKeeping || !decisions.isEmpty else { return }
    let heard = HeardSnapshot(
      epoch: epoch, seq: seq, arrivedAt: now, sentAt: snapshot.sentAt, elapsed: snapshot.elapsed,
      distance: snapshot.distance, isBelieved: outcome.isOrdinary, isOfRun: isOfRun, isJudged: isJudged)
    changes.persist(PhoneChange.heard(heard), in: &turn)
    if !outcome.isOrdinary { persist(.consumer(consumer.record), in: &turn) }
    if isJudged, isNewScript || !engine.changedLines.isEmpty {
      persistPosition(isNewScript: isNewScript, in: &turn)
    }
    if decisions.isEmpty {
      turn.items.append(.commit)
    } else {
      carryOutScript(of: snapshot.workoutId, in: &turn)
    }
  }

  mutating func carryOut(_ decisions: [RunDecision], in turn: inout Turn) {
    if setup.hasEdge { coach.runDecisions += decisions }
    if setup.syncsHealth { runListDecisions += decisions }
    for decision in decisions {
      switch decision {
      case .opened(let workoutId, let sentAt):
        if !setup.plants.contains(.carriedOver) { engine.startRun() }
        persist(.runOpened(row(of: workoutId, startedAt: sentAt)), in: &turn)
        persistRaceRun(workoutId, in: &turn)
        coach.unloadScript(&engine, &changes, in: &turn)
      case .named(let workoutId, let startedAt, _): persist(.runNamed(workoutId, startedAt: startedAt), in: &turn)
      case .state(let workoutId, _, .ended, _, let sentAt?):
        persist(.runEnded(workoutId, endedAt: sentAt), in: &turn)
      case .finished(let workoutId, let uuid, _):
        persist(.runFinished(workoutId, healthKitWorkoutUUID: uuid), in: &turn)
        if setup.plants.contains(.sessionTwice) {
          updateTraining(in: &turn) { book, _, orders in book.storeAgain(workoutId, into: &orders) }
        }
        if setup.remarks != RunRemarks() { persist(.runRemarked(workoutId, setup.remarks), in: &turn) }
      case .discarded(let workoutId, _): persist(.runDiscarded(workoutId), in: &turn)
      case .recorded(let update): record(update, in: &turn)
      case .orderWatchToEnd(let workoutId):
        let message = AppMessage.endWorkout(EndWorkout(workoutId: workoutId))
        session.sendMessage(message.encoded, kind: message.kind.rawValue, in: &turn)
      case .state, .history, .refused: continue  // Their lines are written.
      }
    }
  }

  /// Stores or completes the row of a workout that is not the phone's run.
  private mutating func record(_ update: RunUpdate, in turn: inout Turn) {
    let runId = update.workoutId
    // The row of a run that the phone tracked itself has the phone's times.
    guard consumer.record.start.tracker?.runId != runId else { return }
    switch update.content {
    case .workoutStarted(let startedAt):
      persist(.runRestored(row(of: runId, startedAt: startedAt)), in: &turn)
      persist(.runNamed(runId, startedAt: startedAt), in: &turn)
    case .workoutEnded(let uuid):
      persist(.runRestored(row(of: runId, startedAt: update.sentAt)), in: &turn)
      persist(.runEnded(runId, endedAt: update.sentAt), in: &turn)
      if let uuid { persist(.runFinished(runId, healthKitWorkoutUUID: uuid), in: &turn) }
    case .snapshot, .workoutPaused, .workoutResumed: preconditionFailure("\(update.kind) leaves no row")
    }
  }
}

/// Commands of the user and the system, and the audio.
extension PhoneNode {
  mutating func carryOut(_ command: NodeCommand, in turn: inout Turn) {
    let now = turn.now
    switch command.name {
    case "mute": updateAudio(.muted, in: &turn)
    case "unmute": updateAudio(.unmuted, in: &turn)
    case "interrupt": updateAudio(.interrupted, in: &turn)
    case "interruptionEnd":
      let shouldResume = command.argument("shouldResume") == .bool(true)
      updateAudio(.interruptionEnded(shouldResume: shouldResume), in: &turn)
    case "startWorkout": carryOutStart(command, in: &turn)
    case "endWorkout": carryOutEnd(command, in: &turn)
    case "findWatch":
      let call = AppMessage.findWatch(FindWatch(sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
      session.sendMessage(call.encoded, kind: call.kind.rawValue, in: &turn)
    case "history": showHistory(in: &turn)
    case "wipe": wipe(in: &turn)
    default:
      if let part = PhonePart.all.first(where: { $0.words.contains(command.name) }) {
        return part.carryOut(&self, command, &turn)
      }
      guard
        !probes.carryOut(command, through: &session, clock: clock.reading(at: now), in: &turn)
      else { return }
      refuse(command.name, why: "the phone knows no such command", in: &turn)
    }
  }

  /// Records a refused command.
  func refuse(_ command: String, why: String, in turn: inout Turn) {
    let now = turn.now
    turn.record(CommandRefusal(why).event(command, at: now, on: .phone))
  }

  /// Passes an input to the audio queue, stores what changed, and records the events.
  mutating func updateAudio(_ input: AudioQueue.Input?, in turn: inout Turn) {
    let now = turn.now
    audio.receive(input, at: now, into: &audioEvents)
    let first = changes.count
    for event in audioEvents {
      switch event {
      case let event as AudioEnded: persist(.ended(messageId: event.message), in: &turn)
      case let event as AudioInterrupted: persist(.interrupted(messageId: event.message), in: &turn)
      case let event as AudioDropped: persist(.interrupted(messageId: event.message), in: &turn)
      case is AudioMuted: persist(.muted(true), in: &turn)
      case is AudioUnmuted: persist(.muted(false), in: &turn)
      case is AudioInterruptionBegan: persist(.audioTaken(true), in: &turn)
      case is AudioInterruptionEnded: persist(.audioTaken(false), in: &turn)
      default: break
      }
    }
    if changes.count > first { turn.items.append(.commit) }
    if turn.isRecording {
      for var event in audioEvents {
        // One that plays a recording names it.
        if var started = event as? AudioStarted {
          started.rendered = recording(of: started.message)
          event = started
        }
        turn.record(TraceEvent(event, at: now, on: .phone))
      }
    }
    audioEvents.removeAll(keepingCapacity: true)
  }
}
