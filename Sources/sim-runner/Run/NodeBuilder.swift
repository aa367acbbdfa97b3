import EdgeSim
import Link
import PhoneSim
import WatchSim

/// Builds the nodes of a scenario, for this process and for node processes alike.
enum NodeBuilder {
  /// Creates a machine for a start, from its store's content and the start's instant.
  typealias Build<Record, Node> = (SessionRecord, Record, VirtualTime) -> Node

  /// Builds watches.
  ///
  /// - Throws: If a recorded workout cannot be read or replayed.
  static func watch(_ scenario: Scenario) throws(Failure) -> Build<WatchRecord, WatchNode> {
    let source: AnyMotionSource
    switch scenario.workout.source {
    case .model(let parameters): source = .model(RunnerModel(parameters, seed: scenario.seed))
    case .recorded(let path, let number):
      source = .recorded(RecordedSource(try RecordedRun.motion(path, number: number)))
    case .traced(let path): source = .recorded(RecordedSource(try TracedMotion(RecordedTrace(path)).motion))
    }
    var setup = WatchNode.Setup(
      seed: scenario.seed, startedAt: scenario.start.nanoseconds, source: source,
      startsAt: scenario.workout.startedBy == .watch ? scenario.workout.at : nil,
      preparing: scenario.workout.preparing, replyTimeout: scenario.replyTimeout,
      plants: scenario.plants)
    setup.syncsHealth = scenario.syncsHealth
    setup.backgroundDelay = scenario.link.backgroundDelay ?? .none
    return { session, app, now in WatchNode(setup, record: session, app: app, startedAt: now) }
  }

  /// Builds phones.
  static func phone(_ scenario: Scenario) -> Build<PhoneRecord, PhoneNode> {
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
    setup.syncsHealth = scenario.syncsHealth
    setup.ingestion = scenario.ingestion
    setup.remarks = scenario.remarks
    setup.race = scenario.race
    return { session, app, now in PhoneNode(setup, record: session, app: app, startedAt: now) }
  }

  /// Builds edges, which start without state.
  static func edge(_ setup: EdgeSetup, seed: UInt64) -> Build<Void, EdgeNode> {
    { _, _, _ in EdgeNode(setup, seed: seed) }
  }
}
