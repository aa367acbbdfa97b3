import CoachProtocol
import Link

/// Requests to the edge, and what the phone does with the answers.
extension PhoneNode {
  /// Starts the AI client: resends open requests and stores the initial memory.
  mutating func startAI(in turn: inout Turn) {
    let now = turn.now
    let added = memory.begin(with: setup.memory, clock: clock.reading(at: now))
    for row in added { persist(.remembered(row), in: &turn) }
    if !added.isEmpty { turn.items.append(.commit) }
    for row in added { turn.record(row.event(at: now)) }
    pauseAIInRace(in: &turn)
    updateAI(.began, in: &turn)
  }

  /// Passes an input to the client and carries out its effects.
  mutating func updateAI(_ input: AIClient.Input?, in turn: inout Turn) {
    var effects: [AIEffect] = []
    ai.receive(input, at: turn.now, into: &effects)
    for effect in effects { carryOut(effect, in: &turn) }
  }

  /// Pauses requests during a race, which must work without a network.
  private mutating func pauseAIInRace(in turn: inout Turn) {
    guard setup.mode == .race, !setup.plants.contains(.raceNoSignal) else { return }
    let isOn = consumer.state != nil && consumer.state != .ended
    updateAI(.paused(isOn), in: &turn)
  }

  /// Receives a frame of the uplink.
  mutating func receiveUplink(_ frame: Frame, in turn: inout Turn) {
    guard let response = uplink?.receive(frame, in: &turn) else { return }
    if daily?.isAwaiting(response.id) == true {
      return updateDaily(in: &turn) {
        $0.receive(status: response.status, body: response.body, $1, into: &$2)
      }
    }
    updateAI(.answered(response.id, status: response.status, body: response.body), in: &turn)
  }

  /// Handles a notice that the uplink is up or down.
  mutating func receiveUplinkNotice(isUp: Bool, in turn: inout Turn) {
    guard setup.hasEdge else { return }
    uplink?.receive(isUp: isUp, in: &turn)
    updateAI(.uplink(isUp: isUp), in: &turn)
    daily?.receive(uplinkIsUp: isUp, at: turn.now)
  }

  /// Fires due timers of uplink, client and replies.
  mutating func fireAI(in turn: inout Turn) {
    let now = turn.now
    if let at = uplink?.nextDeadline, at <= now { uplink?.fire(in: &turn) }
    if let at = ai.nextDeadline, at <= now { updateAI(nil, in: &turn) }
    // A stock line that was added just now may be spoken at once.
    scheduleReplyCheck(at: now)
    fireReplyCheck(in: &turn)
  }

  /// Requests what decisions about runs call for, and updates the next check of replies.
  mutating func finishInput(in turn: inout Turn) {
    if !requestDecisions.isEmpty {
      for decision in requestDecisions { ask(after: decision, in: &turn) }
      requestDecisions.removeAll(keepingCapacity: true)
    }
    if !otherStarts.isEmpty { otherStarts.removeAll() }
    scheduleReplyCheck(at: turn.now)
  }

  // MARK: The run

  /// Requests what a decision calls for, once the decision is carried out.
  private mutating func ask(after decision: RunDecision, in turn: inout Turn) {
    switch decision {
    case .opened(let runId, _):
      diary.startRun()
      pauseAIInRace(in: &turn)
      if !setup.coachesRunsOnly { askForScript(of: runId, in: &turn) }
    case .named(let runId, _, _) where setup.coachesRunsOnly:
      // A run that is over, or a workout of another discipline, needs no script.
      guard !otherStarts.contains(runId), consumer.workoutId == runId, consumer.state != .ended else { return }
      askForScript(of: runId, in: &turn)
    case .state(let runId, _, .ended, _, _):
      pauseAIInRace(in: &turn)
      updateAI(.runEnded(runId), in: &turn)
    case .state(_, _, .running, .command, _):
      // A run of the phone's own tracker is never `opened`.
      diary.startRun()
      pauseAIInRace(in: &turn)
    case .finished(let runId, _, _):
      // The report of a session arrives before its end.
      if setup.coachesRunsOnly, let session = training?.record.session(runId), session.discipline != .running { return }
      let isHeard = engine.evaluations > 0
      let body = Questions.summary(
        of: runId, setup, diary, memory.facts, script: engine.script,
        elapsed: isHeard ? engine.furthestElapsed : nil, distance: isHeard ? engine.furthestDistance : nil)
      updateAI(.asked(.postRunSummary, runId: runId, noteId: nil, body: body), in: &turn)
    case .state, .named, .orderWatchToEnd, .history, .refused: break
    }
  }

  private mutating func askForScript(of runId: Identifier, in turn: inout Turn) {
    guard setup.asksForScript else { return }
    let body = Questions.script(setup, diary, memory.facts)
    updateAI(.asked(.generateScript, runId: runId, noteId: nil, body: body), in: &turn)
  }

  /// Replaces the script of the run before by one without lines, until this workout is known to be a run.
  ///
  /// Part of the transaction that opens the workout: no line of the old script may be spoken in it.
  mutating func unloadScript(in turn: inout Turn) {
    let now = turn.now
    guard engine.script?.messages.isEmpty == false else { return }
    // Without a run, so that it does not count as the script made for this one.
    let script = Script(messages: [])
    engine.replaceScript(script)
    storedScript = script
    persist(.scriptStored(script, source: .fallback), in: &turn)
    persist(.scriptLoaded, in: &turn)
    turn.record(script.loadedEvent(source: .fallback, at: now))
  }

  /// Requests a reply to a note of the current run; never in a race.
  mutating func ask(about note: PendingTranscription, in turn: inout Turn) {
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
      (elapsed, distance) = (tracker.elapsed(at: turn.now), nil)
    }
    let body = Questions.reply(to: transcript, setup, diary, state: state, elapsed: elapsed, distance: distance)
    updateAI(.asked(.chatReply, runId: runId, noteId: note.noteId, body: body), in: &turn)
  }

  // MARK: Effects

  private mutating func carryOut(_ effect: AIEffect, in turn: inout Turn) {
    let now = turn.now
    switch effect {
    case .ask(let request, let old):
      commit(.asked(request, replacing: old), in: &turn)
      turn.record(request.requestedEvent(at: now))
      send(request, in: &turn)
    case .askAgain(let request): send(request, in: &turn)
    case .cached(let request, let answer):
      persist(.requestSettled(request.id), in: &turn)
      use(answer, to: request, as: AIAnsweredFromCache.self, in: &turn)
    case .answered(let request, let answer, let kept):
      persist(.requestSettled(request.id), in: &turn)
      persist(.answerCached(kept), in: &turn)
      use(answer, to: request, as: AIReplied.self, in: &turn)
    case .fellBack(let request):
      persist(.requestSettled(request.id), in: &turn)
      fallBack(request, in: &turn)
    case .late(let request, let answer, let kept):
      persist(.answerCached(kept), in: &turn)
      storeLateAnswer(answer, to: request, in: &turn)
    case .failed(let request, let why, let settled):
      fail(request, why, settled: settled, in: &turn)
    case .needsScript(let runId):
      // A script made for this run is as good as any later one.
      guard storedScript?.runId != runId.text, setup.plants.isDisjoint(with: [.script502, .raceNoSignal]) else {
        return giveUpScript(of: runId, in: &turn)
      }
      var script = setup.script
      script.runId = runId.text
      persist(.scriptStored(script, source: .fallback), in: &turn)
      load(script, from: .fallback, in: &turn)
    case .dropped(let request, let why):
      commit(.requestSettled(request.id), in: &turn)
      turn.record(request.event(AIDropped.self, at: now) { $0.why = why })
    case .forget(let id): uplink?.forget(id)
    }
  }

  private mutating func send(_ request: AIRequest, in turn: inout Turn) {
    uplink?.send(request.id, path: request.call.path, body: Array(request.body.utf8), in: &turn)
  }

  private mutating func fail(_ request: AIRequest, _ why: String, settled: Bool, in turn: inout Turn) {
    let retryAt = settled ? nil : request.retryAt
    if settled {
      commit(.requestSettled(request.id), in: &turn)
    } else if let retryAt {
      commit(.requestWaits(request.id, until: retryAt), in: &turn)
    }
    let now = turn.now
    turn.record(
      request.event(AIFailed.self, at: now) {
        $0.why = why
        $0.retryAt = retryAt?.nanoseconds
      })
  }

  // MARK: Answers

  /// Uses an answer that arrived in time; the request itself is already settled.
  private mutating func use<Kind: AnswerEvent>(
    _ answer: AIAnswer, to request: AIRequest, as kind: Kind.Type, in turn: inout Turn
  ) {
    let now = turn.now
    switch answer {
    case .script(let script):
      persist(.scriptStored(script, source: .edge), in: &turn)
      turn.record(request.event(kind, at: now))
      load(script, from: .edge, in: &turn)
    case .reply(let response):
      let reply = AIReply(
        id: request.id, noteId: noteID(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: AIReply.edgeModel)
      storeReply(reply, to: request, as: kind, in: &turn)
    case .summary(let summary): storeSummary(summary, to: request, as: kind, in: &turn)
    }
  }

  private mutating func load(_ script: Script, from source: ScriptSource, in turn: inout Turn) {
    let now = turn.now
    engine.replaceScript(script)
    storedScript = script
    // The first evaluation under this script ends the due stretches of other lines.
    commit(.scriptLoaded, in: &turn)
    turn.record(script.loadedEvent(source: source, at: now))
  }

  /// Uses a stock line instead of an answer that did not arrive in time.
  private mutating func fallBack(_ request: AIRequest, in turn: inout Turn) {
    let text = StockLines.line(
      personality: setup.personality, for: request.id, RandomStream(seed: setup.seed, name: "phone.ai.stock"))
    let reply = AIReply(
      id: request.id, noteId: noteID(of: request), text: text, requestedAt: request.requestedAt, respondedAt: nil,
      model: AIReply.stockModel)
    storeReply(reply, to: request, as: AIFellBack.self, in: &turn)
  }

  /// Stores a reply, and queues it for speaking if its run is on.
  private mutating func storeReply<Kind: AnswerEvent>(
    _ reply: AIReply, to request: AIRequest, as kind: Kind.Type, in turn: inout Turn
  ) {
    let now = turn.now
    var waiting: WaitingReply?
    // A run that is only asked for begins with an empty script, so that an answer could not wait for it.
    if consumer.record.belief.isOn, consumer.workoutId == request.runId {
      waiting = engine.add(reply: reply.id, words: SpeechLength.wordCount(in: reply.text), at: now)
      replyTexts.append((reply.id, reply.text))
    }
    diary.recordReply(to: reply.noteId, reply.text)
    commit(.replyStored(reply, waiting), in: &turn)
    turn.record(
      request.event(kind, at: now) {
        $0.answer.note = reply.noteId
        $0.answer.text = reply.text
        $0.answer.speaks = waiting != nil
      })
    turn.items.append(.crashPoint(.replyCommitted))
  }

  private mutating func storeLateAnswer(_ answer: AIAnswer, to request: AIRequest, in turn: inout Turn) {
    let now = turn.now
    var late: AIReply?
    if case .reply(let response) = answer {
      let name = Identifier(RandomStream(seed: setup.seed, name: "phone.ai.late"), for: request.id.low)
      let reply = AIReply(
        id: name, noteId: noteID(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: AIReply.edgeModel)
      persist(.replyStored(reply, nil), in: &turn)
      late = reply
    }
    turn.items.append(.commit)
    turn.record(
      request.event(AIAnsweredLate.self, at: now) {
        $0.reply = late?.id
        $0.note = late?.noteId
        $0.text = late?.text
      })
  }

  private mutating func storeSummary<Kind: AnswerEvent>(
    _ summary: PostRunSummaryResponse, to request: AIRequest, as kind: Kind.Type, in turn: inout Turn
  ) {
    let now = turn.now
    persist(.runSummarised(request.runId, summary.summaryText), in: &turn)
    diary.recordSummary(summary.summaryText)
    let outcomes = summary.extractedFacts.map { memory.learn($0, clock: clock.reading(at: now)) }
    for case .updated(let row) in outcomes { persist(.remembered(row), in: &turn) }
    turn.items.append(.commit)
    turn.record(request.event(kind, at: now) { $0.answer.text = summary.summaryText })
    for outcome in outcomes {
      switch outcome {
      case .updated(let row): turn.record(row.event(at: now))
      case .refused(let fact, let why):
        turn.record(MemoryRefused.self, on: .phone) {
          $0.kind = fact.kind.rawValue
          $0.key = fact.key
          $0.why = why
        }
      }
    }
    turn.items.append(.crashPoint(.memoryCommitted))
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
  private mutating func fireReplyCheck(in turn: inout Turn) {
    let now = turn.now
    guard let at = replyCheckAt, at <= now else { return }
    replyCheckAt = nil
    lastReplyCheck = now
    checkReplies(in: &turn)
  }

  /// Checks the replies at a fresh snapshot at which the script is not evaluated.
  mutating func checkReplies(at snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime) {
    diary.snapshot = snapshot
    guard !engine.replies.isEmpty, consumer.state == .paused || consumer.state == .preparing else { return }
    let position = ScriptEngine.RunPosition(
      epoch: epoch, sequence: seq, elapsed: snapshot.elapsed, distance: snapshot.distance)
    engine.checkReplies(position, at: now, canCommit: !isDiskFull, into: &decisions)
  }

  private mutating func checkReplies(in turn: inout Turn) {
    let now = turn.now
    guard let runId = consumer.workoutId else { return }
    engine.checkReplies(runPosition(in: runId, at: now), at: now, canCommit: !isDiskFull, into: &decisions)
    if !decisions.isEmpty { carryOutScript(of: runId, in: &turn) }
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
  mutating func recordSpoken(_ line: ScriptDecision.Line, in turn: inout Turn) {
    let now = turn.now
    if line.trigger == ScriptEngine.replyTrigger {
      settleReply(line.message, playedAt: now, in: &turn)
    } else {
      diary.recordLine(line.message, text: engine.script?.messages.first { $0.id == line.message }?.text)
    }
  }

  /// Stores a reply's outcome; `playedAt` is nil if it will never be spoken.
  mutating func settleReply(_ id: String, playedAt: VirtualTime?, in turn: inout Turn) {
    guard let id = Identifier(text: id) else { preconditionFailure("a reply's message is its name") }
    persist(.replySettled(id, playedAt: playedAt), in: &turn)
    guard let index = replyTexts.firstIndex(where: { $0.id == id }) else { return }
    let text = replyTexts.remove(at: index).text
    if playedAt != nil { diary.recordLine(id.text, text: text) }
  }
}
