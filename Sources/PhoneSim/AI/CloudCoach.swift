import CoachProtocol
import Link

/// The coach in the cloud: what the phone asks it, and what follows from the answers.
///
/// Changes the script engine directly; durable changes leave in the same turn as their effects.
struct CloudCoach: Sendable {
  /// The phone in a turn, as far as the coach needs it.
  struct Moment {
    /// The reading of the phone's clock.
    var clock: Int64
    var consumer: LiveMetricsConsumer
  }

  let setup: PhoneNode.Setup
  /// Nil without an edge.
  var uplink: UplinkClient?
  private(set) var client: AIClient
  var memory: MemoryStore
  /// Context for requests to the edge.
  var diary = RunDiary()
  /// Texts of the replies that wait to be spoken.
  var replyTexts: [(id: Identifier, text: String)] = []
  /// When a timer next checks the replies; nil for never.
  var replyCheckAt: VirtualTime?
  /// When a timer last checked the replies.
  var lastReplyCheck: VirtualTime?
  /// Decisions about runs that may need requests, processed at the end of the input.
  var runDecisions: [RunDecision] = []
  /// The summary of a run that arrived in this input, for its session.
  var newSummary: (runId: Identifier, summary: PostRunSummaryResponse)?
  /// Workouts whose start named another discipline than running in this input.
  var otherStarts: [Identifier] = []

  /// Restores the coach of a phone that starts.
  ///
  /// - Parameter script: The script in force, if any.
  init(_ setup: PhoneNode.Setup, restoring app: PhoneRecord, epoch: Epoch, script: Script?) {
    self.setup = setup
    client = AIClient(seed: setup.seed, personality: setup.personality, plan: setup.plan, restoring: app.ai)
    memory = MemoryStore(seed: setup.seed, restoring: app.memory)
    guard setup.hasEdge else { return }
    uplink = UplinkClient(epoch: epoch)
    diary = RunDiary(app, script: script)
    replyTexts = app.waitingReplies.compactMap { waiting in
      app.replies.first { $0.id == waiting.id }.map { ($0.id, $0.text) }
    }
  }

  /// When a timer of uplink, client or replies is due; nil for never.
  var nextDeadline: VirtualTime? {
    var next = uplink?.nextDeadline ?? .distantFuture
    if let at = client.nextDeadline { next = min(next, at) }
    if let at = replyCheckAt { next = min(next, at) }
    return next == .distantFuture ? nil : next
  }

  /// Whether the phone believes that it has a network; true where nothing says so.
  var hasNetwork: Bool { uplink?.isReachable ?? true }

  /// Stores the initial memory, and sends open requests again.
  mutating func begin(
    at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    let added = memory.begin(with: setup.memory, clock: moment.clock)
    for row in added { changes.persist(.remembered(row), in: &turn) }
    if !added.isEmpty { turn.items.append(.commit) }
    for row in added { turn.record(row.event(at: now)) }
    pauseInRace(at: moment, &engine, &changes, in: &turn)
    receive(.began, at: moment, &engine, &changes, in: &turn)
  }

  /// Passes an input to the client and carries out its effects.
  mutating func receive(
    _ input: AIClient.Input?, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    var effects: [AIEffect] = []
    client.receive(input, at: turn.now, into: &effects)
    for effect in effects { carryOut(effect, at: moment, &engine, &changes, in: &turn) }
  }

  /// Pauses requests during a race, which must work without a network.
  mutating func pauseInRace(
    at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    guard setup.mode == .race, !setup.plants.contains(.raceNoSignal) else { return }
    receive(.paused(moment.consumer.hasRun), at: moment, &engine, &changes, in: &turn)
  }

  /// Forgets the athlete and all requests.
  mutating func wipe() {
    for request in client.record.requests { uplink?.forget(request.id) }
    client = AIClient(seed: setup.seed, personality: setup.personality, plan: setup.plan)
    memory = MemoryStore(seed: setup.seed)
    diary = RunDiary()
    replyTexts = []
  }
}

/// What the coach is asked, and when.
extension CloudCoach {
  /// Remembers a start of a workout that is no run: it needs no script.
  mutating func recordStart(_ message: AppMessage) {
    guard setup.coachesRunsOnly, case .workoutStarted(let start) = message, start.discipline ?? .running != .running
    else { return }
    otherStarts.append(start.workoutId)
  }

  /// Requests what this input's decisions about runs call for, once they are carried out.
  ///
  /// - Parameter sessions: The stored training sessions; nil if the app stores none.
  mutating func askAfterDecisions(
    at moment: Moment, sessions: TrainingRecord?, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    for decision in runDecisions {
      ask(after: decision, at: moment, sessions: sessions, &engine, &changes, in: &turn)
    }
    runDecisions.removeAll(keepingCapacity: true)
    otherStarts.removeAll()
  }

  private mutating func ask(
    after decision: RunDecision, at moment: Moment, sessions: TrainingRecord?, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    switch decision {
    case .opened(let runId, _):
      diary.startRun()
      pauseInRace(at: moment, &engine, &changes, in: &turn)
      if !setup.coachesRunsOnly { askForScript(of: runId, at: moment, &engine, &changes, in: &turn) }
    case .named(let runId, _, _) where setup.coachesRunsOnly:
      // A run that is over, or a workout of another discipline, needs no script.
      guard !otherStarts.contains(runId), moment.consumer.workoutId == runId, moment.consumer.state != .ended else {
        return
      }
      askForScript(of: runId, at: moment, &engine, &changes, in: &turn)
    case .state(let runId, _, .ended, _, _):
      pauseInRace(at: moment, &engine, &changes, in: &turn)
      receive(.runEnded(runId), at: moment, &engine, &changes, in: &turn)
    case .state(_, _, .running, .command, _):
      // A run of the phone's own tracker is never `opened`.
      diary.startRun()
      pauseInRace(at: moment, &engine, &changes, in: &turn)
    case .finished(let runId, _, _):
      // The report of a session arrives before its end.
      if setup.coachesRunsOnly, let session = sessions?.session(runId), session.discipline != .running { return }
      askForSummary(of: runId, at: moment, &engine, &changes, in: &turn)
    case .state, .named, .recorded, .discarded, .orderWatchToEnd, .history, .refused: break
    }
  }

  private mutating func askForScript(
    of runId: Identifier, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    guard setup.asksForScript else { return }
    let body = Questions.script(setup, diary, memory.facts)
    let question = AIClient.Input.asked(.generateScript, runId: runId, noteId: nil, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }

  private mutating func askForSummary(
    of runId: Identifier, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let isHeard = engine.evaluations > 0
    let body = Questions.summary(
      of: runId, setup, diary, memory.facts, script: engine.script,
      elapsed: isHeard ? engine.furthestElapsed : nil, distance: isHeard ? engine.furthestDistance : nil)
    let question = AIClient.Input.asked(.postRunSummary, runId: runId, noteId: nil, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }

  /// Requests the words of a note that the phone's own recogniser could not read; in a race, after it.
  mutating func askForTranscript(
    of note: PendingTranscription, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let body = String(
      decoding: TranscribeRequest(noteId: note.noteId, hears: note.says).bytes, as: UTF8.self)
    // A note of no run asks in the name of none.
    let question = AIClient.Input.asked(
      .transcribe, runId: note.runId ?? Identifier(high: 0, low: 0), noteId: note.noteId, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }

  /// Requests a reply to a note of the current run; never in a race.
  mutating func ask(
    about note: PendingTranscription, at moment: Moment, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let consumer = moment.consumer
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
    let question = AIClient.Input.asked(.chatReply, runId: runId, noteId: note.noteId, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }
}

/// Replies that wait to be spoken.
extension CloudCoach {
  /// Schedules the next check of replies by timer, on a whole second; none unless it is needed.
  mutating func scheduleReplyCheck(isNeeded: Bool, at now: VirtualTime) {
    guard isNeeded else { return replyCheckAt = nil }
    guard replyCheckAt == nil else { return }
    let second = (now.nanoseconds + 999_999_999) / 1_000_000_000
    let next = VirtualTime(nanoseconds: second * 1_000_000_000)
    replyCheckAt = next == lastReplyCheck ? next + .seconds(1) : next
  }

  /// Ends a due timer of the replies.
  ///
  /// - Returns: Whether the replies must be checked now.
  mutating func popReplyCheck(at now: VirtualTime) -> Bool {
    guard let at = replyCheckAt, at <= now else { return false }
    replyCheckAt = nil
    lastReplyCheck = now
    return true
  }

  /// The run's elapsed time and distance between two fresh snapshots, as far as known.
  func position(
    in runId: Identifier, _ record: ConsumerRecord, _ trail: Trail, at now: VirtualTime
  ) -> ScriptEngine.RunPosition {
    if let tracker = record.start.tracker, tracker.runId == runId {
      return ScriptEngine.RunPosition(elapsed: tracker.elapsed(at: now))
    }
    let point = trail.points.last
    // The last fresh snapshot may belong to another run.
    guard diary.snapshot != nil || point != nil, let last = record.freshness.last else {
      return ScriptEngine.RunPosition()
    }
    return ScriptEngine.RunPosition(
      epoch: last.epoch, sequence: last.seq,
      elapsed: diary.snapshot?.elapsed ?? point.map { Double($0.milliseconds) / 1000 },
      distance: diary.snapshot?.distance ?? point?.distance)
  }

  /// Records that a line or a reply is about to be spoken.
  mutating func recordSpoken(
    _ line: ScriptDecision.Line, of script: Script?, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    if line.trigger == ScriptEngine.replyTrigger {
      settleReply(line.message, playedAt: turn.now, &changes, in: &turn)
    } else {
      diary.recordLine(line.message, text: script?.messages.first { $0.id == line.message }?.text)
    }
  }

  /// Stores a reply's outcome; `playedAt` is nil if it will never be spoken.
  mutating func settleReply(
    _ id: String, playedAt: VirtualTime?, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    guard let id = Identifier(text: id) else { preconditionFailure("a reply's message is its name") }
    changes.persist(.replySettled(id, playedAt: playedAt), in: &turn)
    guard let index = replyTexts.firstIndex(where: { $0.id == id }) else { return }
    let text = replyTexts.remove(at: index).text
    if playedAt != nil { diary.recordLine(id.text, text: text) }
  }
}
