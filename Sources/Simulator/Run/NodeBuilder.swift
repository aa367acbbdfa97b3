package import Console
package import EdgeSim
package import Link
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
