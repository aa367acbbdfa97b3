import Simulator
import Console
import Link
import LinkTransport

/// The plans of `--strategy guided`: it collects plans that reached new states, and makes the next seed's plan from
/// them.
///
/// Seeds are in blocks of ``block`` (``BlockProgress``).
final class GuidedCorpus {
  /// The number of seeds that share a corpus.
  static let block: UInt64 = 512
  /// The first seeds of a block draw at random.
  private static let warmUp: UInt64 = 32
  /// The limit of stored plans; beyond it the oldest is dropped.
  private static let plansMax = 128

  /// A plan that reached new states.
  private struct Plan {
    /// The drawn faults; the scenario's own are not among them.
    var faults: [PlannedFault]
    var instants: [[StateCoverage.Instant]]
    var uses = 0
  }

  private let scenario: Scenario
  private let nemesis: Nemesis
  /// Runs a settled scenario for what it covers.
  private let run: (Scenario, StateCoverage) throws(Failure) -> Void
  /// Seeds on which the simulation dies: nothing is learned from them.
  let skipped: [UInt64]
  private var progress = BlockProgress(size: block)
  private var plans: [Plan] = []
  /// The plan that the newest seed's was made from; nil for none.
  private var parent: Int?
  private var known: [UInt8] = []

  /// - Parameters:
  ///   - skipped: Seeds on which the simulation dies.
  ///   - run: Runs a settled scenario for what it covers.
  init(
    _ scenario: Scenario, _ nemesis: Nemesis, skipping skipped: [UInt64],
    run: @escaping (Scenario, StateCoverage) throws(Failure) -> Void
  ) {
    self.scenario = scenario
    self.nemesis = nemesis
    self.skipped = skipped
    self.run = run
  }

  /// The run of a seed, with its whole plan; learns from the earlier seeds of its block first.
  func settled(_ seed: UInt64) throws(Failure) -> Scenario {
    if progress.enterBlock(of: seed) {
      plans = []
      known = [UInt8](repeating: 0, count: StateCoverage.size)
    }
    while let earlier = progress.next, earlier < seed {
      guard !skipped.contains(earlier) else {
        _ = progress.pass(earlier)
        continue
      }
      let coverage = StateCoverage()
      let planned = plan(earlier)
      try run(planned, coverage)
      learn(earlier, planned, coverage)
    }
    return plan(seed)
  }

  /// Learns from a seed's run.
  func learn(_ seed: UInt64, _ settled: Scenario, _ coverage: StateCoverage) {
    guard progress.pass(seed) else { return }
    if let parent { plans[parent].uses += 1 }
    guard coverage.add(to: &known) > 0 else { return }
    let own = scenario.faults.count
    plans.append(Plan(faults: Array(settled.faults.dropFirst(own)), instants: coverage.instants))
    if plans.count > Self.plansMax { plans.removeFirst() }
  }

  private func plan(_ seed: UInt64) -> Scenario {
    var scenario = scenario
    scenario.seed = seed
    var random = scenario.settled
    parent = nil
    // Every second seed is that of a random sweep, whatever was learned.
    let draw = RandomStream(seed: seed, name: "guided")
    guard seed % Self.block >= Self.warmUp, !plans.isEmpty, draw.number(below: 2, for: 0) == 0 else { return random }
    let end = nemesis.until ?? scenario.nemesisEnd
    var mutation = PlanMutation(nemesis, seed: seed, end: end)
    mutation.apps = scenario.appRoles
    // The less used of two, and newer ones more often.
    let candidates = [mutation.below(plans.count), max(mutation.below(plans.count), mutation.below(plans.count))]
    let parent = plans[candidates[0]].uses <= plans[candidates[1]].uses ? candidates[0] : candidates[1]
    self.parent = parent
    let other = plans[mutation.below(plans.count)].faults
    random.faults = scenario.faults + mutation.change(plans[parent].faults, plans[parent].instants, other: other)
    return random
  }
}
