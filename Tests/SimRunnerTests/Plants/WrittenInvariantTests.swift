@testable import CoachCheckers
@testable import LinkCheckers
import Foundation
import Link
import PhoneSim
import Testing

@testable import Simulator
@testable import Console

/// `docs/written-invariants.json5`: invariants that a scenario can state itself.
@Suite struct WrittenInvariantTests {
  struct Written: Sendable {
    let invariant: String
    let finds: [String]
    let expectations: [ReadExpectation]
  }

  static let written: [Written] = {
    let file = Tool.root.appending(path: "docs/written-invariants.json5")
    guard let text = try? String(contentsOf: file, encoding: .utf8),
      let list = try? JSONParser.parse(text, dialect: .json5)
    else { return [] }
    return list.elements.compactMap { node in
      guard let invariant = node["invariant"]?.text, let expect = node["expect"] else { return nil }
      let collector = DiagnosticsCollector(file: "written-invariants.json5")
      let expectations = ExpectationCatalog.read(JSONValueReader(expect, path: "expect", into: collector))
      // What cannot be read is missing from it.
      guard collector.diagnostics.lines.isEmpty else { return nil }
      return Written(
        invariant: invariant, finds: node["finds"]?.elements.compactMap(\.text) ?? [], expectations: expectations
      )
    }
  }()

  /// Judges a scenario by other expectations than its own.
  private func run(
    _ name: String, _ expectations: [ReadExpectation], seed: UInt64? = nil, plant: Plant? = nil
  ) throws -> RunOutcome {
    var scenario = try Scenario.load(Tool.scenario(name))
    scenario.expectations = expectations
    scenario.seed = seed ?? scenario.seed
    if let plant { scenario.plant([plant]) }
    var options = RunOptions()
    options.level = .judged
    return try ScenarioRun.run(scenario, options)
  }

  @Test func `at least 30 invariants are written as expectations, each once`() throws {
    let text = try String(contentsOf: Tool.root.appending(path: "docs/written-invariants.json5"), encoding: .utf8)
    let names = Self.written.map(\.invariant)
    #expect(try names.count == JSONParser.parse(text, dialect: .json5).elements.count, "all of them can be read")
    #expect(Set(names).count == names.count && names.count >= 30)
    let known = Set((CheckerCatalog.all + CoachCheckerCatalog.all).map { $0.invariant })
    #expect(names.allSatisfy(known.contains), "\(names.filter { !known.contains($0) })")
    // Where a known bug breaks one, it finds such a bug.
    for one in Self.written {
      let plants = PlantCatalog.all.filter { $0.caughtBy.contains(one.invariant) }
      #expect(one.finds.isEmpty == plants.isEmpty, "\(one.invariant)")
      #expect(one.finds.allSatisfy { name in plants.contains { $0.name == name } }, "\(one.invariant)")
    }
  }

  @Test func `without a bug they hold, and do so of events that happen`() throws {
    // Those that find bugs are seen to judge something below; the other exception needs an app that switches watches.
    var unseen = Set(Self.written.filter(\.finds.isEmpty).map(\.invariant)).subtracting(["session-reactivated"])
    let names = [
      "demo", "coach/race-day", "coach/talk-to-coach-10k", "two-phones", "ingestion/first-week", "week", "traffic",
    ]
    for name in names {
      // It is for races.
      let all = Self.written.filter { name == "coach/race-day" || $0.invariant != "no-network-in-race-mode" }
      var results = try run(name, all.flatMap(\.expectations)).expectations[...]
      for one in all {
        let own = results.prefix(one.expectations.count)
        results = results.dropFirst(one.expectations.count)
        #expect(own.allSatisfy { $0.result.hasPassed }, "\(name), \(one.invariant): \(own.map(\.result))")
        if own.contains(where: { !$0.result.lines.isEmpty }) { unseen.remove(one.invariant) }
      }
    }
    #expect(unseen.sorted() == [])
  }

  @Test(arguments: written.flatMap { one in one.finds.map { (one.invariant, $0) } })
  func `one finds the bugs that it lists`(invariant: String, plant: String) throws {
    let one = try #require(Self.written.first { $0.invariant == invariant })
    let planted = try #require(PlantCatalog.all.first { $0.name == plant })
    let clean = try run("field/\(plant)", one.expectations)
    #expect(clean.expectations.allSatisfy { $0.result.hasPassed }, "\(clean.expectations.map(\.result))")
    let broken = try run("field/\(plant)", one.expectations, plant: planted)
    #expect(broken.violations.contains { $0.invariant == invariant })
    #expect(broken.expectations.contains { !$0.result.hasPassed })
  }

  /// Compares the verdicts of a sweep's seeds, with and without the bug.
  ///
  /// Once 2,000 seeds from 5,000,000 on were compared, with and without: all verdicts agreed.
  @Test(
    arguments: [
      ("race-no-signal", "no-network-in-race-mode", [0, 1]), ("session-twice", "session-once", [0, 1]),
      // Seed 958 has the second phone's row only among those that the first phone's user made.
      ("twin-rows", "row-once", [0, 958]), ("double-delivery", "play-once", [5, 6, 7, 8]),
      ("backward-stamps", "sent-at-monotonic", [15, 16, 17]),
    ] as [(String, String, [UInt64])])
  func `an expectation agrees with its invariant in every seed of a sweep`(
    plant: String, invariant: String, seeds: [UInt64]
  ) throws {
    let one = try #require(Self.written.first { $0.invariant == invariant })
    let planted = try #require(PlantCatalog.all.first { $0.name == plant })
    var failures = 0
    for seed in seeds {
      for hasBug in [false, true] {
        let outcome = try run(planted.sweptIn, one.expectations, seed: seed, plant: hasBug ? planted : nil)
        let isBroken = outcome.violations.contains { $0.invariant == invariant }
        #expect(isBroken == outcome.expectations.contains { !$0.result.hasPassed }, "seed \(seed), \(hasBug)")
        #expect(hasBug || !isBroken)
        failures += isBroken ? 1 : 0
      }
    }
    #expect(failures > 0)
  }
}
