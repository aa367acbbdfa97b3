import CoachProtocol
package import Link

/// The cloud service of the coach: the proxy's three endpoints, answered by a rule-based ``Coach``.
///
/// The coach's words and all latencies depend only on the run's seed and the request's digest, so that adding or
/// removing one request changes no other answer. The daily aggregates have state, the server's files, and so has the
/// prompt's cache, on which the price of an answer depends.
package struct EdgeNode: NodeMachine {
  /// An answer in preparation.
  private struct Job: Sendable {
    var at: VirtualTime
    /// Jobs of one instant finish in the order of their requests.
    var number: UInt64
    var id: Identifier
    var path: String
    var status: Int
    var content: UplinkContent
  }

  private let setup: EdgeSetup
  private let coach: Coach
  /// The model's provider has it, so that it outlives the server.
  private var prompts = PromptCache()
  private let latencies: RandomStream
  private var server = UplinkServer()
  private var jobs: [Job] = []
  private var requests: UInt64 = 0
  private let seed: UInt64
  private let plants: Plants
  private var insights: InsightsServer
  /// Nil without an external service of workouts.
  private var scheduler: WorkoutScheduler?
  /// Changes that the output's `appChange` items index.
  private var changes: [EdgeChange] = []
  /// Events of the start, recorded with the first input.
  private var startOrders: InsightsServer.Orders?
  /// Counts the scenario's events that have happened.
  private var eventCount = 0
  /// How often each configured failure has struck.
  private var strikes: [Int]
  package private(set) var nextDeadline: VirtualTime?

  /// Creates an edge.
  ///
  /// - Parameters:
  ///   - setup: Its configuration.
  ///   - seed: The execution's seed.
  ///   - record: Its files.
  ///   - plants: The planted bugs.
  package init(_ setup: EdgeSetup, seed: UInt64, restoring record: EdgeRecord = EdgeRecord(), plants: Plants = []) {
    self.setup = setup
    self.seed = seed
    self.plants = plants
    var orders = InsightsServer.Orders()
    insights = InsightsServer(seed: seed, restoring: record, plants: plants, start: 0, at: .start, into: &orders)
    if !orders.events.isEmpty { startOrders = orders }
    coach = Coach(seed: seed)
    latencies = RandomStream(seed: seed, name: "edge.latency")
    strikes = setup.failures.map { _ in 0 }
    scheduler = setup.workouts.map { WorkoutScheduler($0, seed: seed, startedAt: setup.startedAt, at: .start) }
    nextDeadline = nextEventAt
    if let at = scheduler?.nextDeadline { nextDeadline = nextDeadline.map { min($0, at) } ?? at }
  }

  package mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    if let orders = startOrders {
      startOrders = nil
      carryOut(orders, in: &turn)
    }
    switch input {
    case .frame(let frame):
      if let request = server.receive(frame, in: &turn) { receive(request, in: &turn) }
    case nil: fire(in: &turn)
    // It is always on, and only the phone uses it.
    case .link, .uplink, .condition, .command, .page: break
    }
    let jobAt = jobs.lazy.map(\.at).min()
    nextDeadline = [nextEventAt, jobAt, scheduler?.nextDeadline].compactMap(\.self).min()
  }

  private mutating func receive(_ request: UplinkRequest, in turn: inout Turn) {
    let now = turn.now
    // A repeated request replaces its predecessor.
    jobs.removeAll { $0.id == request.id }
    let call = EdgeCall(path: request.path)
    let effect = strike(call, at: now)
    turn.record(Self.line(of: request, effect, at: now))
    // A proxy that fails has not reached the server.
    let isReached = effect != .error500 && effect != .error502
    var (status, content) = isReached ? answer(call, request, in: &turn) : (500, .body([]))
    // The work is done, only the answer is missing.
    guard effect != .timeout else { return }
    var latency = latency(of: request.digest)
    switch effect {
    case .error500: (status, content) = Self.error(500, "the proxy failed")
    case .error502: (status, content) = Self.error(502, "the model behind the proxy did not answer")
    case .malformed: (status, content) = (200, .text("<html><body>The service is temporarily unav"))
    case .badScript where status == 200: content = .body(Coach.badScript(seed: request.digest).bytes)
    case .late(let by): latency = latency + by
    case .badScript, .timeout, nil: break
    }
    requests += 1
    jobs.append(
      Job(at: now + latency, number: requests, id: request.id, path: request.path, status: status, content: content))
  }

  private mutating func fire(in turn: inout Turn) {
    let now = turn.now
    while let at = nextEventAt, at <= now { carryOutEvent(in: &turn) }
    fetch(in: &turn)
    let due = jobs.filter { $0.at <= now }.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
    jobs.removeAll { $0.at <= now }
    for job in due {
      turn.record(EdgeResponse.self, on: .edge) {
        $0.id = job.id
        $0.path = job.path
        $0.status = Int64(job.status)
        $0.bytes = Int64(job.content.count)
      }
      server.answer(job.id, status: job.status, job.content, in: &turn)
    }
  }

  /// The failure that applies to a request, if any.
  private mutating func strike(_ call: EdgeCall?, at now: VirtualTime) -> EdgeFailure.Effect? {
    for (index, failure) in setup.failures.enumerated() where failure.concerns(call, at: now) {
      if let times = failure.times, strikes[index] >= times { continue }
      strikes[index] += 1
      return failure.effect
    }
    return nil
  }

  private func latency(of digest: UInt64) -> VirtualTime.Span {
    let jitter = setup.jitter.nanoseconds
    let width = UInt64(2 * jitter) + 1
    let drawn = setup.latency.nanoseconds - jitter + Int64(latencies.number(below: width, for: digest))
    // An answer at the instant of its request would not come from another device.
    return VirtualTime.Span(nanoseconds: max(1_000_000, drawn))
  }

  private mutating func answer(
    _ call: EdgeCall?, _ request: UplinkRequest, in turn: inout Turn
  ) -> (Int, UplinkContent) {
    do throws(Diagnostics) {
      switch call {
      case .generateScript:
        let question: GenerateScriptRequest = try .reading(request.body)
        let answer = coach.script(question, digest: request.digest).bytes
        _ = ask(question.modelRequest, request.id, answered: answer, in: &turn)
        return (200, .body(answer))
      case .chatReply:
        let question: ChatReplyRequest = try .reading(request.body)
        var answer = coach.reply(question, digest: request.digest)
        answer.usage = ask(question.modelRequest, request.id, answered: answer.bytes, in: &turn)
        return (200, .body(answer.bytes))
      case .postRunSummary:
        let question: PostRunSummaryRequest = try .reading(request.body)
        let answer = coach.summary(question, digest: request.digest).bytes
        _ = ask(question.modelRequest, request.id, answered: answer, in: &turn)
        return (200, .body(answer))
      case .transcribe:
        let question: TranscribeRequest = try .reading(request.body)
        return (200, .body(TranscribeResponse(transcript: question.hears ?? "").bytes))
      case .insightsSync:
        var orders = InsightsServer.Orders()
        let response = try insights.receive(request.body, into: &orders)
        carryOut(orders, in: &turn)
        return (200, .body(response.bytes))
      case nil: return Self.error(404, "no such path: \(request.path.prefix(100))")
      }
    } catch {
      return Self.error(400, String((error.list.first?.message ?? "no such request").prefix(400)))
    }
  }

  /// Counts and records what the model behind the proxy read and wrote for an answer.
  private mutating func ask(
    _ question: ModelRequest, _ id: Identifier, answered answer: [UInt8], in turn: inout Turn
  ) -> ModelUsage {
    let usage = prompts.use(question, answer: answer, at: turn.now)
    turn.record(ModelAsked.self, on: .edge) {
      ($0.id, $0.model, $0.costUsd) = (id, usage.model, usage.costUsd)
      $0.system = EventDigest(bits: question.prefixes.last?.digest ?? 0)
      ($0.input, $0.output) = (Int64(usage.inputTokens), Int64(usage.outputTokens))
      $0.cacheWritten = Int64(usage.cacheCreationInputTokens)
      $0.cacheRead = Int64(usage.cacheReadInputTokens)
    }
    return usage
  }

  // MARK: The external service

  private mutating func fetch(in turn: inout Turn) {
    let now = turn.now
    guard let due = scheduler?.nextDeadline, due <= now else { return }
    let newest = insights.context.workouts.keys.max()
    guard let outcome = scheduler?.fire(newest: newest, remembers: plants.contains(.fetchedSince), at: now) else {
      return
    }
    var orders = InsightsServer.Orders()
    switch outcome {
    case .fetched(let since, let workouts):
      var event = WorkoutsFetched()
      event.changed = Int64(insights.receive(workouts, into: &orders))
      (event.since, event.workouts) = (since, Int64(workouts.count))
      orders.events.append(event)
    case .failed(let why, let retryAt):
      var event = FetchFailed()
      (event.why, event.retryAt) = (why, retryAt.nanoseconds)
      orders.events.append(event)
    }
    carryOut(orders, in: &turn)
  }

  // MARK: The server's files

  private var nextEventAt: VirtualTime? {
    setup.events.indices.contains(eventCount) ? setup.events[eventCount].at : nil
  }

  /// Ends the server's process, changes its files as the event says, and starts it again.
  private mutating func carryOutEvent(in turn: inout Turn) {
    let now = turn.now
    let event = setup.events[eventCount]
    eventCount += 1
    var record = insights.record
    var orders = InsightsServer.Orders()
    switch event.effect {
    case .restart: break
    case .wipe: orders.changes.append(.wipe)
    case .powerLoss: orders.changes.append(.tear(event.file))
    }
    for change in orders.changes { record.apply(change) }
    jobs = []
    server = UplinkServer(epoch: Epoch(UInt32(clamping: eventCount + 1)))
    insights = InsightsServer(
      seed: seed, restoring: record, plants: plants, start: UInt64(eventCount), at: now, into: &orders)
    if let workouts = setup.workouts {
      scheduler = WorkoutScheduler(
        workouts, seed: seed, startedAt: setup.startedAt, at: now, newestFetched: scheduler?.newestFetched)
    }
    var restarted = ServerRestarted()
    (restarted.cause, restarted.store) = (event.effect.rawValue, insights.context.store)
    restarted.days = Int64(insights.context.dates.count)
    orders.events.insert(restarted, at: 0)
    carryOut(orders, in: &turn)
  }

  private mutating func carryOut(_ orders: InsightsServer.Orders, in turn: inout Turn) {
    let now = turn.now
    for change in orders.changes {
      turn.items.append(.appChange(changes.count))
      changes.append(change)
    }
    if !orders.changes.isEmpty { turn.items.append(.commit) }
    guard turn.isRecording else { return }
    for event in orders.events { turn.record(TraceEvent(event, at: now, on: .edge)) }
  }

  private static func error(_ status: Int, _ text: String) -> (Int, UplinkContent) {
    (status, .body(JSONWriter.compact(JSONNode(.object([JSONMember("error", .string(text))])))))
  }

  private static func line(
    of request: UplinkRequest, _ effect: EdgeFailure.Effect?, at now: VirtualTime
  ) -> TraceEvent {
    TraceEvent(EdgeRequest.self, at: now, on: .edge) {
      $0.id = request.id
      $0.path = request.path
      $0.digest = EventDigest(bits: request.digest)
      $0.bytes = Int64(request.byteCount)
      $0.failure = effect?.word
    }
  }
}

extension EdgeNode: HostedNode {
  package typealias Record = EdgeRecord
  package typealias Change = EdgeChange
  package mutating func takeChanges() -> [EdgeChange] {
    defer { changes = [] }
    return changes
  }
  package var isWorkoutOver: Bool { false }
}

/// The edge's configuration: a scenario's `edge`.
package struct EdgeSetup: Sendable, Equatable {
  /// The mean time from a request to its answer.
  package var latency: VirtualTime.Span
  /// Uniform deviation to both sides.
  package var jitter: VirtualTime.Span
  /// Its failures; the first that applies to a request counts.
  package var failures: [EdgeFailure]
  /// What happens to the server, by time.
  package var events: [EdgeEvent] = []
  /// The external service of workouts, if any.
  package var workouts: WorkoutSetup?
  /// The run's start, in nanoseconds since 1970.
  package var startedAt: Int64 = 0

  /// Defaults: 800 ms, give or take 200 ms, and no failures.
  package init(
    latency: VirtualTime.Span = .milliseconds(800), jitter: VirtualTime.Span = .milliseconds(200),
    failures: [EdgeFailure] = []
  ) {
    self.latency = latency
    self.jitter = jitter
    self.failures = failures
  }
}

extension EdgeSetup {
  package static let failuresMax = 1_000
  private static let spanMax = VirtualTime.Span.hours(24)

  /// How a scenario's `edge` is read, written and described.
  package static let schema = ObjectSchema<Self>(
    "edge", "The cloud the phone talks to.", Self(),
    [
      Field(
        "latency", \.latency, .duration(max: spanMax), "mean time from a request to its answer, 1ms at least"),
      Field("jitter", \.jitter, .duration(max: spanMax), "uniform variation in either direction"),
      Field(
        "failures", \.failures, .array(of: .object(EdgeFailure.schema), count: 0...failuresMax),
        "its failures; the first that applies to a request counts"
      ).omittedAtDefault,
      Field(
        "events", \.events, .array(of: .object(EdgeEvent.schema).readable, count: 0...EdgeEvent.countMax),
        "what happens to the server and its files"
      ).omittedAtDefault,
      Field(
        "workouts", \.workouts, .object(WorkoutSetup.schema).readable,
        "an external service from which the server fetches workouts"),
    ]
  ) { setup, _ in
    // Events of one instant happen in the order of the file.
    setup.events = setup.events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element)
    return true
  }
}
