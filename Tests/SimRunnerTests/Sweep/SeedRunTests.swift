import Link
import PhoneSim
import Testing

@testable import Experiments
@testable import Simulator

/// What the seeds of a sweep share, and what they must not.
@Suite struct SeedRunTests {
  /// A short run under a nemesis; some seeds do not meet what is expected.
  private static func scenario(_ more: String = "") throws -> Scenario {
    let text = """
      { scenario: "short", duration: "3m", link: { profile: "ble-running" },
        workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
        nemesis: { kinds: ["disconnect", "loss", "kill", "suspend"], meanInterval: "40s" },
        expect: [{ never: "link.down" }] \(more) }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: ".")
    #expect(diagnostics.allSatisfy { !$0.hasErrors }, "\(diagnostics)")
    return scenario
  }

  private static let own = """
    , script: { messages: [
      { id: "half a minute", triggerSpec: { type: "time", atSeconds: 30 }, text: "Half a minute, \\"on\\"." } ] }
    """

  @Test(arguments: ["", own]) func `a seed comes to the same after others as by itself`(script: String) throws {
    var scenario = try Self.scenario(script)
    let run = SeedRun(scenario)
    var failed = 0
    for seed in [UInt64(7), 3, 3, 0, 12, 7, 5, 1, 2, 4] {
      scenario.seed = seed
      let after = try run.run(seed, isDigesting: true)
      let alone = try SeedRun(scenario).run(seed, isDigesting: true)
      #expect(after.line.text == alone.line.text)
      #expect(after.met.cells == alone.met.cells)
      #expect(after.circumstances == alone.circumstances)
      let outcome = try ScenarioRun.run(scenario, RunOptions())
      #expect(outcome.traceDigest == after.line.traceDigest)
      #expect(SeedRun.hasPassed(outcome) == after.line.hasPassed)
      if !after.line.hasPassed { failed += 1 }
    }
    #expect(failed > 0 && failed < 10)
  }

  @Test(arguments: ["", own, ", race: { name: \"r\", distanceMeters: 5000, targetTimeSeconds: 1500 }"])
  func `the phone tells the text that the scenario has of its script`(more: String) throws {
    let isRace = more.contains("race")
    var scenario = try Self.scenario(isRace ? "" : more)
    if isRace {
      let source = "source: { model: { distance: 5000, pace: \"5:00/km\" } }"
      let text = "{ scenario: \"s\", workout: { mode: \"race\", \(source) } \(more) }"
      scenario = Scenario.read(Array(text.utf8), file: "s", folder: ".").0
      #expect(scenario.race != nil)
    }
    scenario.duration = .seconds(20)
    #expect(scenario.scriptText == scenario.script.canonicalText)
    #expect(scenario.header.expectedScript == scenario.scriptText)
    var told: [TraceValue] = []
    var options = RunOptions()
    options.onEvent = { event, _ in
      if event.name == "script.loaded", let script = event["script"] { told.append(script) }
    }
    _ = try ScenarioRun.run(scenario, options)
    #expect(told == [.json(scenario.script.canonicalText)])
  }

  @Test func `the expected script is not written`() throws {
    var header = try Self.scenario().header
    var bytes: [UInt8] = []
    header.append(to: &bytes)
    header.expectedScript = nil
    var bare: [UInt8] = []
    header.append(to: &bare)
    #expect(bytes == bare)
    #expect(try TraceHeader(line: bytes).expectedScript == nil)
  }
}
