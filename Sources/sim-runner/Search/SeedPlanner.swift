import Link
import LinkTransport

/// Gives each seed of a sweep its faults, by the sweep's strategy.
struct SeedPlanner {
  let scenario: Scenario
  let strategy: SearchStrategy
  private let corpus: GuidedCorpus?

  /// - Parameters:
  ///   - strategy: Others than `random` change nothing in a scenario without a nemesis.
  ///   - skipped: Seeds on which the simulation dies, so that `guided` does not run them to learn from them.
  init(_ scenario: Scenario, _ strategy: SearchStrategy, skipping skipped: [UInt64] = []) {
    self.scenario = scenario
    self.strategy = strategy
    if strategy == .guided, let nemesis = scenario.nemesis {
      let judge = RunJudge(header: scenario.header, expectations: scenario.expectations)
      let starters = AppStarters()
      corpus = GuidedCorpus(scenario, nemesis, skipping: skipped) { (settled, coverage) throws(Failure) in
        var options = RunOptions()
        options.showsPrograms = false
        options.level = .judged
        options.judge = judge
        options.starters = starters
        options.onEvent = { event, _ in coverage.observe(event) }
        _ = try ScenarioRun.run(settled, options)
      }
    } else {
      corpus = nil
    }
  }

  /// The same planner, which does not learn from some seeds.
  func skipping(_ seeds: [UInt64]) -> Self {
    corpus == nil || corpus?.skipped == seeds ? self : Self(scenario, strategy, skipping: seeds)
  }

  /// What observes a seed's run; nil if nothing is learned from it.
  func coverage() -> StateCoverage? { corpus == nil ? nil : StateCoverage() }

  /// Learns from a seed's run, of which ``coverage()`` has observed every event.
  func learn(_ settled: Scenario, _ coverage: StateCoverage?) {
    if let coverage { corpus?.learn(settled.seed, settled, coverage) }
  }

  /// The run of a seed, with its whole plan.
  ///
  /// - Throws: What running other seeds throws, which `guided` does.
  func settled(_ seed: UInt64) throws(Failure) -> Scenario {
    if let corpus { return try corpus.settled(seed) }
    var scenario = scenario
    scenario.seed = seed
    if strategy == .swarm, let nemesis = scenario.nemesis, let swarm = FaultSwarm(seed: seed, of: nemesis) {
      scenario.nemesis = swarm.narrowing(nemesis)
    }
    return scenario.settled
  }
}
