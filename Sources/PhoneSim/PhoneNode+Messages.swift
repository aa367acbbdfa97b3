import CoachProtocol
import Link

/// Messages of the watch, and what follows for the run.
extension PhoneNode {
  mutating func handleDeliveries(at now: VirtualTime, into output: inout NodeOutput) {
    var index = 0
    while index < deliveries.count {
      handle(deliveries.moveOut(index, leaving: .reachability(false)), at: now, into: &output)
      index += 1
    }
    deliveries.removeFew()
  }

  private mutating func handle(
    _ delivery: consuming SessionDelivery, at now: VirtualTime, into output: inout NodeOutput
  ) {
    switch consume delivery {
    case .message(let payload, let flags, let epoch, let seq, let isStale):
      handleMessage(payload, flags: flags, epoch: epoch, seq: seq, isStale: isStale, at: now, into: &output)
    case .userInfo(let entry): handleEvent(entry, at: now, into: &output)
    case .context(let payload, let seq):
      // The watch sets contexts for probes only; any other is received without effect.
      if case .failure(let error) = AppMessage.reading(payload), !setup.plants.contains(.schemaDrift) {
        output.record(
          session.undecodableEvent(
            on: .applicationContext, payload: payload, epoch: session.epoch, seq: seq, error: error.description,
            at: now))
      }
    case .file(let entry, let offer):
      waitingFiles.append((entry, offer))
      handleWaitingFiles(at: now, into: &output)
    case .peerStarted(let epoch, _) where setup.plants.contains(.peerRestartEnds) && epoch.rawValue > 1:
      endRunOfPeer(at: now, into: &output)
    case .reachability(true) where consumer.record.start.isListening: handleReachable(at: now, into: &output)
    case .reply, .received, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability,
      .peerStarted:
      break  // Nothing waits for these so far.
    }
  }

  private mutating func handleMessage(
    _ payload: [UInt8], flags: Frame.Flags, epoch: Epoch, seq: SequenceNumber, isStale: Bool, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    var snapshot = LiveMetrics.blank
    if snapshot.read(encoded: payload, workout: &workoutText) {
      if output.isRecording, !isStale {
        output.record(
          session.receivedEvent(kind: "liveMetrics", payload: payload, epoch: epoch, seq: seq), at: now, on: .phone)
      }
      handle(snapshot, epoch: epoch, seq: seq, isStale: isStale, at: now, into: &output)
      return
    }
    guard !isStale else { return }
    let message = AppMessage.reading(payload)
    var event = session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq)
    if case .success(let message) = message, let update = message.runUpdate {
      event.workoutId = update.workoutId
      event.sentAt = update.sentAt.nanoseconds
    }
    output.record(event, at: now, on: .phone)
    switch message {
    case .success(.probe(let probe)):
      if flags.contains(.wantsReply) {
        let answer = AppMessage.probe(Probe(number: probe.number))
        session.reply(to: seq, of: epoch, answer.encoded, at: now, into: &output)
      }
    case .success(let message): if handle(message, at: now, into: &output) { output.items.append(.commit) }
    case .failure(let error):
      if setup.plants.contains(.schemaDrift) { return }
      output.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  /// Handles a message other than a snapshot.
  ///
  /// A workout event counts once, by whichever channel it comes first.
  ///
  /// - Returns: Whether there is something to commit.
  mutating func handle(_ message: AppMessage, at now: VirtualTime, into output: inout NodeOutput) -> Bool {
    guard let update = message.runUpdate else {
      if case .sessionReport(let report) = message, training != nil {
        return updateTraining(at: now, into: &output) { book, _, orders in book.receive(report, into: &orders) }
      }
      if handleStartAnswer(message, at: now, into: &output) { return false }
      refuse(message.kind.rawValue, why: "not a word to the phone", at: now, into: &output)
      return false
    }
    if setup.coachesRunsOnly, case .workoutStarted(let start) = message, start.discipline ?? .running != .running {
      otherStarts.append(start.workoutId)
    }
    let outcome = consumer.receiveEvent(update, at: now, into: &output)
    carryOut(outcome.decisions, at: now, into: &output)
    persist(.consumer(consumer.record), into: &output)
    if consumer.record.start.isListening {
      updateStart(update.kind.text, of: update.workoutId, saysEnded: update.state == .ended, at: now, into: &output)
    }
    if setup.plants.contains(.doubleDelivery), update.kind == .workoutStarted { restartScript(into: &output) }
    return true
  }

  private mutating func handleEvent(_ entry: QueueEntry, at now: VirtualTime, into output: inout NodeOutput) {
    // Only a planted bug jams the queue.
    if isJammed { return }
    switch AppMessage.reading(entry.payload) {
    case .failure(let error):
      if !setup.plants.isDisjoint(with: [.queueJam, .schemaDrift]) { return mishandle(entry, into: &output) }
      output.record(
        session.undecodableEvent(
          on: .userInfo, payload: entry.payload, epoch: session.epoch, seq: entry.seq, error: error.description,
          at: now))
      session.setAside(entry, error: error.description, at: now, into: &output)
    case .success(let message):
      if setup.plants.contains(.watchdogKill) { return handleTooLate(entry, message, at: now, into: &output) }
      // The event's effects and its handled mark become durable together.
      session.markHandled(entry, into: &output)
      output.record(TransferDelivered.self, at: now, on: .phone) {
        $0.describe(entry)
        $0.details = message.eventDetails
      }
      if message.kind != .probe { _ = handle(message, at: now, into: &output) }
      session.commitHandled(entry, into: &output)
    }
  }

  // MARK: The run

  private mutating func handle(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, isStale: Bool, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    let seemsOld = setup.plants.contains(.clockSkew) && seemsOld(snapshot, at: now)
    let outcome = consumer.receiveSnapshot(
      snapshot, epoch: epoch, seq: seq, isDuplicateFromSession: isStale, seemsOld: seemsOld, at: now, into: &output)
    guard outcome.isFresh else { return }
    if !outcome.decisions.isEmpty { carryOut(outcome.decisions, at: now, into: &output) }
    // Stored with the run that it opens: an app that dies at the first line must not give the start up.
    if consumer.record.start.isListening {
      updateStart(
        RunUpdate.Kind.snapshot.text, of: snapshot.workoutId, saysEnded: snapshot.state == .ended, at: now,
        into: &output)
    }
    let evaluations = engine.evaluations
    let isNewScript = engine.isNewlyInstalled
    var isOfRun = false
    if outcome.isFreshOfRun {
      isOfRun = engine.observe(
        snapshot, epoch: epoch, sequence: seq, hour: hour.hour(clock: clock.reading(at: now)),
        isRunning: consumer.state == .running, at: now, canCommit: !isDiskFull, into: &decisions)
      if setup.hasEdge { checkReplies(at: snapshot, epoch: epoch, seq: seq, at: now) }
    }
    let isJudged = engine.evaluations != evaluations
    guard output.isKeeping || !decisions.isEmpty else { return }
    let heard = HeardSnapshot(
      epoch: epoch, seq: seq, arrivedAt: now, sentAt: snapshot.sentAt, elapsed: snapshot.elapsed,
      distance: snapshot.distance, isBelieved: outcome.isOrdinary, isOfRun: isOfRun, isJudged: isJudged)
    persist(PhoneChange.heard(heard), into: &output)
    if !outcome.isOrdinary { persist(.consumer(consumer.record), into: &output) }
    if isJudged, isNewScript || !engine.changedLines.isEmpty {
      persistPosition(isNewScript: isNewScript, into: &output)
    }
    if decisions.isEmpty {
      output.items.append(.commit)
    } else {
      carryOutScript(of: snapshot.workoutId, at: now, into: &output)
    }
  }

  mutating func carryOut(_ decisions: [RunDecision], at now: VirtualTime, into output: inout NodeOutput) {
    if setup.hasEdge { requestDecisions += decisions }
    if setup.syncsHealth { runListDecisions += decisions }
    for decision in decisions {
      switch decision {
      case .opened(let workoutId, let sentAt):
        if !setup.plants.contains(.carriedOver) { engine.startRun() }
        persist(.runOpened(row(of: workoutId, startedAt: sentAt)), into: &output)
        persistRaceRun(workoutId, into: &output)
        if setup.coachesRunsOnly { unloadScript(at: now, into: &output) }
      case .named(let workoutId, let startedAt, _): persist(.runNamed(workoutId, startedAt: startedAt), into: &output)
      case .state(let workoutId, _, .ended, _, let sentAt?):
        persist(.runEnded(workoutId, endedAt: sentAt), into: &output)
      case .finished(let workoutId, let uuid, _):
        persist(.runFinished(workoutId, healthKitWorkoutUUID: uuid), into: &output)
        if setup.plants.contains(.sessionTwice) {
          updateTraining(at: now, into: &output) { book, _, orders in book.storeAgain(workoutId, into: &orders) }
        }
        if setup.remarks != RunRemarks() { persist(.runRemarked(workoutId, setup.remarks), into: &output) }
      case .orderWatchToEnd(let workoutId):
        let message = AppMessage.endWorkout(EndWorkout(workoutId: workoutId))
        session.sendMessage(message.encoded, kind: message.kind.rawValue, at: now, into: &output)
      case .state, .history, .refused: continue  // Their lines are written.
      }
    }
  }
}
