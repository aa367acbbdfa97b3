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
