import Link
import Testing

@testable import Experiments
@testable import Simulator

/// The share of a sweep that is run with stores on disk, too.
@Suite struct StoreComparisonTests {
  private static func scenario(_ more: String = "") throws -> Scenario {
    let text = """
      { scenario: "short", seed: 4, duration: "2m", link: { profile: "ble-running" },
        workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
        nemesis: { kinds: ["disconnect", "kill"], meanInterval: "30s" },
        phone: { ingestion: { history: 2 } }, edge: {} \(more) }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: ".")
    #expect(diagnostics.allSatisfy { !$0.hasErrors }, "\(diagnostics)")
    return scenario
  }

  @Test func `a run with kills is the same on disk, and another digest is a difference that names a line or none`()
    throws
  {
    let scenario = try Self.scenario()
    let memory = StoreComparison.Ending(try ScenarioRun.run(scenario, RunOptions()))
    #expect(try StoreComparison.difference(scenario, memory) == nil)
    #expect(try StoreComparison.findings(scenario).isEmpty)
    var other = memory
    other.digest = "00"
    let finding = try #require(try StoreComparison.difference(scenario, other))
    #expect(finding.invariant == "stores-differ")
    #expect(
      finding.detail
        == "the run differs from that of the same seed with stores on disk, which passes, and in memory passes: "
        + "no line of a second pair of runs differs")
    other = memory
    other.hasPassed.toggle()
    #expect(try StoreComparison.difference(scenario, other)?.detail.contains("and in memory fails") == true)
    other.hasFailedNode = true
    #expect(try StoreComparison.difference(scenario, other) != nil, "only the run in memory has a failed node")
  }

  @Test(arguments: ["", ", expect: [{ never: \"workout.state\" }]"])
  func `a compared seed has the result of one that is not compared`(expect: String) throws {
    let run = SeedRun(try Self.scenario(expect))
    for seed in [0, 5] as [UInt64] {
      let (plain, compared) = (try run.run(seed), try run.run(seed, comparesStores: true))
      #expect(plain.line == compared.line && plain.circumstances == compared.circumstances)
      #expect(plain.met.cells == compared.met.cells && plain.line.hasPassed == expect.isEmpty)
    }
  }

  @Test func `a device that loses commits is not compared`() throws {
    #expect(StoreComparison.applies(to: try Self.scenario()))
    #expect(!StoreComparison.applies(to: try Self.scenario(", watch: { durability: \"normal\" }")))
  }

  @Test func `a worker reads whether its seeds are the first of the sweep`() {
    for isFirst in [true, false] {
      let order = WorkerMessage.Order.seeds(
        .init(
          seeds: SeedRange(lower: 3, upper: 9), scenario: 1, isFirst: isFirst, stopsAtFailure: true, skipped: [4]))
      #expect(WorkerMessage.Order(order.line) == order)
    }
  }
}
