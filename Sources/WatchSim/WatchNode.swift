import CoachProtocol
package import Link

/// The watch: a workout host, its health store, and one end of the link.
///
/// Composes machines and owns no rule of its own.
package struct WatchNode: NodeMachine {
  /// What a watch is set up with.
  package struct Setup: Sendable {
    /// The run's seed.
    package var seed: UInt64
    /// Nanoseconds since 1970 at the scenario's start.
    package var startedAt: Int64
    /// Where the run comes from.
    package var source: AnyMotionSource
    /// When the watch begins a workout by itself; nil when the phone starts it.
    package var startsAt: VirtualTime?
    /// How long `preparing` takes.
    package var preparing: VirtualTime.Span
    /// How long a message waits for its reply.
    package var replyTimeout: VirtualTime.Span

    /// Creates a set-up.
    package init(
      seed: UInt64, startedAt: Int64, source: AnyMotionSource, startsAt: VirtualTime? = .start,
      preparing: VirtualTime.Span = .seconds(3), replyTimeout: VirtualTime.Span = .seconds(10)
    ) {
      self.seed = seed
      self.startedAt = startedAt
      self.source = source
      self.startsAt = startsAt
      self.preparing = preparing
      self.replyTimeout = replyTimeout
    }
  }

  private let setup: Setup
  private let clock: NodeClock
  private var session: Session
  private var host: WorkoutHost?
  private var startsAt: VirtualTime?
  private var sentAt = SentAtClock()
  private var handshake = StartHandshake()
  /// What the watch has saved for good.
  package private(set) var health = HealthStore()
  /// The watch's clock minus the phone's, as the phone's hello told it.
  private var clockDifference: VirtualTime.Span?
  private var hostEffects: [HostEffect] = []
  private var deliveries: [SessionDelivery] = []

  /// Creates a watch whose app starts now.
  package init(_ setup: Setup, record: SessionRecord = SessionRecord()) {
    self.setup = setup
    clock = NodeClock(startedAt: setup.startedAt)
    session = Session(
      Session.Configuration(
        role: .watch, replyTimeout: setup.replyTimeout, random: RandomStream(seed: setup.seed, name: "watch.session")),
      record: record)
    startsAt = setup.startsAt
    noteDeadlines()
  }

  /// Whether a workout was on and has ended.
  package private(set) var isWorkoutOver = false
  package private(set) var nextDeadline: VirtualTime?
  /// The host's deadline: kept beside it, because reading it through an optional copies the whole host.
  private var hostDeadline: VirtualTime?

  private mutating func noteDeadlines() {
    var next = hostDeadline ?? .distantFuture
    if let at = session.nextDeadline { next = min(next, at) }
    if let at = startsAt { next = min(next, at) }
    nextDeadline = next == .distantFuture ? nil : next
  }

  /// Notes what of the host is looked at from outside; after every call that changes it.
  private mutating func noteHost() {
    hostDeadline = host?.nextDeadline
    isWorkoutOver = host?.state == .ended && startsAt == nil
  }

  package mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    switch input {
    case .link(let isUp):
      session.receiveLink(
        isUp: isUp, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .frame(let frame):
      session.receive(frame, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    case .command(let command):
      carryOut(command, at: now, into: &output)
    case .condition, .page: break
    case nil:
      fire(at: now, into: &output)
    }
    if !deliveries.isEmpty { takeDeliveries(at: now, into: &output) }
    noteDeadlines()
  }

  private mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {
    if let at = session.nextDeadline, at <= now {
      session.fire(clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    }
    if let at = startsAt, at <= now {
      startsAt = nil
      if host == nil || host?.state == .ended {
        let id = Identifier(RandomStream(seed: setup.seed, name: "watch.workout"), for: 1)
        begin(id, cause: .scenario, at: now)
      }
    }
    if let at = hostDeadline, at <= now {
      host?.fire(
        at: now, watchClock: WatchTime(nanoseconds: clock.reading(at: now)), sentAt: &sentAt, into: &hostEffects)
      carryOutHostEffects(at: now, into: &output)
    }
  }

  private mutating func begin(_ workoutId: Identifier, cause: WorkoutCause, at now: VirtualTime) {
    host = WorkoutHost(
      workoutId: workoutId, at: now, preparing: setup.preparing, source: setup.source, cause: cause, seed: setup.seed)
    noteHost()
  }

  // MARK: Commands

  private mutating func carryOut(_ command: NodeCommand, at now: VirtualTime, into output: inout NodeOutput) {
    let cause: WorkoutCause = command.argument("cause") == .string("duration") ? .duration : .scenario
    guard host != nil else {
      // A run that is over before its workout began: it begins no more.
      if command.name == "end" { startsAt = nil }
      return refuse(command.name, why: "no workout is on", at: now, into: &output)
    }
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    switch command.name {
    case "pause": host?.pause(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    case "resume": host?.resume(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    case "end": host?.end(cause: cause, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
    default: refuse(command.name, why: "the watch knows no such command", at: now, into: &output)
    }
    carryOutHostEffects(at: now, into: &output)
  }

  private func refuse(_ kind: String, why: String, at now: VirtualTime, into output: inout NodeOutput) {
    output.record(
      TraceEvent("command.refused", at: now, on: .watch, [.init("kind", .string(kind)), .init("why", .string(why))]))
  }

  // MARK: The workout's orders

  private mutating func carryOutHostEffects(at now: VirtualTime, into output: inout NodeOutput) {
    for index in hostEffects.indices {
      switch hostEffects[index] {
      case .publish(let snapshot): publish(snapshot, at: now, into: &output)
      case .announce(let event): announce(event, at: now, into: &output)
      case .stateChanged(let from, let to, let cause):
        guard output.isRecording, let host else { continue }
        output.record(
          TraceEvent(
            "workout.state", at: now, on: .watch,
            [
              .init("workoutId", host.workoutId.traceValue),
              .init("from", from.map { .string($0.text) } ?? .null), .init("to", .string(to.text)),
              .init("cause", .string(cause.text)),
            ]))
      case .finished(let workout):
        if health.save(workout) {
          output.record(TraceEvent("health.saved", at: now, on: .watch, workout.traceFields))
        }
        handshake.noteEnded(workout.workoutId)
      case .discarded(let workoutId): handshake.noteEnded(workoutId)
      case .refused(let command, let why): refuse(command, why: why, at: now, into: &output)
      }
    }
    hostEffects.removeAll(keepingCapacity: true)
    noteHost()
  }

  private mutating func publish(_ snapshot: LiveMetrics, at now: VirtualTime, into output: inout NodeOutput) {
    if output.isRecording {
      var fields: [TraceEvent.Field] = []
      fields.reserveCapacity(13)
      fields.append(.init("epoch", .int(Int64(session.epoch.rawValue))))
      fields.append(.init("seq", .int(Int64(session.nextMessage.rawValue))))
      snapshot.appendTraceFields(to: &fields)
      output.record(TraceEvent("snapshot", at: now, on: .watch, fields))
    }
    session.sendMessage(snapshot.encoded, kind: "liveMetrics", at: now, into: &output)
  }

  private mutating func announce(_ event: AppMessage, at now: VirtualTime, into output: inout NodeOutput) {
    do {
      try session.transferUserInfo(event.encoded, details: event.traceDetails, at: now, into: &output)
    } catch {
      preconditionFailure("an event of \(event.encoded.count) bytes was refused: \(error)")
    }
  }

  // MARK: Words of the phone

  private mutating func takeDeliveries(at now: VirtualTime, into output: inout NodeOutput) {
    var index = 0
    while index < deliveries.count {
      let delivery = deliveries[index]
      index += 1
      switch delivery {
      case .message(let payload, _, let epoch, let seq, let isStale):
        if !isStale { takeMessage(payload, epoch: epoch, seq: seq, at: now, into: &output) }
      case .context(let payload, let seq):
        if let message = decode(payload, on: .applicationContext, epoch: session.epoch, seq: seq, at: now, &output) {
          obey(message, at: now, into: &output)
        }
      case .userInfo(let entry):
        // The phone queues nothing for the watch so far: whatever comes is set aside, and the queue goes on.
        session.setAside(entry, error: "the watch takes no queued events", at: now, into: &output)
      case .peerStarted(_, let difference): clockDifference = VirtualTime.Span(nanoseconds: -difference)
      case .file(let entry, _):
        session.setAside(entry, error: "the watch takes no files", at: now, into: &output)
      case .reply, .failed, .finished, .transferFailed, .transferCancelled, .progress, .reachability:
        continue  // The watch waits for none of these.
      }
    }
    deliveries.removeAll(keepingCapacity: true)
  }

  private mutating func takeMessage(
    _ payload: [UInt8], epoch: Epoch, seq: SequenceNumber, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let message = AppMessage.reading(payload)
    output.record(
      session.receivedEvent(kind: message.kindText, payload: payload, epoch: epoch, seq: seq, at: now))
    switch message {
    case .success(let message): obey(message, at: now, into: &output)
    case .failure(let error):
      output.record(
        session.undecodableEvent(
          on: .message, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
    }
  }

  private func decode(
    _ payload: [UInt8], on channel: Channel, epoch: Epoch, seq: SequenceNumber, at now: VirtualTime,
    _ output: inout NodeOutput
  ) -> AppMessage? {
    switch AppMessage.reading(payload) {
    case .success(let message): return message
    case .failure(let error):
      output.record(
        session.undecodableEvent(
          on: channel, payload: payload, epoch: epoch, seq: seq, error: error.description, at: now))
      return nil
    }
  }

  private mutating func obey(_ message: AppMessage, at now: VirtualTime, into output: inout NodeOutput) {
    let time = WatchTime(nanoseconds: clock.reading(at: now))
    let situation = StartHandshake.Situation(
      workoutId: host?.state == .ended ? nil : host?.workoutId, watchClock: time, clockDifference: clockDifference)
    for effect in handshake.receive(message, in: situation) {
      switch effect {
      case .begin(let start):
        startsAt = nil
        begin(start.runId, cause: .command, at: now)
      case .end(let isDiscarding):
        host?.end(
          cause: .command, isDiscarding: isDiscarding, at: now, watchClock: time, sentAt: &sentAt, into: &hostEffects)
        carryOutHostEffects(at: now, into: &output)
      case .reply(let answer):
        session.sendMessage(answer.encoded, kind: answer.kind.rawValue, at: now, into: &output)
      case .accepted(let runId):
        output.record(TraceEvent("start.accepted", at: now, on: .watch, [.init("runId", runId.traceValue)]))
      case .declined(let runId, let reason):
        output.record(
          TraceEvent(
            "start.declined", at: now, on: .watch,
            [.init("runId", runId.traceValue), .init("reason", .string(reason.rawValue))]))
      case .haptic(let kind, let message):
        var fields: [TraceEvent.Field] = [.init("kind", .string(kind))]
        if let message { fields.append(.init("message", .string(message))) }
        output.record(TraceEvent("haptic", at: now, on: .watch, fields))
      case .hapticVoid(let kind, let sentAt):
        output.record(
          TraceEvent(
            "haptic.void", at: now, on: .watch,
            [.init("kind", .string(kind)), .init("sentAt", .int(sentAt.nanoseconds))]))
      case .refused(let kind, let why): refuse(kind, why: why, at: now, into: &output)
      }
    }
  }
}
