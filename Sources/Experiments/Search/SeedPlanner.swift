import Simulator
import Console
import Link
import LinkTransport

/// Gives each seed of a sweep its faults, by the sweep's strategy.
struct SeedPlanner {
  let scenario: Scenario
  let strategy: SearchStrategy
  /// What learns from the runs of a block; nil for a strategy that does not learn.
  private let search: LineageSearch?

  /// - Parameters:
  ///   - strategy: Others than `random` change nothing in a scenario without a nemesis.
  ///   - skipped: Seeds on which the simulation dies, so that they are not run to learn from them.
  init(_ scenario: Scenario, _ strategy: SearchStrategy, skipping skipped: [UInt64] = []) {
    self.scenario = scenario
    self.strategy = strategy
    guard strategy == .lineage, let nemesis = scenario.nemesis else {
      search = nil
      return
    }
    search = LineageSearch(scenario, nemesis, skipping: skipped, run: Self.runner(of: scenario))
  }

  /// Runs settled scenarios for how their outcomes come about, and returns whether they passed.
  private static func runner(of scenario: Scenario) -> (Scenario, Lineage) throws(Failure) -> Bool {
    let judge = RunJudge(scenario)
    let starters = AppStarters()
    return { (settled, lineage) throws(Failure) in
      var options = RunOptions()
      options.showsPrograms = false
      options.level = .judged
      options.judge = scenario.isDrawn ? nil : judge
      options.starters = starters
      options.onEvent = { event, line in lineage.observe(event, line: line) }
      return SeedRun.hasPassed(try ScenarioRun.run(settled, options))
    }
  }

  /// The same planner, which does not learn from some seeds.
  func skipping(_ seeds: [UInt64]) -> Self {
    guard let search, search.skipped != seeds else { return self }
    return Self(scenario, strategy, skipping: seeds)
  }

  /// What observes a seed's run; nil if nothing is learned from it.
  func observer(of seed: UInt64) -> Lineage? { search?.learns(from: seed) == true ? Lineage() : nil }

  /// Learns from a seed's run, of which its ``observer(of:)`` has observed every event.
  func learn(_ seed: UInt64, _ lineage: Lineage, hasPassed: Bool) {
    search?.learn(seed, lineage, hasPassed: hasPassed)
  }

  /// The scenario with the seed and its acts, and without the faults of a nemesis.
  func handed(_ seed: UInt64) -> Scenario {
    var scenario = scenario
    scenario.seed = seed
    return scenario.handed
  }

  /// The run of a seed, with its whole plan.
  ///
  /// - Throws: What running other seeds throws, which `lineage` does.
  func settled(_ seed: UInt64) throws(Failure) -> Scenario {
    if let search { return try search.settled(seed) }
    var scenario = scenario
    scenario.seed = seed
    return scenario.settled
  }
}
