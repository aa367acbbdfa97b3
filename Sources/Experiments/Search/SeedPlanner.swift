import Console
import Link
import LinkTransport
import Simulator

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

/// How a sweep chooses the faults of its seeds.
package enum SearchStrategy: String, CaseIterable, Sendable {
  /// As the scenario's nemesis draws them.
  case random
  /// Each block of seeds cuts the supports of what came about in its first run.
  case lineage

  /// The number of seeds that share what was learned; nil if seeds do not depend on each other.
  var block: UInt64? {
    switch self {
    case .random: nil
    case .lineage: LineageSearch.block
    }
  }
}

/// How far a strategy has learned from the seeds of a block.
///
/// Seeds are in fixed blocks, and a plan depends only on the seeds before it in its block. So the results are the same for
/// any number of processes and shards; starting in the middle of a block costs the runs before it.
struct BlockProgress {
  /// The number of seeds of a block.
  let size: UInt64
  /// The seed to learn from next; nil before the first.
  private(set) var next: UInt64?

  init(size: UInt64) { self.size = size }

  /// Goes to a seed's block.
  ///
  /// - Returns: Whether the block starts over, so that the strategy must forget what it has learned. It continues if no seed
  ///   past this one was learned from, and never across the beginning of a block.
  mutating func enterBlock(of seed: UInt64) -> Bool {
    let first = seed - seed % size
    if let next, next > first, next <= seed { return false }
    next = first
    return true
  }

  /// Goes past a seed; false if it is not the one to learn from next.
  mutating func pass(_ seed: UInt64) -> Bool {
    guard next == seed else { return false }
    next = seed == .max ? nil : seed + 1
    return true
  }
}
