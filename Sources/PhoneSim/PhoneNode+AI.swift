import CoachProtocol
import Link

/// What the coach asks the edge, and what becomes of the answers.
extension PhoneNode {
  /// Begins the client: what was awaited before a crash is sent again, and what the runner said is known.
  mutating func beginAI(at now: VirtualTime, into output: inout NodeOutput) {
    let added = memory.begin(with: setup.memory, clock: clock.reading(at: now))
    for row in added { keep(.remembered(row), into: &output) }
    if !added.isEmpty { output.items.append(.commit) }
    for row in added { output.record(row.event(at: now)) }
    hold(at: now, into: &output)
    think(.began, at: now, into: &output)
  }

  /// Lets the client take an input, and carries out what follows.
  mutating func think(_ input: AIClient.Input?, at now: VirtualTime, into output: inout NodeOutput) {
    var effects: [AIEffect] = []
    ai.receive(input, at: now, into: &effects)
    for effect in effects { carryOut(effect, at: now, into: &output) }
  }

  /// A race is run without the network.
  private mutating func hold(at now: VirtualTime, into output: inout NodeOutput) {
    guard setup.mode == .race, !setup.plants.contains(.raceNoSignal) else { return }
    let isOn = consumer.state != nil && consumer.state != .ended
    think(.held(isOn), at: now, into: &output)
  }

  /// Takes a frame of the uplink.
  mutating func take(answer frame: Frame, at now: VirtualTime, into output: inout NodeOutput) {
    guard let response = uplink?.receive(frame, at: now, into: &output) else { return }
    think(.answered(response.id, status: response.status, body: response.body), at: now, into: &output)
  }

  /// Learns that there is a way to the edge, or that there is none.
  mutating func take(uplinkIsUp isUp: Bool, at now: VirtualTime, into output: inout NodeOutput) {
    guard setup.hasEdge else { return }
    uplink?.receive(isUp: isUp, at: now, into: &output)
    think(.uplink(isUp: isUp), at: now, into: &output)
  }

  /// Does what has come due.
  mutating func fireAI(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = uplink?.nextDeadline, at <= now { uplink?.fire(at: now, into: &output) }
    if let at = ai.nextDeadline, at <= now { think(nil, at: now, into: &output) }
    // A stock line that has come just now may be said at once.
    noteReplyLook(at: now)
    fireReplyLook(at: now, into: &output)
  }

  /// Ends an input: asks what the decisions about runs call for, and works out when replies are looked at next.
  mutating func askAndLook(at now: VirtualTime, into output: inout NodeOutput) {
    if !asks.isEmpty {
      for decision in asks { ask(after: decision, at: now, into: &output) }
      asks.removeAll(keepingCapacity: true)
    }
    noteReplyLook(at: now)
  }

  // MARK: The run

  /// Asks for what a decision about the run calls for; called when it was carried out.
  private mutating func ask(after decision: RunDecision, at now: VirtualTime, into output: inout NodeOutput) {
    switch decision {
    case .opened(let runId, _):
      diary.begin()
      hold(at: now, into: &output)
      if setup.asksForScript {
        let body = Questions.script(setup, diary, memory.facts)
        think(.asked(.generateScript, runId: runId, noteId: nil, body: body), at: now, into: &output)
      }
    case .state(let runId, _, .ended, _, _):
      hold(at: now, into: &output)
      think(.runEnded(runId), at: now, into: &output)
    case .state(_, _, .running, .command, _):
      // A run under the phone's own tracker: nothing opens it.
      diary.begin()
      hold(at: now, into: &output)
    case .finished(let runId, _, _):
      let isHeard = engine.looks > 0
      let body = Questions.summary(
        of: runId, setup, diary, memory.facts, script: engine.script,
        elapsed: isHeard ? engine.furthestElapsed : nil, distance: isHeard ? engine.furthestDistance : nil)
      think(.asked(.postRunSummary, runId: runId, noteId: nil, body: body), at: now, into: &output)
    case .state, .named, .tellWatchToEnd, .history, .refused: break
    }
  }

  /// Asks for an answer to what the runner said in the run that is on; never in a race.
  mutating func ask(about note: PendingTranscription, at now: VirtualTime, into output: inout NodeOutput) {
    guard let runId = consumer.workoutId, let state = consumer.state, state != .ended, note.runId == runId else {
      return
    }
    let transcript = note.outcome == .done ? note.says ?? "" : nil
    diary.heard(note.noteId, transcript: transcript)
    guard setup.mode != .race, let transcript, SpeechLength.words(in: transcript) > 0 else { return }
    let last = engine.trail.points.last
    var (elapsed, distance) = (Double(last?.milliseconds ?? 0) / 1000, Optional(last?.distance ?? 0))
    if let tracker = consumer.record.start.tracker, tracker.isLive, tracker.runId == runId {
      // The phone knows how long its own run is on, and measures no distance.
      (elapsed, distance) = (tracker.elapsed(at: now), nil)
    }
    let body = Questions.reply(to: transcript, setup, diary, state: state, elapsed: elapsed, distance: distance)
    think(.asked(.chatReply, runId: runId, noteId: note.noteId, body: body), at: now, into: &output)
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
      keep(.askingOver(request.id), into: &output)
      take(answer, to: request, "ai.cached", at: now, into: &output)
    case .answered(let request, let answer, let kept):
      keep(.askingOver(request.id), into: &output)
      keep(.answerCached(kept), into: &output)
      take(answer, to: request, "ai.reply", at: now, into: &output)
    case .fellBack(let request):
      keep(.askingOver(request.id), into: &output)
      fallBack(request, at: now, into: &output)
    case .late(let request, let answer, let kept):
      keep(.answerCached(kept), into: &output)
      takeLate(answer, to: request, at: now, into: &output)
    case .failed(let request, let why, let settled):
      fail(request, why, settled: settled, at: now, into: &output)
    case .needsScript(let runId):
      // One that was made for this run is as good as any later one.
      guard keptScript?.runId != runId.text, setup.plants.isDisjoint(with: [.script502, .raceNoSignal]) else {
        return giveUpScript(of: runId, at: now, into: &output)
      }
      var script = setup.script
      script.runId = runId.text
      keep(.scriptKept(script, source: .fallback), into: &output)
      load(script, from: .fallback, at: now, into: &output)
    case .dropped(let request, let why):
      commit(.askingOver(request.id), into: &output)
      output.record(request.event("ai.dropped", [.init("why", .string(why))], at: now))
    case .forget(let id): uplink?.forget(id)
    }
  }

  private mutating func send(_ request: AIRequest, at now: VirtualTime, into output: inout NodeOutput) {
    uplink?.send(request.id, path: request.call.path, body: Array(request.body.utf8), at: now, into: &output)
  }

  private mutating func fail(
    _ request: AIRequest, _ why: String, settled: Bool, at now: VirtualTime, into output: inout NodeOutput
  ) {
    var fields: [TraceEvent.Field] = [.init("why", .string(why))]
    if settled {
      commit(.askingOver(request.id), into: &output)
    } else if let retryAt = request.retryAt {
      commit(.askingWaits(request.id, until: retryAt), into: &output)
      fields.append(.init("retryAt", .int(retryAt.nanoseconds)))
    }
    output.record(request.event("ai.failed", fields, at: now))
  }

  // MARK: Answers

  /// Uses an answer that came in time, from the edge or from the cache; the question's own changes are kept already.
  private mutating func take(
    _ answer: AIAnswer, to request: AIRequest, _ name: TraceEvent.Name, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    switch answer {
    case .script(let script):
      keep(.scriptKept(script, source: .edge), into: &output)
      output.record(request.event(name, at: now))
      load(script, from: .edge, at: now, into: &output)
    case .reply(let response):
      let reply = AIReply(
        id: request.id, noteId: note(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: AIReply.edgeModel)
      takeReply(reply, to: request, name, at: now, into: &output)
    case .summary(let summary): take(summary, to: request, name, at: now, into: &output)
    }
  }

  private mutating func load(
    _ script: Script, from source: ScriptSource, at now: VirtualTime, into output: inout NodeOutput
  ) {
    engine.replaceScript(script)
    keptScript = script
    // What other lines were waiting for is settled at the first look under this script.
    commit(.scriptLoaded, into: &output)
    output.record(script.loadedEvent(source: source, at: now))
  }

  /// A stock line stands in for an answer that did not come in time.
  private mutating func fallBack(_ request: AIRequest, at now: VirtualTime, into output: inout NodeOutput) {
    let text = StockLines.line(
      personality: setup.personality, for: request.id, RandomStream(seed: setup.seed, name: "phone.ai.stock"))
    let reply = AIReply(
      id: request.id, noteId: note(of: request), text: text, requestedAt: request.requestedAt, respondedAt: nil,
      model: AIReply.stockModel)
    takeReply(reply, to: request, "ai.fallback", at: now, into: &output)
  }

  /// Keeps what is answered, and lets it wait for its moment while the run is on that it was asked in.
  private mutating func takeReply(
    _ reply: AIReply, to request: AIRequest, _ name: TraceEvent.Name, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    var waiting: WaitingReply?
    if consumer.workoutId == request.runId, consumer.state != .ended {
      waiting = engine.add(reply: reply.id, words: SpeechLength.words(in: reply.text), at: now)
      replyTexts.append((reply.id, reply.text))
    }
    diary.answered(reply.noteId, with: reply.text)
    commit(.replyKept(reply, waiting), into: &output)
    let fields: [TraceEvent.Field] = [
      .init("note", reply.noteId.traceValue), .init("text", .string(reply.text)),
      .init("speaks", .bool(waiting != nil)),
    ]
    output.record(request.event(name, fields, at: now))
    output.items.append(.crashPoint(.replyCommitted))
  }

  private mutating func takeLate(
    _ answer: AIAnswer, to request: AIRequest, at now: VirtualTime, into output: inout NodeOutput
  ) {
    var fields: [TraceEvent.Field] = []
    if case .reply(let response) = answer {
      let name = Identifier(RandomStream(seed: setup.seed, name: "phone.ai.late"), for: request.id.low)
      let reply = AIReply(
        id: name, noteId: note(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: AIReply.edgeModel)
      keep(.replyKept(reply, nil), into: &output)
      fields = [
        .init("reply", name.traceValue), .init("note", reply.noteId.traceValue), .init("text", .string(reply.text)),
      ]
    }
    output.items.append(.commit)
    output.record(request.event("ai.late", fields, at: now))
  }

  private mutating func take(
    _ summary: PostRunSummaryResponse, to request: AIRequest, _ name: TraceEvent.Name, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    keep(.runSummarised(request.runId, summary.summaryText), into: &output)
    diary.summarised(summary.summaryText)
    let outcomes = summary.extractedFacts.map { memory.learn($0, clock: clock.reading(at: now)) }
    for case .updated(let row) in outcomes { keep(.remembered(row), into: &output) }
    output.items.append(.commit)
    output.record(request.event(name, [.init("text", .string(summary.summaryText))], at: now))
    for outcome in outcomes {
      switch outcome {
      case .updated(let row): output.record(row.event(at: now))
      case .refused(let fact, let why):
        output.record(
          TraceEvent(
            "memory.refused", at: now, on: .phone,
            [
              .init("kind", .string(fact.kind.rawValue)), .init("key", .string(fact.key)), .init("why", .string(why)),
            ]))
      }
    }
    output.items.append(.crashPoint(.memoryCommitted))
  }

  private func note(of request: AIRequest) -> Identifier {
    guard let noteId = request.noteId else { preconditionFailure("a reply answers a note") }
    return noteId
  }

  // MARK: Replies

  /// When replies are looked at next by the phone's timers: on a whole second, while the run is paused or nothing is heard
  /// of it.
  private mutating func noteReplyLook(at now: VirtualTime) {
    guard !engine.replies.isEmpty, consumer.state == .paused || consumer.isWatchDisconnected else {
      return replyLookAt = nil
    }
    guard replyLookAt == nil else { return }
    let second = (now.nanoseconds + 999_999_999) / 1_000_000_000
    let next = VirtualTime(nanoseconds: second * 1_000_000_000)
    replyLookAt = next == lastReplyLook ? next + .seconds(1) : next
  }

  /// Looks at the replies on a whole second.
  private mutating func fireReplyLook(at now: VirtualTime, into output: inout NodeOutput) {
    guard let at = replyLookAt, at <= now else { return }
    replyLookAt = nil
    lastReplyLook = now
    lookAtReplies(at: now, into: &output)
  }

  /// Looks at the replies with a fresh snapshot at which no line of the script is looked at.
  mutating func look(at snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime) {
    diary.snapshot = snapshot
    guard !engine.replies.isEmpty, consumer.state == .paused || consumer.state == .preparing else { return }
    let look = ScriptEngine.ReplyLook(
      epoch: epoch, sequence: seq, elapsed: snapshot.elapsed, distance: snapshot.distance)
    engine.lookAtReplies(look, at: now, canCommit: !isDiskFull, into: &decisions)
  }

  private mutating func lookAtReplies(at now: VirtualTime, into output: inout NodeOutput) {
    guard let runId = consumer.workoutId else { return }
    engine.lookAtReplies(replyLook(in: runId, at: now), at: now, canCommit: !isDiskFull, into: &decisions)
    if !decisions.isEmpty { carryOutScript(of: runId, at: now, into: &output) }
  }

  /// Where a run stands between two fresh snapshots of it, as far as that is known.
  private func replyLook(in runId: Identifier, at now: VirtualTime) -> ScriptEngine.ReplyLook {
    if let tracker = consumer.record.start.tracker, tracker.runId == runId {
      return ScriptEngine.ReplyLook(elapsed: tracker.elapsed(at: now))
    }
    let point = engine.trail.points.last
    // The last fresh snapshot may be another run's.
    guard diary.snapshot != nil || point != nil, let last = consumer.record.freshness.last else {
      return ScriptEngine.ReplyLook()
    }
    return ScriptEngine.ReplyLook(
      epoch: last.epoch, sequence: last.seq,
      elapsed: diary.snapshot?.elapsed ?? point.map { Double($0.milliseconds) / 1000 },
      distance: diary.snapshot?.distance ?? point?.distance)
  }

  /// Notes that a line, or a reply, is about to be spoken.
  mutating func noteSpoken(_ line: ScriptDecision.Line, at now: VirtualTime, into output: inout NodeOutput) {
    if line.trigger == ScriptEngine.replyTrigger {
      settleReply(line.message, playedAt: now, into: &output)
    } else {
      diary.played(line.message, text: engine.script?.messages.first { $0.id == line.message }?.text)
    }
  }

  /// Keeps what became of a reply.
  mutating func settleReply(_ id: String, playedAt: VirtualTime?, into output: inout NodeOutput) {
    guard let id = Identifier(text: id) else { preconditionFailure("a reply's message is its name") }
    keep(.replySettled(id, playedAt: playedAt), into: &output)
    guard let place = replyTexts.firstIndex(where: { $0.id == id }) else { return }
    let text = replyTexts.remove(at: place).text
    if playedAt != nil { diary.played(id.text, text: text) }
  }
}
