package import Console
package import EdgeSim
package import Link
package import LinkStore
package import PhoneSim
package import WatchSim

/// Builds the nodes of a scenario, for this process and for node processes alike.
package enum NodeBuilder {
  /// Creates a machine for a start, from its store's content and the start's instant.
  package typealias Build<Record, Node> = (SessionRecord, Record, VirtualTime) -> Node

  /// Builds watches.
  ///
  /// - Throws: If a recorded workout cannot be read or replayed.
  package static func watch(_ scenario: Scenario) throws(Failure) -> Build<WatchRecord, WatchNode> {
    var setup = WatchNode.Setup(
      seed: scenario.seed, startedAt: scenario.start.nanoseconds,
      source: try source(ofWorkout: 0, in: scenario),
      startsAt: scenario.workout.startedBy == .watch ? scenario.workout.at : nil,
      preparing: scenario.workout.preparing, replyTimeout: scenario.replyTimeout,
      plants: scenario.plants)
    setup.unit = scenario.units
    setup.syncsHealth = scenario.healthSyncLag != nil
    setup.reportsSessions = scenario.training != nil
    setup.namesDisciplines = scenario.coachesRunsOnly
    setup.backgroundDelay = scenario.link.backgroundDelay ?? .none
    for (index, workout) in scenario.laterWorkouts.enumerated() {
      setup.later.append(
        PlannedWorkout(
          at: workout.at, startsItself: workout.startedBy == .watch,
          source: try source(ofWorkout: index + 1, in: scenario), preparing: workout.preparing))
    }
    return { session, app, now in WatchNode(setup, record: session, app: app, startedAt: now) }
  }

  /// The motion of a workout, by its index among all of them.
  static func source(ofWorkout index: Int, in scenario: Scenario) throws(Failure) -> AnyMotionSource {
    // Each model draws for itself.
    let later = RandomStream(seed: scenario.seed, name: "watch.later")
    let seed = index == 0 ? scenario.seed : later.bits(for: UInt64(index - 1))
    return try source(of: scenario.workouts[index], seed: seed)
  }

  private static func source(of workout: WorkoutPlan, seed: UInt64) throws(Failure) -> AnyMotionSource {
    do throws(Failure) { return try source(workout.source, seed: seed) } catch { throw workout.placed(error) }
  }

  private static func source(_ source: WorkoutPlan.Source, seed: UInt64) throws(Failure) -> AnyMotionSource {
    switch source {
    case .model(let parameters): .model(RunnerModel(parameters, seed: seed))
    case .discipline(let plan): plan.source(seed: seed)
    case .recorded(let path, let number, let stretch, let discipline):
      .recorded(
        RecordedSource(try RecordedRun.motion(path, number: number, stretch: stretch, discipline: discipline)))
    case .traced(let path): .recorded(RecordedSource(try TracedMotion(RecordedTrace(path)).motion))
    }
  }

  /// Builds phones.
  package static func phone(_ scenario: Scenario) -> Build<PhoneRecord, PhoneNode> {
    var setup = PhoneNode.Setup(
      seed: scenario.seed, startedAt: scenario.start.nanoseconds, utcOffsets: scenario.start.offsets,
      plan: scenario.plan, script: scenario.script, scriptSource: scenario.scriptSource,
      maximumHeartRate: scenario.maximumHeartRate, replyTimeout: scenario.replyTimeout,
      runType: scenario.workout.runType, mode: scenario.workout.mode, personality: scenario.workout.personality,
      plants: scenario.plants)
    setup.scriptText = scenario.scriptText
    setup.backgroundDelay = scenario.link.backgroundDelay ?? .none
    setup.memory = scenario.memory
    setup.hasEdge = scenario.edge != nil
    setup.coachesRunsOnly = scenario.coachesRunsOnly
    setup.syncsHealth = scenario.health != nil
    setup.ingestion = scenario.ingestion
    setup.daily = scenario.daily
    setup.voice = scenario.voice
    setup.training = scenario.training
    setup.remarks = scenario.remarks
    setup.race = scenario.race
    return { session, app, now in PhoneNode(setup, record: session, app: app, startedAt: now) }
  }

  /// Builds edges.
  package static func edge(_ setup: EdgeSetup, seed: UInt64, plants: Plants = []) -> Build<EdgeRecord, EdgeNode> {
    { _, record, _ in EdgeNode(setup, seed: seed, restoring: record, plants: plants) }
  }
}

extension Scenario {
  /// The devices of its runs, in their order at one instant.
  var roles: [NodeRole] { NodeRole.allCases.filter { $0 != .edge || edge != nil } }
}

/// The content of a node process's `welcome`: the scenario, the run's seed and the instant, as one JSON object.
package struct NodeSetup {
  /// The scenario with the run's seed.
  package var scenario: Scenario
  /// When the node starts.
  package var now: VirtualTime
  /// With a journal, the number of the last grant whose answer the conductor has; nil without.
  package var answered: UInt64?

  /// The text of a `welcome`.
  static func text(_ scenario: Scenario, at now: VirtualTime, answered: UInt64? = nil) -> String {
    text(scenario.seed, at: now, answered: answered, scenario.nodeMembers)
  }

  /// The text of a `welcome` for an app in virtual time: what its session needs, always in the same shape.
  ///
  /// Parsing leaves traces in a process (instantiated generic types, memory layout). A removed fault, as in shrinking,
  /// or a scenario from a trace's header must not change how the app's threads run.
  static func appText(_ scenario: Scenario, at now: VirtualTime, answered: UInt64?) -> String {
    func span(_ span: VirtualTime.Span) -> JSONValue { .string("\(span.nanoseconds)ns") }
    let timeout = scenario.ownReplyTimeout ?? appReplyTimeout
    let delay = scenario.link.backgroundDelay ?? .ofApps
    let checks = scenario.madeChecks.compactMap(\.appMember)
    let settings = [JSONMember]([
      "startedAt": .string(scenario.start.text), "replyTimeout": span(timeout),
      "link": .fields(["backgroundDelay": .fields(["least": span(delay.least), "most": span(delay.most)])]),
      "payload": scenario.payloadName.map { .fields(["name": .string($0.text)]) },
      "checks": checks.isEmpty ? nil : .object(checks),
    ])
    return text(scenario.seed, at: now, answered: answered, settings)
  }

  private static func text(
    _ seed: UInt64, at now: VirtualTime, answered: UInt64?, _ scenario: [JSONMember]
  ) -> String {
    JSONOutput.line(
      [JSONMember]([
        "seed": .string(String(seed)), "now": .integer(now.nanoseconds), "answered": answered.map { .count($0) },
        "scenario": .object(scenario),
      ]))
  }

  /// The default timeout of an app's messages: docs/your-app-reference.md.
  private static let appReplyTimeout = VirtualTime.Span.seconds(300)

  /// Reads the text of a `welcome`.
  package static func read(_ text: String) throws(Failure) -> NodeSetup {
    let collector = DiagnosticsCollector(file: "welcome")
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(Array(text.utf8), dialect: .json) } catch {
      throw .input("welcome:\(error.description)")
    }
    guard let reader = JSONObjectReader(node, into: collector),
      let seed = reader.unsigned("seed", required: true),
      let now = reader.integer("now", in: 0...(.max), required: true),
      let nested = reader.value("scenario", required: true)
    else { throw .problems(collector.diagnostics.lines) }
    var (scenario, diagnostics) = Scenario.read(JSONWriter.compact(nested.node), file: "welcome", folder: "/")
    guard !diagnostics.contains(where: { $0.hasErrors }) else {
      throw .problems(diagnostics.flatMap { $0.lines })
    }
    scenario.seed = seed
    return NodeSetup(
      scenario: scenario, now: VirtualTime(nanoseconds: now), answered: reader.unsigned("answered"))
  }
}

/// Chooses the nodes' stores and files.
package enum NodeStores {
  // MARK: As long as this process lives

  /// A watch's store.
  static func watch() -> MemoryWatchStore { MemoryWatchStore() }
  /// A phone's store.
  static func phone() -> MemoryPhoneStore { MemoryPhoneStore() }
  /// An edge's files.
  static func edge() -> MemoryEdgeStore { MemoryEdgeStore() }
  /// A device's files.
  static func files() -> MemoryFiles { MemoryFiles() }

  // MARK: On disk

  /// The store and the files of a watch, in its folder.
  package static func watch(
    in folder: String, losesCommits: Bool = false
  ) throws(StoreError) -> (store: KeyedWatchStore<DeviceStore<KeyedTables>>, files: DiskFiles) {
    let store = try DeviceStore<KeyedTables>(folder: folder, losesCommits: losesCommits)
    return (KeyedWatchStore(store), try DiskFiles(folder: folder))
  }

  /// The store and the files of a phone, in its folder.
  package static func phone(
    in folder: String, losesCommits: Bool = false
  ) throws(StoreError) -> (store: DeviceStore<PhoneTables>, files: DiskFiles) {
    let store = try DeviceStore<PhoneTables>(folder: folder, losesCommits: losesCommits)
    return (store, try DiskFiles(folder: folder))
  }

  /// An edge's files, in its folder.
  package static func edge(in folder: String) throws(StoreError) -> EdgeFolder { try EdgeFolder(folder) }
}
