import CoachProtocol
import Link

/// What the watch says, and what follows for the run.
extension PhoneNode {
  mutating func takeDeliveries(at now: VirtualTime, into output: inout NodeOutput) {
    var index = 0
    while index < deliveries.count {
      take(deliveries.moveOut(index, leaving: .reachability(false)), at: now, into: &output)
      index += 1
    }
    deliveries.removeFew()
  }

  private mutating func take(_ delivery: consuming SessionDelivery, at now: VirtualTime, into output: inout NodeOutput)
  {
    switch consume delivery {
    case .message(let payload, let flags, let epoch, let seq, let isStale):
      takeMessage(payload, flags: flags, epoch: epoch, seq: seq, isStale: isStale, at: now, into: &output)
    case .userInfo(let entry): takeEvent(entry, at: now, into: &output)
    case .context(let payload, let seq):
      // The watch sets no context so far but for probes; one that comes is received and has no effect.
      if case .failure(let error) = AppMessage.reading(payload), !setup.plants.contains(.schemaDrift) {
        output.record(
          session.undecodableEvent(
            on: .applicationContext, payload: payload, epoch: session.epoch, seq: seq, error: error.description,
            at: now))
      }
    case .file(let entry, let offer):
      waitingFiles.append((entry, offer))
      takeWaitingFiles(at: now, into: &output)
    case .reachability(true) where consumer.record.start.isListening: takeReachable(at: now, into: &output)
    case .reply, .received, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability,
      .peerStarted:
      break  // Nothing waits for these so far.
    }
  }

  private mutating func takeMessage(
    _ payload: [UInt8], flags: Frame.Flags, epoch: Epoch, seq: SequenceNumber, isStale: Bool, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    var snapshot = LiveMetrics.blank
    if snapshot.read(encoded: payload, workout: &heardWorkout) {
      if output.isRecording, !isStale {
        output.record(session.receivedEvent(kind: "liveMetrics", payload: payload, epoch: epoch, seq: seq, at: now))
      }
      take(snapshot, epoch: epoch, seq: seq, isStale: isStale, at: now, into: &output)
      return
    }
    guard !isStale else { return }
    let message = AppMessage.reading(payload)
    var line = session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq, at: now)
    if case .success(let message) = message, let word = message.runWord {
      line.fields.append(.init("workoutId", word.workoutId.traceValue))
      line.fields.append(.init("sentAt", .int(word.sentAt.nanoseconds)))
    }
    output.record(line)
    switch message {
    case .success(.probe(let probe)):
      if flags.contains(.wantsReply) {
        let answer = AppMessage.probe(Probe(number: probe.number))
        session.reply(to: seq, of: epoch, answer.encoded, at: now, into: &output)
      }
    case .success(let message): if take(message, at: now, into: &output) { output.items.append(.commit) }
    case .failure(let error):
      if setup.plants.contains(.schemaDrift) { return }
      output.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  /// A message other than a snapshot.
  ///
  /// A workout event counts once, by whichever channel it comes first.
  ///
  /// - Returns: Whether there is something to commit.
  private mutating func take(_ message: AppMessage, at now: VirtualTime, into output: inout NodeOutput) -> Bool {
    guard let word = message.runWord else {
      if takeAnswer(message, at: now, into: &output) { return false }
      refuse(message.kind.rawValue, why: "not a word to the phone", at: now, into: &output)
      return false
    }
    let outcome = consumer.receiveEvent(word, at: now, into: &output)
    carryOut(outcome.decisions, at: now, into: &output)
    keep(.consumer(consumer.record), into: &output)
    if consumer.record.start.isListening {
      hear(word.kind.text, of: word.workoutId, saysEnded: word.state == .ended, at: now, into: &output)
    }
    if setup.plants.contains(.doubleDelivery), word.kind == .workoutStarted { beginScriptAnew(into: &output) }
    return true
  }

  private mutating func takeEvent(_ entry: InboxEntry, at now: VirtualTime, into output: inout NodeOutput) {
    // Only a planted phone ever leaves an event where it is.
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
      // What the word changes, and the mark that it was handled, become durable together, or neither.
      session.markHandled(entry, into: &output)
      if output.isRecording {
        output.record(
          TraceEvent(
            "transfer.delivered", at: now, on: .phone,
            Session.transferFields(of: entry, details: message.traceDetails)))
      }
      if message.kind != .probe { _ = take(message, at: now, into: &output) }
      session.commitHandled(entry, into: &output)
    }
  }

  // MARK: The run

  private mutating func take(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, isStale: Bool, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    let seemsOld = setup.plants.contains(.clockSkew) && seemsOld(snapshot, at: now)
    let outcome = consumer.receiveSnapshot(
      snapshot, epoch: epoch, seq: seq, isDuplicateFromSession: isStale, seemsOld: seemsOld, at: now, into: &output)
    guard outcome.isFresh else { return }
    defer {
      if consumer.record.start.isListening {
        hear(
          RunWord.Kind.snapshot.text, of: snapshot.workoutId, saysEnded: snapshot.state == .ended, at: now,
          into: &output)
      }
    }
    if !outcome.decisions.isEmpty { carryOut(outcome.decisions, at: now, into: &output) }
    let looks = engine.looks
    let isNewScript = engine.isNewlyInstalled
    var isOfRun = false
    if outcome.isFreshOfRun {
      isOfRun = engine.observe(
        snapshot, epoch: epoch, sequence: seq, hour: hour.hour(clock: clock.reading(at: now)),
        isRunning: consumer.state == .running, at: now, canCommit: !isDiskFull, into: &decisions)
      if setup.hasEdge { look(at: snapshot, epoch: epoch, seq: seq, at: now) }
    }
    let isJudged = engine.looks != looks
    guard output.isKeeping || !decisions.isEmpty else { return }
    let heard = HeardSnapshot(
      epoch: epoch, seq: seq, arrivedAt: now, sentAt: snapshot.sentAt, elapsed: snapshot.elapsed,
      distance: snapshot.distance, isBelieved: outcome.isOrdinary, isOfRun: isOfRun, isJudged: isJudged)
    keep(PhoneChange.heard(heard), into: &output)
    if !outcome.isOrdinary { keep(.consumer(consumer.record), into: &output) }
    if isJudged, isNewScript || !engine.touched.isEmpty { keepPosition(isNewScript: isNewScript, into: &output) }
    if decisions.isEmpty {
      output.items.append(.commit)
    } else {
      carryOutScript(of: snapshot.workoutId, at: now, into: &output)
    }
  }

  mutating func carryOut(_ decisions: [RunDecision], at now: VirtualTime, into output: inout NodeOutput) {
    if setup.hasEdge { asks += decisions }
    if setup.syncsHealth { healthWords += decisions }
    for decision in decisions {
      switch decision {
      case .opened(let workoutId, let sentAt):
        engine.startRun()
        keep(.runOpened(row(of: workoutId, startedAt: sentAt)), into: &output)
        noteRaceRun(workoutId, into: &output)
      case .named(let workoutId, let startedAt, _): keep(.runNamed(workoutId, startedAt: startedAt), into: &output)
      case .state(let workoutId, _, .ended, _, let sentAt?):
        keep(.runEnded(workoutId, endedAt: sentAt), into: &output)
      case .finished(let workoutId, let uuid, _):
        keep(.runFinished(workoutId, healthKitWorkoutUUID: uuid), into: &output)
        if setup.remarks != RunRemarks() { keep(.runRemarked(workoutId, setup.remarks), into: &output) }
      case .tellWatchToEnd(let workoutId):
        let message = AppMessage.endWorkout(EndWorkout(workoutId: workoutId))
        session.sendMessage(message.encoded, kind: message.kind.rawValue, at: now, into: &output)
      case .state, .history, .refused: continue  // Their lines are written.
      }
    }
  }
}
