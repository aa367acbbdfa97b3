import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator

/// The supports of outcomes, and the plans of `--strategy lineage`.
@Suite struct LineageSearchTests {
  private static func scenario(nemesis: String = "") throws -> Scenario {
    let text = """
      { scenario: "short", duration: "100s", link: { profile: "ble-still" },
        workout: { startedBy: "phone", at: "10s", source: { model: { distance: 10000, pace: "5:00/km" } },
          events: [{ at: "20s", do: "sendMessage", count: 2, wantsReply: true }, { at: "60s", do: "end" }] },
        phone: { events: [{ at: "25s", do: "transferUserInfo", count: 2 }] },
        plan: { distance: 10000, time: "50m" },
        nemesis: { meanInterval: "8s", meanDuration: "4s", until: "80s"\(nemesis) } }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: ".")
    #expect(diagnostics.allSatisfy { !$0.hasErrors }, "\(diagnostics)")
    return scenario
  }

  /// The scenario without its nemesis, with other faults.
  private static func bare(_ faults: [PlannedFault] = []) throws -> Scenario {
    var scenario = try scenario()
    scenario.nemesis = nil
    scenario.faults = faults
    return scenario
  }

  private static func lineage(_ scenario: Scenario) throws -> (lineage: Lineage, names: [(String, VirtualTime)]) {
    let lineage = Lineage()
    var names: [(String, VirtualTime)] = []
    var options = RunOptions()
    options.level = .judged
    options.onEvent = { event, line in
      lineage.observe(event, line: line)
      names.append((event.name.text, event.time))
    }
    _ = try ScenarioRun.run(scenario, options)
    return (lineage, names)
  }

  private static func plan(_ scenario: Scenario) -> [JSONValue] { scenario.faults.map(\.json) }

  private static let nemesis = Nemesis()
  private static let end = VirtualTime.start + .seconds(80)

  private static func cut(
    _ form: LineageCut.Form, _ outcome: Lineage.Outcome, _ lineage: Lineage, round: Int = 0
  ) -> LineageCut? {
    LineageCut(form, of: outcome, in: lineage, round: round, nemesis: nemesis, end: end, apps: [])
  }

  @Test func `an acknowledged start rests on the watch's answer, and that on the phone's order`() throws {
    let lineage = try Self.lineage(try Self.bare()).lineage
    let outcome = try #require(lineage.outcomes.first { $0.kind.hasPrefix("start.acked") })
    let frames = outcome.support.map { lineage.frames[$0] }
    #expect(frames.prefix(2).map(\.direction) == [.watchToPhone, .phoneToWatch])
    #expect(frames.first?.arrivedAt == outcome.at)
    #expect(frames.allSatisfy { $0.sentAt <= outcome.at })
  }

  @Test func `without the frame that brought it no outcome comes about at its time`() throws {
    let lineage = try Self.lineage(try Self.bare()).lineage
    var count = 0
    for outcome in lineage.outcomes where !outcome.support.isEmpty {
      guard let cut = Self.cut(.drop, outcome, lineage) else { continue }
      let other = try Self.lineage(try Self.bare([cut.fault])).lineage
      #expect(
        !other.outcomes.contains { $0.kind == outcome.kind && $0.at == outcome.at },
        "\(outcome.kind) \(outcome.at.text)")
      count += 1
    }
    #expect(count > 10, "\(count)")
  }

  @Test func `a device that dies at the commit of its outcome has the outcome as the last thing it did`() throws {
    let lineage = try Self.lineage(try Self.bare()).lineage
    let outcome = try #require(lineage.outcomes.first { $0.kind.hasPrefix("workout.state to=ended") })
    let cut = try #require(Self.cut(.kill, outcome, lineage))
    let names = try Self.lineage(try Self.bare([cut.fault])).names
    let killed = try #require(names.first { $0.0 == "node.killed" })
    #expect(killed.1 == outcome.at)
  }

  @Test func `an old frame arrives just before the one that brought the outcome`() throws {
    let lineage = try Self.lineage(try Self.bare()).lineage
    let outcome = try #require(lineage.outcomes.first { $0.kind.hasPrefix("run.state to=running") })
    let cut = try #require(Self.cut(.stale, outcome, lineage))
    let names = try Self.lineage(try Self.bare([cut.fault])).names
    let stale = try #require(names.first { $0.0 == "snapshot.stale" })
    #expect(stale.1 < outcome.at && outcome.at - stale.1 <= .milliseconds(201))
  }

  @Test func `a seed's plan depends on its block only, not on where a worker begins`() throws {
    let scenario = try Self.scenario()
    let run = SeedRun(scenario, strategy: .lineage)
    var lines: [String] = []
    for seed in UInt64(0)..<40 { lines.append(try run.run(seed, isDigesting: true).line.text) }
    // From the middle, then backwards, which begins the block again.
    let other = SeedRun(scenario, strategy: .lineage)
    for seed in [UInt64(30), 31, 12] {
      let line = try other.run(seed, isDigesting: true).line.text
      #expect(line == lines[Int(seed)], "seed \(seed)")
    }
  }

  @Test func `a block begins with nothing of the one before`() throws {
    let scenario = try Self.scenario(nemesis: ", kinds: [\"kill\"]")
    let run = SeedRun(scenario, strategy: .lineage)
    for seed in LineageSearch.block - 2..<LineageSearch.block { _ = try run.run(seed) }
    let other = SeedRun(scenario, strategy: .lineage)
    for seed in LineageSearch.block..<LineageSearch.block + 4 {
      #expect(
        try run.run(seed, isDigesting: true).line == other.run(seed, isDigesting: true).line, "seed \(seed)")
    }
  }

  @Test func `plans are valid and different; every fourth seed draws at random, and all after the last plan`() throws {
    let scenario = try Self.scenario(nemesis: ", kinds: [\"loss\", \"kill\"]")
    let planner = SeedPlanner(scenario, .lineage)
    let first = 3 * LineageSearch.block
    var plans: Set<String> = []
    var drawn = 0
    for seed in first..<first + LineageSearch.block {
      let settled = try planner.settled(seed)
      let isDrawn = seed != first && settled.faults.first?.id.hasPrefix(Nemesis.idPrefix) != false
      guard !isDrawn else {
        #expect(Self.plan(settled) == Self.plan(try SeedPlanner(scenario, .random).settled(seed)))
        if seed % 4 != 3 { drawn += 1 }
        continue
      }
      #expect(drawn == 0 && seed % 4 != 3 && settled.seed == first, "seed \(seed)")
      #expect(settled.faults.isEmpty == (seed == first))
      let end = VirtualTime.start + .seconds(80)
      #expect(settled.faults.allSatisfy { $0.begin < end && $0.end.map { $0 <= end } ?? true })
      #expect(settled.faults.allSatisfy { ["loss", "kill"].contains($0.kind) })
      #expect(Set(settled.faults.map(\.id)).count == settled.faults.count)
      let text = SavedScenario.text(settled, in: "/")
      #expect(plans.insert(text).inserted, "seed \(seed)")
      let (again, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
      #expect(diagnostics.allSatisfy { !$0.hasErrors }, "seed \(seed): \(diagnostics)")
      #expect(Self.plan(again) == Self.plan(settled))
    }
    #expect(plans.count > 15 && drawn > 0, "\(plans.count), \(drawn)")
  }

  @Test func `nothing is learned from a seed on which the simulation dies`() throws {
    let scenario = try Self.scenario()
    let seed = UInt64(5)
    let all = try SeedPlanner(scenario, .lineage).settled(seed)
    // Without the base there is no support to cut.
    let without = try SeedPlanner(scenario, .lineage, skipping: [0]).settled(seed)
    #expect(Self.plan(all) != Self.plan(without))
    #expect(Self.plan(without) == Self.plan(try SeedPlanner(scenario, .random).settled(seed)))
  }

  /// A tenth of what random seeds need (docs/internals/searching.md).
  @Test(arguments: [
    ("stuck-alarm", 60), ("resurrection", 19), ("stale-start", 17), ("fossil-context", 3), ("double-tracking", 3),
    ("zombie-session", 2),
  ])
  func `the bugs that take most random seeds fall within a few runs, and nothing falls without them`(
    name: String, runs: Int
  ) throws {
    var scenario = try Scenario.load(Tool.scenario("trust"))
    let clean = SeedRun(scenario, strategy: .lineage)
    scenario.plant([try PlantCatalog.plant(named: name, "test")])
    let planted = SeedRun(scenario, strategy: .lineage)
    var found: UInt64?
    for seed in UInt64(0)..<UInt64(runs) where found == nil {
      if !(try planted.run(seed).line.hasPassed) { found = seed }
    }
    let seed = try #require(found)
    #expect(try clean.run(seed).line.hasPassed)
  }
}
