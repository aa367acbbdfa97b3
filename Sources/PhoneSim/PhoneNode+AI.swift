import CoachProtocol
import Link

/// Requests to the edge, and what the phone does with the answers.
extension PhoneNode {
  /// Starts the AI client: resends open requests and stores the initial memory.
  mutating func startAI(at now: VirtualTime, into output: inout NodeOutput) {
    let added = memory.begin(with: setup.memory, clock: clock.reading(at: now))
    for row in added { persist(.remembered(row), into: &output) }
    if !added.isEmpty { output.items.append(.commit) }
    for row in added { output.record(row.event(at: now)) }
    pauseAIInRace(at: now, into: &output)
    updateAI(.began, at: now, into: &output)
  }

  /// Passes an input to the client and carries out its effects.
  mutating func updateAI(_ input: AIClient.Input?, at now: VirtualTime, into output: inout NodeOutput) {
    var effects: [AIEffect] = []
    ai.receive(input, at: now, into: &effects)
    for effect in effects { carryOut(effect, at: now, into: &output) }
  }

  /// Pauses requests during a race, which must work without a network.
  private mutating func pauseAIInRace(at now: VirtualTime, into output: inout NodeOutput) {
    guard setup.mode == .race, !setup.plants.contains(.raceNoSignal) else { return }
    let isOn = consumer.state != nil && consumer.state != .ended
    updateAI(.paused(isOn), at: now, into: &output)
  }

  /// Receives a frame of the uplink.
  mutating func receiveUplink(_ frame: Frame, at now: VirtualTime, into output: inout NodeOutput) {
    guard let response = uplink?.receive(frame, at: now, into: &output) else { return }
    if daily?.isAwaiting(response.id) == true {
      return updateDaily(at: now, into: &output) {
        $0.receive(status: response.status, body: response.body, $1, into: &$2)
      }
    }
    updateAI(.answered(response.id, status: response.status, body: response.body), at: now, into: &output)
  }

  /// Handles a notice that the uplink is up or down.
  mutating func receiveUplinkNotice(isUp: Bool, at now: VirtualTime, into output: inout NodeOutput) {
    guard setup.hasEdge else { return }
    uplink?.receive(isUp: isUp, at: now, into: &output)
    updateAI(.uplink(isUp: isUp), at: now, into: &output)
    daily?.receive(uplinkIsUp: isUp, at: now)
  }

  /// Fires due timers of uplink, client and replies.
  mutating func fireAI(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = uplink?.nextDeadline, at <= now { uplink?.fire(at: now, into: &output) }
    if let at = ai.nextDeadline, at <= now { updateAI(nil, at: now, into: &output) }
    // A stock line that was added just now may be spoken at once.
    scheduleReplyCheck(at: now)
    fireReplyCheck(at: now, into: &output)
  }

  /// Requests what decisions about runs call for, and updates the next check of replies.
  mutating func finishInput(at now: VirtualTime, into output: inout NodeOutput) {
    if !requestDecisions.isEmpty {
      for decision in requestDecisions { ask(after: decision, at: now, into: &output) }
      requestDecisions.removeAll(keepingCapacity: true)
    }
    if !otherStarts.isEmpty { otherStarts.removeAll() }
    scheduleReplyCheck(at: now)
  }

  // MARK: The run

  /// Requests what a decision calls for, once the decision is carried out.
  private mutating func ask(after decision: RunDecision, at now: VirtualTime, into output: inout NodeOutput) {
    switch decision {
    case .opened(let runId, _):
      diary.startRun()
      pauseAIInRace(at: now, into: &output)
      if !setup.coachesRunsOnly { askForScript(of: runId, at: now, into: &output) }
    case .named(let runId, _, _) where setup.coachesRunsOnly:
      // A run that is over, or a workout of another discipline, needs no script.
      guard !otherStarts.contains(runId), consumer.workoutId == runId, consumer.state != .ended else { return }
      askForScript(of: runId, at: now, into: &output)
    case .state(let runId, _, .ended, _, _):
      pauseAIInRace(at: now, into: &output)
      updateAI(.runEnded(runId), at: now, into: &output)
    case .state(_, _, .running, .command, _):
      // A run of the phone's own tracker is never `opened`.
      diary.startRun()
      pauseAIInRace(at: now, into: &output)
    case .finished(let runId, _, _):
      // The report of a session arrives before its end.
      if setup.coachesRunsOnly, let session = training?.record.session(runId), session.discipline != .running { return }
      let isHeard = engine.evaluations > 0
      let body = Questions.summary(
        of: runId, setup, diary, memory.facts, script: engine.script,
        elapsed: isHeard ? engine.furthestElapsed : nil, distance: isHeard ? engine.furthestDistance : nil)
      updateAI(.asked(.postRunSummary, runId: runId, noteId: nil, body: body), at: now, into: &output)
    case .state, .named, .orderWatchToEnd, .history, .refused: break
    }
  }

  private mutating func askForScript(of runId: Identifier, at now: VirtualTime, into output: inout NodeOutput) {
    guard setup.asksForScript else { return }
    let body = Questions.script(setup, diary, memory.facts)
    updateAI(.asked(.generateScript, runId: runId, noteId: nil, body: body), at: now, into: &output)
  }

  /// Replaces the script of the run before by one without lines, until this workout is known to be a run.
  ///
  /// Part of the transaction that opens the workout: no line of the old script may be spoken in it.
  mutating func unloadScript(at now: VirtualTime, into output: inout NodeOutput) {
    guard engine.script?.messages.isEmpty == false else { return }
    // Without a run, so that it does not count as the script made for this one.
    let script = Script(messages: [])
    engine.replaceScript(script)
    storedScript = script
    persist(.scriptStored(script, source: .fallback), into: &output)
    persist(.scriptLoaded, into: &output)
    output.record(script.loadedEvent(source: .fallback, at: now))
  }

  /// Requests a reply to a note of the current run; never in a race.
  mutating func ask(about note: PendingTranscription, at now: VirtualTime, into output: inout NodeOutput) {
    guard let runId = consumer.workoutId, let state = consumer.state, state != .ended, note.runId == runId else {
      return
    }
    let transcript = note.outcome == .done ? note.says ?? "" : nil
    diary.recordNote(note.noteId, transcript: transcript)
    guard setup.mode != .race, let transcript, SpeechLength.wordCount(in: transcript) > 0 else { return }
    let last = engine.trail.points.last
    var (elapsed, distance) = (Double(last?.milliseconds ?? 0) / 1000, Optional(last?.distance ?? 0))
    if let tracker = consumer.record.start.tracker, tracker.isLive, tracker.runId == runId {
      // The phone knows its own run's duration but measures no distance.
      (elapsed, distance) = (tracker.elapsed(at: now), nil)
    }
    let body = Questions.reply(to: transcript, setup, diary, state: state, elapsed: elapsed, distance: distance)
    updateAI(.asked(.chatReply, runId: runId, noteId: note.noteId, body: body), at: now, into: &output)
  }

  // MARK: Effects

  private mutating func carryOut(_ effect: AIEffect, at now: VirtualTime, into output: inout NodeOutput) {
    switch effect {
    case .ask(let request, let old):
      commit(.asked(request, replacing: old), into: &output)
      output.record(request.requestedEvent(at: now))
      send(request, at: now, into: &output)
    case .askAgain(let request): send(request, at: now, into: &output)
    case .cached(let request, let answer):
      persist(.requestSettled(request.id), into: &output)
      use(answer, to: request, as: AIAnsweredFromCache.self, at: now, into: &output)
    case .answered(let request, let answer, let kept):
      persist(.requestSettled(request.id), into: &output)
      persist(.answerCached(kept), into: &output)
      use(answer, to: request, as: AIReplied.self, at: now, into: &output)
    case .fellBack(let request):
      persist(.requestSettled(request.id), into: &output)
      fallBack(request, at: now, into: &output)
    case .late(let request, let answer, let kept):
      persist(.answerCached(kept), into: &output)
      storeLateAnswer(answer, to: request, at: now, into: &output)
    case .failed(let request, let why, let settled):
      fail(request, why, settled: settled, at: now, into: &output)
    case .needsScript(let runId):
      // A script made for this run is as good as any later one.
      guard storedScript?.runId != runId.text, setup.plants.isDisjoint(with: [.script502, .raceNoSignal]) else {
        return giveUpScript(of: runId, at: now, into: &output)
      }
      var script = setup.script
      script.runId = runId.text
      persist(.scriptStored(script, source: .fallback), into: &output)
      load(script, from: .fallback, at: now, into: &output)
    case .dropped(let request, let why):
      commit(.requestSettled(request.id), into: &output)
      output.record(request.event(AIDropped.self, at: now) { $0.why = why })
    case .forget(let id): uplink?.forget(id)
    }
  }

  private mutating func send(_ request: AIRequest, at now: VirtualTime, into output: inout NodeOutput) {
    uplink?.send(request.id, path: request.call.path, body: Array(request.body.utf8), at: now, into: &output)
  }

  private mutating func fail(
    _ request: AIRequest, _ why: String, settled: Bool, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let retryAt = settled ? nil : request.retryAt
    if settled {
      commit(.requestSettled(request.id), into: &output)
    } else if let retryAt {
      commit(.requestWaits(request.id, until: retryAt), into: &output)
    }
    output.record(
      request.event(AIFailed.self, at: now) {
        $0.why = why
        $0.retryAt = retryAt?.nanoseconds
      })
  }

  // MARK: Answers

  /// Uses an answer that arrived in time; the request itself is already settled.
  private mutating func use<Kind: AnswerEvent>(
    _ answer: AIAnswer, to request: AIRequest, as kind: Kind.Type, at now: VirtualTime, into output: inout NodeOutput
  ) {
    switch answer {
    case .script(let script):
      persist(.scriptStored(script, source: .edge), into: &output)
      output.record(request.event(kind, at: now))
      load(script, from: .edge, at: now, into: &output)
    case .reply(let response):
      let reply = AIReply(
        id: request.id, noteId: noteID(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: AIReply.edgeModel)
      storeReply(reply, to: request, as: kind, at: now, into: &output)
    case .summary(let summary): storeSummary(summary, to: request, as: kind, at: now, into: &output)
    }
  }

  private mutating func load(
    _ script: Script, from source: ScriptSource, at now: VirtualTime, into output: inout NodeOutput
  ) {
    engine.replaceScript(script)
    storedScript = script
    // The first evaluation under this script ends the due stretches of other lines.
    commit(.scriptLoaded, into: &output)
    output.record(script.loadedEvent(source: source, at: now))
  }

  /// Uses a stock line instead of an answer that did not arrive in time.
  private mutating func fallBack(_ request: AIRequest, at now: VirtualTime, into output: inout NodeOutput) {
    let text = StockLines.line(
      personality: setup.personality, for: request.id, RandomStream(seed: setup.seed, name: "phone.ai.stock"))
    let reply = AIReply(
      id: request.id, noteId: noteID(of: request), text: text, requestedAt: request.requestedAt, respondedAt: nil,
      model: AIReply.stockModel)
    storeReply(reply, to: request, as: AIFellBack.self, at: now, into: &output)
  }

  /// Stores a reply, and queues it for speaking if its run is on.
  private mutating func storeReply<Kind: AnswerEvent>(
    _ reply: AIReply, to request: AIRequest, as kind: Kind.Type, at now: VirtualTime, into output: inout NodeOutput
  ) {
    var waiting: WaitingReply?
    // A run that is only asked for begins with an empty script, so that an answer could not wait for it.
    if consumer.record.belief.isOn, consumer.workoutId == request.runId {
      waiting = engine.add(reply: reply.id, words: SpeechLength.wordCount(in: reply.text), at: now)
      replyTexts.append((reply.id, reply.text))
    }
    diary.recordReply(to: reply.noteId, reply.text)
    commit(.replyStored(reply, waiting), into: &output)
    output.record(
      request.event(kind, at: now) {
        $0.answer.note = reply.noteId
        $0.answer.text = reply.text
        $0.answer.speaks = waiting != nil
      })
    output.items.append(.crashPoint(.replyCommitted))
  }

  private mutating func storeLateAnswer(
    _ answer: AIAnswer, to request: AIRequest, at now: VirtualTime, into output: inout NodeOutput
  ) {
    var late: AIReply?
    if case .reply(let response) = answer {
      let name = Identifier(RandomStream(seed: setup.seed, name: "phone.ai.late"), for: request.id.low)
      let reply = AIReply(
        id: name, noteId: noteID(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: AIReply.edgeModel)
      persist(.replyStored(reply, nil), into: &output)
      late = reply
    }
    output.items.append(.commit)
    output.record(
      request.event(AIAnsweredLate.self, at: now) {
        $0.reply = late?.id
        $0.note = late?.noteId
        $0.text = late?.text
      })
  }

  private mutating func storeSummary<Kind: AnswerEvent>(
    _ summary: PostRunSummaryResponse, to request: AIRequest, as kind: Kind.Type, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    persist(.runSummarised(request.runId, summary.summaryText), into: &output)
    diary.recordSummary(summary.summaryText)
    let outcomes = summary.extractedFacts.map { memory.learn($0, clock: clock.reading(at: now)) }
    for case .updated(let row) in outcomes { persist(.remembered(row), into: &output) }
    output.items.append(.commit)
    output.record(request.event(kind, at: now) { $0.answer.text = summary.summaryText })
    for outcome in outcomes {
      switch outcome {
      case .updated(let row): output.record(row.event(at: now))
      case .refused(let fact, let why):
        output.record(MemoryRefused.self, at: now, on: .phone) {
          $0.kind = fact.kind.rawValue
          $0.key = fact.key
          $0.why = why
        }
      }
    }
    output.items.append(.crashPoint(.memoryCommitted))
  }

  private func noteID(of request: AIRequest) -> Identifier {
    guard let noteId = request.noteId else { preconditionFailure("a reply answers a note") }
    return noteId
  }

  // MARK: Replies

  /// Schedules the next check of replies by timer: on a whole second, while the run is paused or the watch is silent.
  private mutating func scheduleReplyCheck(at now: VirtualTime) {
    guard !engine.replies.isEmpty, consumer.state == .paused || consumer.isWatchDisconnected else {
      return replyCheckAt = nil
    }
    guard replyCheckAt == nil else { return }
    let second = (now.nanoseconds + 999_999_999) / 1_000_000_000
    let next = VirtualTime(nanoseconds: second * 1_000_000_000)
    replyCheckAt = next == lastReplyCheck ? next + .seconds(1) : next
  }

  /// Checks the replies if their timer is due.
  private mutating func fireReplyCheck(at now: VirtualTime, into output: inout NodeOutput) {
    guard let at = replyCheckAt, at <= now else { return }
    replyCheckAt = nil
    lastReplyCheck = now
    checkReplies(at: now, into: &output)
  }

  /// Checks the replies at a fresh snapshot at which the script is not evaluated.
  mutating func checkReplies(at snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime) {
    diary.snapshot = snapshot
    guard !engine.replies.isEmpty, consumer.state == .paused || consumer.state == .preparing else { return }
    let position = ScriptEngine.RunPosition(
      epoch: epoch, sequence: seq, elapsed: snapshot.elapsed, distance: snapshot.distance)
    engine.checkReplies(position, at: now, canCommit: !isDiskFull, into: &decisions)
  }

  private mutating func checkReplies(at now: VirtualTime, into output: inout NodeOutput) {
    guard let runId = consumer.workoutId else { return }
    engine.checkReplies(runPosition(in: runId, at: now), at: now, canCommit: !isDiskFull, into: &decisions)
    if !decisions.isEmpty { carryOutScript(of: runId, at: now, into: &output) }
  }

  /// The run's elapsed time and distance between two fresh snapshots, as far as known.
  private func runPosition(in runId: Identifier, at now: VirtualTime) -> ScriptEngine.RunPosition {
    if let tracker = consumer.record.start.tracker, tracker.runId == runId {
      return ScriptEngine.RunPosition(elapsed: tracker.elapsed(at: now))
    }
    let point = engine.trail.points.last
    // The last fresh snapshot may belong to another run.
    guard diary.snapshot != nil || point != nil, let last = consumer.record.freshness.last else {
      return ScriptEngine.RunPosition()
    }
    return ScriptEngine.RunPosition(
      epoch: last.epoch, sequence: last.seq,
      elapsed: diary.snapshot?.elapsed ?? point.map { Double($0.milliseconds) / 1000 },
      distance: diary.snapshot?.distance ?? point?.distance)
  }

  /// Records that a line or a reply is about to be spoken.
  mutating func recordSpoken(_ line: ScriptDecision.Line, at now: VirtualTime, into output: inout NodeOutput) {
    if line.trigger == ScriptEngine.replyTrigger {
      settleReply(line.message, playedAt: now, into: &output)
    } else {
      diary.recordLine(line.message, text: engine.script?.messages.first { $0.id == line.message }?.text)
    }
  }

  /// Stores a reply's outcome; `playedAt` is nil if it will never be spoken.
  mutating func settleReply(_ id: String, playedAt: VirtualTime?, into output: inout NodeOutput) {
    guard let id = Identifier(text: id) else { preconditionFailure("a reply's message is its name") }
    persist(.replySettled(id, playedAt: playedAt), into: &output)
    guard let index = replyTexts.firstIndex(where: { $0.id == id }) else { return }
    let text = replyTexts.remove(at: index).text
    if playedAt != nil { diary.recordLine(id.text, text: text) }
  }
}
