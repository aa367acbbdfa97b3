import Foundation
import Link
import PhoneSim
import Testing

@testable import sim_runner

/// Invariants that a scenario can state itself: with and without the bug, the expectation agrees with the invariant.
@Suite struct WrittenInvariantTests {
  static let cases = [
    (
      "race-no-signal", "no-network-in-race-mode",
      "{ never: 'ai.requested', after: { event: 'run.opened' }, until: { event: 'run.finished' } }"
    ),
    ("double-delivery", "play-once", "{ always: 'script.dispatch', unique: ['message', 'multiple'] }"),
    (
      "staged-twice", "ingestion-upserts",
      "{ always: 'ingestion.staged', where: { row: 'new' }, unique: ['type', 'day'] }"
    ),
    (
      "zombie-session", "ended-is-final",
      "{ never: 'snapshot', after: { event: 'snapshot', where: { state: 'ended' } } }"
    ),
    (
      "lost-end", "run-survives-disconnect",
      "{ event: 'transfer.queued', within: '1s', after: { event: 'workout.state', where: { to: 'ended' } } }"
    ),
  ]

  /// For sweeps with random faults, in which a bug shows in some seeds only.
  static let sweeps = [
    (
      "race-no-signal", "no-network-in-race-mode",
      ["{ never: 'ai.requested', after: { event: 'run.opened' }, until: { event: 'run.finished' } }"]
    ),
    ("session-twice", "session-once", ["{ always: 'training.stored', unique: ['workoutId'] }"]),
    ("twin-rows", "row-once", ["{ always: 'training.shown', unique: ['phone', 'source'] }"]),
    (
      "double-delivery", "play-once",
      [
        "{ always: 'script.dispatch', where: { trigger: 'distance' }, unique: ['message', 'multiple'] }",
        "{ always: 'script.dispatch', where: { trigger: 'time' }, unique: ['message'] }",
        "{ always: 'script.dispatch', where: { trigger: 'halfway' }, unique: ['message'] }",
      ]
    ),
    ("backward-stamps", "sent-at-monotonic", ["{ always: 'snapshot', rises: 'sentAt' }"]),
  ]

  /// Compares the verdicts of a sweep's seeds, with and without the bug.
  ///
  /// Once 2,000 seeds were compared: all agreed for the first two bugs, and all but seed 958 for `twin-rows`, which
  /// only the invariant objects to.
  @Test(arguments: sweeps)
  func `an expectation agrees with its invariant in every seed of a sweep`(
    plant: String, invariant: String, texts: [String]
  ) throws {
    let collector = DiagnosticsCollector(file: "s")
    let node = try JSONParser.parse("[\(texts.joined(separator: ", "))]", dialect: .json5)
    let expectations = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
    #expect(!collector.diagnostics.hasErrors && expectations.count == texts.count)
    let planted = try #require(PlantCatalog.all.first { $0.name == plant })
    var scenario = try Scenario.load(Tool.scenario(planted.sweptIn))
    scenario.expectations = expectations
    var options = RunOptions()
    options.level = .judged
    var failures = 0
    for seed in UInt64(0)..<18 {
      for hasBug in [false, true] {
        var one = scenario
        one.seed = seed
        if hasBug { one.plant(planted.plants) }
        let outcome = try ScenarioRun.run(one, options)
        let isBroken = outcome.violations.contains { $0.invariant == invariant }
        #expect(isBroken == outcome.expectations.contains { !$0.result.hasPassed }, "seed \(seed), \(hasBug)")
        #expect(hasBug || !isBroken)
        failures += isBroken ? 1 : 0
      }
    }
    #expect(failures > 0)
  }

  @Test(arguments: cases)
  func `an expectation agrees with the invariant that it states`(plant: String, invariant: String, text: String) throws
  {
    let collector = DiagnosticsCollector(file: "s")
    let node = try JSONParser.parse("[\(text)]", dialect: .json5)
    let expectations = ExpectationCatalog.read(JSONValueReader(node, path: "expect", into: collector))
    #expect(!collector.diagnostics.hasErrors && expectations.count == 1)
    let planted = try #require(PlantCatalog.all.first { $0.name == plant })
    for seed in 1...6 {
      for hasBug in [false, true] {
        var scenario = try Scenario.load(Tool.scenario("field/\(plant)"))
        scenario.seed = UInt64(seed)
        scenario.expectations = expectations
        if hasBug { scenario.plant(planted.plants) }
        var options = RunOptions()
        options.level = .judged
        let outcome = try ScenarioRun.run(scenario, options)
        let isBroken = outcome.violations.contains { $0.invariant == invariant }
        let isMet = try #require(outcome.expectations.first).result.hasPassed
        #expect(isBroken == hasBug && isMet == !hasBug, "seed \(seed): \(outcome.expectations)")
      }
    }
  }
}
