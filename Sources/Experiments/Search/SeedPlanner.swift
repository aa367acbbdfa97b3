import Simulator
import Console
import Link
import LinkTransport

/// Gives each seed of a sweep its faults, by the sweep's strategy.
struct SeedPlanner {
  /// What learns from the runs of a block.
  private enum Learner {
    case none
    case guided(GuidedCorpus)
    case lineage(LineageSearch)
  }

  /// What is observed of a run, to learn from it.
  enum Observer {
    case coverage(StateCoverage)
    case lineage(Lineage)

    /// Observes the next event.
    func observe(_ event: TraceEvent, line: Int) {
      switch self {
      case .coverage(let coverage): coverage.observe(event)
      case .lineage(let lineage): lineage.observe(event, line: line)
      }
    }
  }

  let scenario: Scenario
  let strategy: SearchStrategy
  private let learner: Learner
  private let skipped: [UInt64]

  /// - Parameters:
  ///   - strategy: Others than `random` change nothing in a scenario without a nemesis.
  ///   - skipped: Seeds on which the simulation dies, so that they are not run to learn from them.
  init(_ scenario: Scenario, _ strategy: SearchStrategy, skipping skipped: [UInt64] = []) {
    self.scenario = scenario
    self.strategy = strategy
    self.skipped = skipped
    guard let nemesis = scenario.nemesis else {
      learner = .none
      return
    }
    switch strategy {
    case .random, .swarm: learner = .none
    case .guided:
      let run = Self.runner(of: scenario)
      learner = .guided(
        GuidedCorpus(scenario, nemesis, skipping: skipped) { (settled, coverage) throws(Failure) in
          _ = try run(settled, .coverage(coverage))
        })
    case .lineage:
      let run = Self.runner(of: scenario)
      learner = .lineage(
        LineageSearch(scenario, nemesis, skipping: skipped) { (settled, lineage) throws(Failure) in
          try run(settled, .lineage(lineage))
        })
    }
  }

  /// Runs settled scenarios for what is observed of them, and returns whether they passed.
  private static func runner(of scenario: Scenario) -> (Scenario, Observer) throws(Failure) -> Bool {
    let judge = RunJudge(header: scenario.header, expectations: scenario.expectations)
    let starters = AppStarters()
    return { (settled, observer) throws(Failure) in
      var options = RunOptions()
      options.showsPrograms = false
      options.level = .judged
      options.judge = judge
      options.starters = starters
      options.onEvent = { event, line in observer.observe(event, line: line) }
      return SeedRun.hasPassed(try ScenarioRun.run(settled, options))
    }
  }

  /// The same planner, which does not learn from some seeds.
  func skipping(_ seeds: [UInt64]) -> Self {
    if case .none = learner { return self }
    return skipped == seeds ? self : Self(scenario, strategy, skipping: seeds)
  }

  /// What observes a seed's run; nil if nothing is learned from it.
  func observer(of seed: UInt64) -> Observer? {
    switch learner {
    case .none: nil
    case .guided: .coverage(StateCoverage())
    case .lineage(let search): search.learns(from: seed) ? .lineage(Lineage()) : nil
    }
  }

  /// Learns from a seed's run, of which its ``observer(of:)`` has observed every event.
  func learn(_ seed: UInt64, _ settled: Scenario, _ observer: Observer?, hasPassed: Bool) {
    switch (learner, observer) {
    case (.guided(let corpus), .coverage(let coverage)): corpus.learn(seed, settled, coverage)
    case (.lineage(let search), .lineage(let lineage)): search.learn(seed, lineage, hasPassed: hasPassed)
    default: break
    }
  }

  /// The run of a seed, with its whole plan.
  ///
  /// - Throws: What running other seeds throws, which `guided` and `lineage` do.
  func settled(_ seed: UInt64) throws(Failure) -> Scenario {
    switch learner {
    case .guided(let corpus): return try corpus.settled(seed)
    case .lineage(let search): return try search.settled(seed)
    case .none: break
    }
    var scenario = scenario
    scenario.seed = seed
    if strategy == .swarm, let nemesis = scenario.nemesis, let swarm = FaultSwarm(seed: seed, of: nemesis) {
      scenario.nemesis = swarm.narrowing(nemesis)
    }
    return scenario.settled
  }
}
