import CoachProtocol
import Link

/// What follows from the client's effects and the coach's answers.
extension CloudCoach {
  mutating func carryOut(
    _ effect: AIEffect, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let now = turn.now
    switch effect {
    case .ask(let request, let old):
      changes.commit(.asked(request, replacing: old), in: &turn)
      turn.record(request.requestedEvent(at: now))
      send(request, in: &turn)
    case .wait(let request): changes.commit(.asked(request, replacing: nil), in: &turn)
    case .askAgain(let request): send(request, in: &turn)
    case .cached(let request, let answer):
      changes.persist(.requestSettled(request.id), in: &turn)
      use(answer, to: request, as: AIAnsweredFromCache.self, at: moment, &engine, &changes, in: &turn)
    case .answered(let request, let answer, let kept):
      changes.persist(.requestSettled(request.id), in: &turn)
      changes.persist(.answerCached(kept), in: &turn)
      use(answer, to: request, as: AIReplied.self, at: moment, &engine, &changes, in: &turn)
    case .fellBack(let request):
      changes.persist(.requestSettled(request.id), in: &turn)
      fallBack(request, at: moment, &engine, &changes, in: &turn)
    case .late(let request, let answer, let kept):
      changes.persist(.answerCached(kept), in: &turn)
      storeLateAnswer(answer, to: request, &changes, in: &turn)
    case .failed(let request, let why, let settled): fail(request, why, settled: settled, &changes, in: &turn)
    case .needsScript(let runId):
      // A script made for this run is as good as any later one.
      guard engine.script?.runId != runId.text, !setup.plants.contains(.script502),
        !setup.plants.contains(.raceNoSignal)
      else {
        return giveUpScript(of: runId, at: moment, &engine, &changes, in: &turn)
      }
      var script = setup.script
      script.runId = runId.text
      changes.persist(.scriptStored(script, source: .fallback), in: &turn)
      load(script, from: .fallback, &engine, &changes, in: &turn)
    case .dropped(let request, let why):
      changes.commit(.requestSettled(request.id), in: &turn)
      turn.record(request.event(AIDropped.self, at: now) { $0.why = why })
    case .forget(let id): uplink?.forget(id)
    }
  }

  private mutating func send(_ request: AIRequest, in turn: inout Turn) {
    uplink?.send(request.id, path: request.call.path, body: Array(request.body.utf8), in: &turn)
  }

  private func fail(
    _ request: AIRequest, _ why: String, settled: Bool, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    let retryAt = settled ? nil : request.retryAt
    if settled {
      changes.commit(.requestSettled(request.id), in: &turn)
    } else if let retryAt {
      changes.commit(.requestWaits(request.id, until: retryAt), in: &turn)
    }
    turn.record(
      request.event(AIFailed.self, at: now) {
        $0.why = why
        $0.retryAt = retryAt?.nanoseconds
      })
  }

  /// Uses an answer that arrived in time; the request itself is already settled.
  private mutating func use<Kind: AnswerEvent>(
    _ answer: AIAnswer, to request: AIRequest, as kind: Kind.Type, at moment: Moment, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    switch answer {
    case .script(let script):
      changes.persist(.scriptStored(script, source: .edge), in: &turn)
      turn.record(request.event(kind, at: now))
      load(script, from: .edge, &engine, &changes, in: &turn)
    case .reply(let response):
      // What the phone has kept costs nothing again.
      let isCached = kind == AIAnsweredFromCache.self
      let reply = AIReply(
        id: request.id, noteId: noteID(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: response.usage?.model ?? AIReply.edgeModel,
        costUSD: response.usage.map { isCached ? 0 : $0.costUsd })
      storeReply(reply, to: request, as: kind, at: moment, &engine, &changes, in: &turn)
    case .transcript(let response):
      storeTranscript(response.transcript, of: request, as: kind, at: moment, &engine, &changes, in: &turn)
    case .summary(let summary): storeSummary(summary, to: request, as: kind, at: moment, &changes, in: &turn)
    }
  }

  // MARK: Scripts

  private func load(
    _ script: Script, from source: ScriptSource, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let now = turn.now
    engine.replaceScript(script)
    // The first evaluation under this script ends the due stretches of other lines.
    changes.commit(.scriptLoaded, in: &turn)
    turn.record(script.loadedEvent(source: source, at: now))
  }

  /// Replaces the script of the run before by one without lines, until this workout is known to be a run.
  ///
  /// No effect unless the scenario has workouts of other disciplines.
  /// Part of the transaction that opens the workout: no line of the old script may be spoken in it.
  func unloadScript(_ engine: inout ScriptEngine, _ changes: inout [PhoneChange], in turn: inout Turn) {
    let now = turn.now
    guard setup.coachesRunsOnly, engine.script?.messages.isEmpty == false else { return }
    // Without a run, so that it does not count as the script made for this one.
    let script = Script(messages: [])
    engine.replaceScript(script)
    changes.persist(.scriptStored(script, source: .fallback), in: &turn)
    changes.persist(.scriptLoaded, in: &turn)
    turn.record(script.loadedEvent(source: .fallback, at: now))
  }

  // MARK: Replies

  /// Uses a stock line instead of an answer that did not arrive in time.
  private mutating func fallBack(
    _ request: AIRequest, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let text = StockLines.line(
      personality: setup.personality, for: request.id, RandomStream(seed: setup.seed, name: "phone.ai.stock"))
    let reply = AIReply(
      id: request.id, noteId: noteID(of: request), text: text, requestedAt: request.requestedAt, respondedAt: nil,
      model: AIReply.stockModel)
    storeReply(reply, to: request, as: AIFellBack.self, at: moment, &engine, &changes, in: &turn)
  }

  /// Stores a reply, and queues it for speaking if its run is on.
  private mutating func storeReply<Kind: AnswerEvent>(
    _ reply: AIReply, to request: AIRequest, as kind: Kind.Type, at moment: Moment, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    var waiting: WaitingReply?
    // A run that is only asked for begins with an empty script, so that an answer could not wait for it.
    if moment.consumer.record.belief.isOn, moment.consumer.workoutId == request.runId {
      waiting = engine.add(reply: reply.id, words: SpeechLength.wordCount(in: reply.text), at: now)
      replyTexts.append((reply.id, reply.text))
    }
    diary.recordReply(to: reply.noteId, reply.text)
    changes.commit(.replyStored(reply, waiting), in: &turn)
    turn.record(
      request.event(kind, at: now) {
        $0.answer.note = reply.noteId
        $0.answer.text = reply.text
        $0.answer.speaks = waiting != nil
        $0.answer.costUsd = reply.costUSD
      })
    turn.items.append(.crashPoint(.replyCommitted))
  }

  private func storeLateAnswer(
    _ answer: AIAnswer, to request: AIRequest, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    var late: AIReply?
    if case .reply(let response) = answer {
      let name = Identifier(RandomStream(seed: setup.seed, name: "phone.ai.late"), for: request.id.low)
      let reply = AIReply(
        id: name, noteId: noteID(of: request), text: response.replyText, requestedAt: request.requestedAt,
        respondedAt: now, model: response.usage?.model ?? AIReply.edgeModel, costUSD: response.usage?.costUsd)
      changes.persist(.replyStored(reply, nil), in: &turn)
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

  private func noteID(of request: AIRequest) -> Identifier {
    guard let noteId = request.noteId else { preconditionFailure("a \(request.call.rawValue) is about a note") }
    return noteId
  }

  // MARK: Transcripts

  /// Stores what the cloud read in a note; with words and while its run is on, the coach replies to it.
  private mutating func storeTranscript<Kind: AnswerEvent>(
    _ transcript: String, of request: AIRequest, as kind: Kind.Type, at moment: Moment, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let (now, note) = (turn.now, noteID(of: request))
    changes.commit(.noteTranscribed(note, .done, transcript: transcript), in: &turn)
    turn.record(request.event(kind, at: now) { ($0.answer.note, $0.answer.text) = (note, transcript) })
    turn.record(VoiceTranscribed.self, on: .phone) {
      ($0.note, $0.status, $0.transcript, $0.by) = (note, .done, transcript, .cloud)
    }
    let read = PendingTranscription(noteId: note, runId: request.runId, says: transcript, outcome: .done)
    ask(about: read, at: moment, &engine, &changes, in: &turn)
  }

  // MARK: Summaries

  private mutating func storeSummary<Kind: AnswerEvent>(
    _ summary: PostRunSummaryResponse, to request: AIRequest, as kind: Kind.Type, at moment: Moment,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    changes.persist(.runSummarised(request.runId, summary.summaryText), in: &turn)
    diary.recordSummary(summary.summaryText)
    newSummary = (request.runId, summary)
    let outcomes = summary.extractedFacts.map { memory.learn($0, clock: moment.clock) }
    for case .updated(let row) in outcomes { changes.persist(.remembered(row), in: &turn) }
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
}
