import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import Console

/// The plans of `--strategy guided`.
@Suite struct GuidedCorpusTests {
  private static func scenario() throws -> Scenario {
    let text = """
      { scenario: "short", duration: "40s", link: { profile: "ideal" },
        workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
        faults: [{ at: "1s", for: "1s", disconnect: {} }],
        nemesis: { meanInterval: "8s", meanDuration: "4s" } }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: ".")
    #expect(diagnostics.allSatisfy { !$0.hasErrors }, "\(diagnostics)")
    return scenario
  }

  private static func plan(_ scenario: Scenario) -> [JSONValue] { scenario.faults.map(\.json) }

  /// A seed of the first block behind the ones that draw at random.
  private static let seeds = UInt64(32)..<72

  @Test func `a seed's plan depends on its block only, not on where a worker begins`() throws {
    let scenario = try Self.scenario()
    let run = SeedRun(scenario, strategy: .guided)
    var lines: [String] = []
    for seed in Self.seeds { lines.append(try run.run(seed, isDigesting: true).line.text) }
    // From the middle, then backwards, which begins the block again.
    let other = SeedRun(scenario, strategy: .guided)
    for seed in [UInt64(60), 61, 40] {
      let line = try other.run(seed, isDigesting: true).line.text
      #expect(line == lines[Int(seed - Self.seeds.lowerBound)], "seed \(seed)")
    }
    // The next block knows nothing of this one.
    let next = GuidedCorpus.block + 3
    let random = SeedRun(scenario)
    #expect(try other.run(next, isDigesting: true).line.text == random.run(next, isDigesting: true).line.text)
  }

  @Test func `a block begins with nothing of the one before`() throws {
    let scenario = try Self.scenario()
    let nemesis = try #require(scenario.nemesis)
    // What a run covers is made up here, so that two blocks take no time.
    func observe(_ seed: UInt64, _ coverage: StateCoverage) {
      let at = VirtualTime.start + .seconds(Int64(seed % 40))
      coverage.observe(TraceEvent(TraceEvent.Name("event-\(seed % 97)"), at: at, on: .watch))
    }
    func corpus() -> GuidedCorpus {
      GuidedCorpus(scenario, nemesis, skipping: []) { (settled, coverage) throws(Failure) in
        observe(settled.seed, coverage)
      }
    }
    let seeds = GuidedCorpus.block - 4..<GuidedCorpus.block + 80
    let through = corpus()
    let fresh = corpus()
    for seed in seeds {
      let settled = try through.settled(seed)
      let coverage = StateCoverage()
      observe(seed, coverage)
      through.learn(seed, settled, coverage)
      guard seed >= GuidedCorpus.block else { continue }
      #expect(Self.plan(settled) == Self.plan(try fresh.settled(seed)), "seed \(seed)")
    }
  }

  @Test func `about half of the seeds are those of a random sweep, the others changed and valid`() throws {
    let scenario = try Self.scenario()
    let guided = SeedPlanner(scenario, .guided)
    let random = SeedPlanner(scenario, .random)
    var changed = 0
    for seed in Self.seeds {
      let settled = try guided.settled(seed)
      let drawn = try random.settled(seed)
      #expect(settled.faults.first?.id == scenario.faults.first?.id)
      guard Self.plan(settled) != Self.plan(drawn) else { continue }
      changed += 1
      let faults = settled.faults.dropFirst()
      let end = scenario.nemesisEnd
      #expect(faults.allSatisfy { $0.begin < end && $0.end.map { $0 <= end } ?? true })
      #expect(Set(settled.faults.map(\.id)).count == settled.faults.count)
      let text = SavedScenario.text(settled, in: "/")
      let (again, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
      #expect(diagnostics.allSatisfy { !$0.hasErrors }, "seed \(seed): \(diagnostics)")
      #expect(Self.plan(again) == Self.plan(settled))
    }
    #expect((8...32).contains(changed), "\(changed)")
  }

  @Test func `nothing is learned from a seed on which the simulation dies`() throws {
    let scenario = try Self.scenario()
    let seed = UInt64(45)
    let all = try SeedPlanner(scenario, .guided).settled(seed)
    let without = try SeedPlanner(scenario, .guided, skipping: Array(0..<40)).settled(seed)
    #expect(Self.plan(all) != Self.plan(without))
  }

  @Test func `a feature is new once, and again when it occurs much more often`() {
    let start = NodeStarted.name
    func coverage(_ count: Int) -> StateCoverage {
      let coverage = StateCoverage()
      for index in 0..<count { coverage.observe(TraceEvent(start, at: .start + .seconds(Int64(index)), on: .runner)) }
      return coverage
    }
    var known = [UInt8](repeating: 0, count: StateCoverage.size)
    #expect(coverage(1).add(to: &known) == 2)
    #expect(coverage(1).add(to: &known) == 0)
    #expect(coverage(20).add(to: &known) > 0)
    #expect(coverage(20).add(to: &known) == 0)
    #expect(coverage(1_000).instants.map(\.count) == [16])
  }
}
