import Foundation
import Link
import LinkTestSupport
import LinkTransport
import Testing

@testable import Experiments
@testable import Simulator

@Suite struct ShrinkerTests {
  /// Ten minutes with twenty faults, of which only a cut of 25 s is long enough for the phone to miss the watch.
  private static func twenty(_ expect: String = "{ never: \"liveness.disconnected\" }") throws -> Scenario {
    var faults = ["{ id: \"the one\", at: 223.457, for: 25.123, disconnect: {} }"]
    for number in 0..<19 {
      let at = 20 + number * 27
      switch number % 5 {
      case 0: faults.append("{ at: \(at), for: 5, loss: { probability: 0.31 } }")
      case 1: faults.append("{ at: \(at), for: 7.5, delay: { mean: 0.4, jitter: 0.1, distribution: \"normal\" } }")
      case 2: faults.append("{ at: \(at), for: 20, duplicate: { probability: 0.5, copies: 2 } }")
      case 3: faults.append("{ at: \(at), for: 4, disconnect: {} }")
      default: faults.append("{ at: \(at), for: 9, reorder: { probability: 0.2, by: 1.5 } }")
      }
    }
    return try read(
      """
      { scenario: "twenty", duration: "10m", workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
        link: { profile: "ble-running" }, faults: [\(faults.joined(separator: ",\n"))], expect: [\(expect)] }
      """)
  }

  private static func read(_ text: String) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  private static func fails(_ scenario: Scenario) throws -> Bool {
    !SeedRun.hasPassed(try ScenarioRun.run(scenario, RunOptions()))
  }

  @Test func `of twenty faults the one that matters is left, shorter and rounder, in fewer than 400 runs`() throws {
    var scenario = try Self.twenty()
    for seed in 2...3 as ClosedRange<UInt64> {
      scenario.seed = seed
      let shrunk = try #require(try ShrunkRun.make(scenario))
      #expect(shrunk.runs < 400)
      #expect(shrunk.target == "expectation-1")
      #expect(shrunk.scenario.faults.map(\.id) == ["the one"])
      let fault = try #require(shrunk.scenario.faults.first)
      let length = try #require(fault.end) - fault.begin
      #expect(length < .seconds(13) && length.nanoseconds % 100_000_000 == 0, "\(length)")
      #expect(fault.begin.nanoseconds % 1_000_000_000 == 0, "\(fault.begin)")
      // Little more than up to the moment at which the phone misses the watch.
      let seconds = shrunk.scenario.duration.seconds
      #expect(seconds * 1e9 > Double(shrunk.finding.time < 0 ? 0 : shrunk.finding.time))
      #expect(seconds < 300, "\(seconds)")
      #expect(try Self.fails(shrunk.scenario))
      #expect(shrunk.summary.hasPrefix("1 of 20 faults, "))
    }
  }

  @Test func `the same run shrinks to the same file`() throws {
    let scenario = try Self.twenty()
    let first = try #require(try ShrunkRun.make(scenario))
    let second = try #require(try ShrunkRun.make(scenario))
    #expect(SavedScenario.text(first.scenario, in: "/") == SavedScenario.text(second.scenario, in: "/"))
    #expect(first.runs == second.runs)
  }

  @Test func `a saved scenario can be read, says what it shows and fails in the same way`() throws {
    var scenario = try Self.twenty("{ count: \"end\", exactly: 1 }, { never: \"liveness.disconnected\" }")
    scenario.seed = 9
    let shrunk = try #require(try ShrunkRun.make(scenario))
    #expect(shrunk.target == "expectation-2")
    let again = try Self.read(SavedScenario.text(shrunk.scenario, in: "/"))
    #expect(again.name == "twenty-9" && again.seed == 9 && again.expectations.count == 1)
    #expect(
      again.about.hasPrefix(
        "An expectation is not met: It never happens that the phone says that the watch is silent: "))
    #expect(again.about.contains("Shrunk from seed 9 of twenty: 1 of 20 faults, "))
    #expect(again.duration == shrunk.scenario.duration)
    #expect(try Self.fails(again))
    var bare = again
    bare.faults = []
    #expect(try !Self.fails(bare))
  }

  @Test func `two faults that only together do harm are both kept`() throws {
    // Neither cut alone is long enough.
    let scenario = try Self.read(
      """
      { scenario: "two", duration: "5m", workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
        link: { profile: "ideal" },
        faults: [
          { id: "a", at: 60, for: 8, disconnect: {} }, { id: "x", at: 61, for: 3, disconnect: {} },
          { id: "b", at: 67, for: 8, disconnect: {} }, { id: "y", at: 100, for: 8, loss: { probability: 0.4 } },
        ],
        expect: [{ never: "liveness.disconnected" }] }
      """)
    let shrunk = try #require(try ShrunkRun.make(scenario))
    #expect(shrunk.scenario.faults.map(\.id) == ["a", "b"])
    #expect(try Self.fails(shrunk.scenario))
  }

  @Test func `a fault is narrowed to what it needs to hit, and made simpler`() throws {
    let scenario = try Self.read(
      """
      { scenario: "narrow", duration: "5m", workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
        link: { profile: "ideal" },
        faults: [{ id: "l", at: 61.7, for: 43.21, loss: { model: "gilbert-elliott", goodToBad: 0.9, badToGood: 0.001 } }],
        expect: [{ never: "liveness.disconnected" }] }
      """)
    let fault = try #require(try ShrunkRun.make(scenario)?.scenario.faults.first)
    #expect(fault.direction == .watchToPhone)
    #expect(fault.channels == [.message])
    #expect(fault.body.fault as? LossFault == LossFault(.independent(.always)))
  }

  @Test func `what fails without any fault says so`() throws {
    let scenario = try Self.twenty("{ never: \"run.named\" }")
    let shrunk = try #require(try ShrunkRun.make(scenario))
    #expect(shrunk.needsNoFault && shrunk.scenario.faults.isEmpty)
    #expect(shrunk.scenario.duration < .seconds(20))
    #expect(shrunk.scenario.about.contains("none of 20 faults"))
    #expect(try Self.fails(shrunk.scenario))
  }

  @Test func `a run that passes is not shrunk, and another thing than asked for neither`() throws {
    #expect(try ShrunkRun.make(Self.twenty("{ count: \"end\", exactly: 1 }")) == nil)
    #expect(try ShrunkRun.make(Self.twenty(), target: "causality") == nil)
    #expect(try ShrunkRun.make(Self.twenty(), target: "expectation-1", runsMax: 5) != nil)
  }

  @Test(arguments: [2, 5, 30])
  func `the number of runs is bounded, and what is there by then still fails`(runsMax: Int) throws {
    let shrunk = try #require(try ShrunkRun.make(Self.twenty(), runsMax: runsMax))
    #expect(shrunk.runs <= runsMax)
    #expect(try Self.fails(shrunk.scenario))
  }

  /// A signal is a matter of the whole process, so this runs in one of its own.
  @Test func `a signal in the middle leaves the smallest that was found until then`() async {
    await #expect(processExitsWith: .exitCode(42)) { exit(try ShrinkerTests.stopInTheMiddle()) }
  }

  private static func stopInTheMiddle() throws -> Int32 {
    try StopSignal.install()
    let shrinker = try Shrinker(twenty()) { shrinker in
      guard shrinker.runs == 6 else { return }
      kill(getpid(), SIGINT)
      try? waitUntil("the signal") { StopSignal.isRaised }
    }
    guard var shrinker else { return 1 }
    try shrinker.shrink()
    guard shrinker.wasStopped, shrinker.runs == 6 else { return 2 }
    // By then some are gone, but not all that can be spared.
    guard (2..<20).contains(shrinker.best.faults.count) else { return 3 }
    guard shrinker.best.faults.contains(where: { $0.id == "the one" }) else { return 4 }
    return try fails(shrinker.best) ? 42 : 5
  }

  @Test func `what the nemesis drew is shrunk as if it had been written`() throws {
    var scenario = try Self.read(
      """
      { scenario: "drawn", duration: "5m", workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
        nemesis: { kinds: ["disconnect", "loss", "delay"], meanInterval: "15s", meanDuration: "12s", swarm: false },
        expect: [{ never: "liveness.disconnected" }] }
      """)
    var count = 0
    for seed in 0..<3 as Range<UInt64> {
      scenario.seed = seed
      guard let shrunk = try ShrunkRun.make(scenario) else { continue }
      count += 1
      #expect(shrunk.runs < 400 && shrunk.faultsBefore > 5)
      #expect(shrunk.scenario.faults.count <= 3)
      #expect(shrunk.scenario.faults.allSatisfy { $0.id.hasPrefix("nemesis-") })
      #expect(try Self.fails(shrunk.scenario))
    }
    #expect(count > 1)
  }

  @Test func `numbers are rounded one at a time, to one digit and to two`() throws {
    let fault = PlannedFault(
      id: "d", begin: VirtualTime(nanoseconds: 1_234_567_000),
      DelayFault(mean: .milliseconds(1_383), jitter: .milliseconds(829), distribution: .normal))
    let found = RoundNumbers.candidates(fault).compactMap { $0.body.fault as? DelayFault }
    #expect(found.map(\.mean.nanoseconds) == [1_000_000_000, 1_400_000_000, 1_383_000_000, 1_383_000_000])
    #expect(found.map(\.jitter.nanoseconds) == [829_000_000, 829_000_000, 800_000_000, 830_000_000])
    #expect(RoundNumbers.candidates(fault).allSatisfy { $0.id == "d" && $0.begin == fault.begin })
    let round = PlannedFault(id: "r", ReorderFault(probability: .always, by: .seconds(2)))
    #expect(RoundNumbers.candidates(round).isEmpty)
  }

  /// What a kind calls simpler is another fault of the same kind, and not simpler still for ever.
  @Test(arguments: FaultCatalog.all.map { $0.kind })
  func `what is simpler has an end`(kind: String) {
    let plan = (0..<30).flatMap {
      Nemesis(kinds: [kind], meanInterval: .seconds(5)).faults(
        seed: $0, before: VirtualTime(nanoseconds: 300_000_000_000))
    }
    for fault in plan {
      var body = fault.body
      var steps = 0
      while let next = body.simpler.first, steps < 10 {
        #expect(type(of: next.fault).kind == kind)
        body = next
        steps += 1
      }
      #expect(steps < 10, "\(fault.json)")
    }
  }
}
