import CoachProtocol
package import Link

/// The phone: live metrics, belief, script, audio, and one end of the link.
///
/// Composes machines and owns no rule of its own.
package struct PhoneNode: NodeMachine {
  /// What a phone is set up with.
  package struct Setup: Sendable {
    /// The run's seed.
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// The distance of the scenario's time zone to UTC, from the start on.
    package var utcOffsets: [WallHour.Offset]
    /// What the runner has set out to do.
    package var plan: Plan
    /// What may be said.
    package var script: Script
    /// Where the script comes from.
    package var scriptSource: ScriptSource
    /// The memory's `hr.max`; nil where nothing is known.
    package var maximumHeartRate: Int?
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span

    /// Creates a set-up.
    package init(
      seed: UInt64, startedAt: Int64, utcOffsets: [WallHour.Offset] = [], plan: Plan, script: Script,
      scriptSource: ScriptSource, maximumHeartRate: Int? = nil, replyTimeout: VirtualTime.Span = .seconds(10)
    ) {
      self.seed = seed
      self.startedAt = startedAt
      self.utcOffsets = utcOffsets
      self.plan = plan
      self.script = script
      self.scriptSource = scriptSource
      self.maximumHeartRate = maximumHeartRate
      self.replyTimeout = replyTimeout
    }
  }

  private let clock: NodeClock
  private let scriptSource: ScriptSource
  private var session: Session
  private var consumer: LiveMetricsConsumer
  private var engine: ScriptEngine
  private var audio = AudioQueue()
  private var hour: WallHour
  private var hasBegun = false
  private var deliveries: [SessionDelivery] = []
  private var decisions: [ScriptDecision] = []
  private var sounds: [AudioEffect] = []
  /// What the `appChange` items of the output stand for, since the host last took it.
  private var changes: [PhoneChange] = []

  /// Creates a phone whose app starts at the scenario's start.
  package init(_ setup: Setup, record: SessionRecord = SessionRecord()) {
    clock = NodeClock(startedAt: setup.startedAt)
    scriptSource = setup.scriptSource
    session = Session(
      Session.Configuration(
        role: .phone, replyTimeout: setup.replyTimeout, random: RandomStream(seed: setup.seed, name: "phone.session")),
      record: record)
    consumer = LiveMetricsConsumer(startedAt: .start)
    engine = ScriptEngine(
      script: setup.script, plan: setup.plan,
      maximumHeartRate: setup.maximumHeartRate ?? DerivedValues.maximumHeartRateDefault)
    hour = WallHour(startedAt: setup.startedAt, offsets: setup.utcOffsets)
  }

  package private(set) var nextDeadline: VirtualTime? = .start

  private mutating func noteDeadlines() {
    var next = consumer.nextDeadline ?? .distantFuture
    if let at = session.nextDeadline { next = min(next, at) }
    if let at = audio.nextDeadline { next = min(next, at) }
    nextDeadline = next == .distantFuture ? nil : next
  }

  package mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    if !hasBegun { begin(at: now, into: &output) }
    switch input {
    case .link(let isUp):
      session.receiveLink(
        isUp: isUp, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .frame(let frame):
      session.receive(frame, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .command(let command): carryOut(command, at: now, into: &output)
    case .condition, .page: break
    case nil: fire(at: now, into: &output)
    }
    if !deliveries.isEmpty { takeDeliveries(at: now, into: &output) }
    noteDeadlines()
  }

  private mutating func begin(at now: VirtualTime, into output: inout NodeOutput) {
    hasBegun = true
    if output.isRecording, let script = engine.script {
      output.record(script.loadedEvent(source: scriptSource, at: now))
    }
  }

  private mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = session.nextDeadline, at <= now {
      session.fire(clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    }
    if let at = consumer.nextDeadline, at <= now { consumer.fire(at: now, into: &output) }
    if let at = audio.nextDeadline, at <= now { sound(nil, at: now, into: &output) }
  }

  /// Empties the list that the output's `appChange` items point into.
  package mutating func takeChanges() -> [PhoneChange] {
    guard !changes.isEmpty else { return [] }
    defer { changes.removeAll(keepingCapacity: true) }
    return changes
  }

  private mutating func commit(_ change: PhoneChange, into output: inout NodeOutput) {
    output.items.append(.appChange(changes.count))
    output.items.append(.commit)
    changes.append(change)
  }

  // MARK: Commands

  private mutating func carryOut(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    switch command.name {
    case "mute": sound(.muted, at: now, into: &output)
    case "unmute": sound(.unmuted, at: now, into: &output)
    case "interrupt": sound(.interrupted, at: now, into: &output)
    case "interruptionEnd":
      let shouldResume = command.argument("shouldResume") == .bool(true)
      sound(.interruptionEnded(shouldResume: shouldResume), at: now, into: &output)
    default:
      output.record(
        TraceEvent(
          "command.refused", at: now, on: .phone,
          [.init("kind", .string(command.name)), .init("why", .string("the phone knows no such command"))]))
    }
  }

  private mutating func sound(_ input: AudioQueue.Input?, at now: VirtualTime, into output: inout NodeOutput) {
    audio.receive(input, at: now, into: &sounds)
    for effect in sounds {
      if case .interrupted(_, let message, _) = effect { commit(.interrupted(messageId: message), into: &output) }
      output.record(effect.event(at: now))
    }
    sounds.removeAll(keepingCapacity: true)
  }

  // MARK: Words of the watch

  private mutating func takeDeliveries(at now: VirtualTime, into output: inout NodeOutput) {
    var index = 0
    while index < deliveries.count {
      switch deliveries[index] {
      case .message(let payload, _, let epoch, let seq, let isStale):
        takeMessage(payload, epoch: epoch, seq: seq, isStale: isStale, at: now, into: &output)
      case .userInfo(let entry): takeEvent(entry, at: now, into: &output)
      case .context(let payload, let seq):
        // The watch sets no context so far; one that comes is received and has no effect.
        if case .failure(let error) = AppMessage.reading(payload) {
          output.record(
            session.undecodableEvent(
              on: .applicationContext, payload: payload, epoch: session.epoch, seq: seq, error: error.description,
              at: now))
        }
      case .file(let entry, _):
        session.setAside(entry, error: "the phone takes no files", at: now, into: &output)
      case .reply, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability, .peerStarted:
        break  // Nothing waits for these so far.
      }
      index += 1
    }
    deliveries.removeAll(keepingCapacity: true)
  }

  private mutating func takeMessage(
    _ payload: [UInt8], epoch: Epoch, seq: SequenceNumber, isStale: Bool, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    if let snapshot = LiveMetrics(encoded: payload) {
      if output.isRecording, !isStale {
        output.record(session.receivedEvent(kind: "liveMetrics", payload: payload, epoch: epoch, seq: seq, at: now))
      }
      take(snapshot, epoch: epoch, seq: seq, isStale: isStale, at: now, into: &output)
      return
    }
    guard !isStale else { return }
    let message = AppMessage.reading(payload)
    output.record(session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq, at: now))
    switch message {
    case .success(let message): take(message, at: now, into: &output)
    case .failure(let error):
      output.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  /// A message other than a snapshot.
  ///
  /// A workout event counts once, by whichever channel it comes first.
  private mutating func take(_ message: AppMessage, at now: VirtualTime, into output: inout NodeOutput) {
    guard let word = message.runWord else {
      output.record(
        TraceEvent(
          "command.refused", at: now, on: .phone,
          [.init("kind", .string(message.kind.rawValue)), .init("why", .string("not a word to the phone"))]))
      return
    }
    let outcome = consumer.receiveEvent(word, at: now, into: &output)
    carryOut(outcome.decisions, at: now, into: &output)
  }

  private mutating func takeEvent(_ entry: InboxEntry, at now: VirtualTime, into output: inout NodeOutput) {
    switch AppMessage.reading(entry.payload) {
    case .failure(let error):
      output.record(
        session.undecodableEvent(
          on: .userInfo, payload: entry.payload, epoch: session.epoch, seq: entry.seq, error: error.description,
          at: now))
      session.setAside(entry, error: error.description, at: now, into: &output)
    case .success(let message):
      // The mark and what the word changes become durable together, or neither.
      session.markHandled(entry, into: &output)
      if output.isRecording {
        output.record(
          TraceEvent(
            "transfer.delivered", at: now, on: .phone,
            Session.transferFields(
              transfer: entry.transfer, seq: entry.seq, payload: entry.payload, details: message.traceDetails)))
      }
      take(message, at: now, into: &output)
      output.items.append(.commit)
      output.items.append(.crashPoint(.handlerCommitted))
    }
  }

  // MARK: The run

  private mutating func take(
    _ snapshot: LiveMetrics, epoch: Epoch, seq: SequenceNumber, isStale: Bool, at now: VirtualTime,
    into output: inout NodeOutput
  ) {
    let outcome = consumer.receiveSnapshot(
      snapshot, epoch: epoch, seq: seq, isDuplicateFromSession: isStale, at: now, into: &output)
    if !outcome.decisions.isEmpty { carryOut(outcome.decisions, at: now, into: &output) }
    guard outcome.isFreshOfRun else { return }
    engine.observe(
      snapshot, epoch: epoch, sequence: seq, hour: hour.hour(at: now), isRunning: consumer.state == .running, at: now,
      into: &decisions)
    if !decisions.isEmpty { carryOutScript(at: now, into: &output) }
  }

  private mutating func carryOut(_ decisions: [RunDecision], at now: VirtualTime, into output: inout NodeOutput) {
    for decision in decisions {
      switch decision {
      case .opened: engine.startRun()
      case .tellWatchToEnd(let workoutId):
        let message = AppMessage.endWorkout(EndWorkout(workoutId: workoutId))
        session.sendMessage(message.encoded, kind: message.kind.rawValue, at: now, into: &output)
      case .named, .state, .history, .refused, .finished: continue  // Their lines are written.
      }
    }
  }

  private mutating func carryOutScript(at now: VirtualTime, into output: inout NodeOutput) {
    for decision in decisions {
      guard case .dispatch(let line, let words) = decision else {
        output.record(decision.event(at: now))
        continue
      }
      if let runId = consumer.workoutId {
        commit(.played(PlayedMessage(messageId: line.message, playedAt: now, runId: runId)), into: &output)
      }
      output.record(decision.event(at: now))
      sound(.dispatched(message: line.message, words: words), at: now, into: &output)
      let notice = AppMessage.companionMessageDispatched(
        CompanionMessageDispatched(
          messageId: line.message, sentAt: PhoneTime(nanoseconds: clock.reading(at: now))))
      session.sendMessage(notice.encoded, kind: notice.kind.rawValue, at: now, into: &output)
    }
    decisions.removeAll(keepingCapacity: true)
  }
}

extension PhoneNode: HostedNode {
  package typealias Record = PhoneRecord
  /// The phone has no workout of its own.
  package var isWorkoutOver: Bool { false }
}
