import Foundation
import Link
import PhoneSim
import Testing

@testable import Experiments
@testable import Simulator
@testable import Console

/// Shrinking of what happens besides faults: events, script lines, the link.
@Suite struct ShrinkPartsTests {
  private static func read(_ text: String) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  private static let crowded = """
    { scenario: "crowded", duration: "4m", link: { latency: "20ms", loss: 0.01 },
      workout: { source: { model: { distance: 100000, pace: "5:00/km" } },
        events: [{ at: "30s", do: "pause" }, { at: "40s", do: "resume" }, { at: "70s", do: "pause" },
          { at: "80s", do: "resume" }] },
      phone: { events: [{ at: "50s", do: "mute" }, { at: "55s", do: "unmute" }, { at: "100s", do: "mute" }] },
      script: { id: "s", messages: [
        { id: "a", triggerSpec: { type: "time", atSeconds: 20 }, text: "Twenty." },
        { id: "b", triggerSpec: { type: "time", atSeconds: 60 }, text: "Sixty." },
        { id: "c", triggerSpec: { type: "time", atSeconds: 110 }, text: "Later." }] },
      faults: [{ id: "x", at: "105s", for: "3s", loss: { probability: 0.01 } }],
      expect: [EXPECT] }
    """

  /// Shrinks where a run fails as long as the scenario has what `needs` asks for.
  private static func shrunk(_ needs: @escaping (Scenario) -> Bool) throws -> Shrinker {
    let finding = SweepLine.Finding(invariant: "play-once", time: 60_000_000_000, detail: "a line was played twice")
    let found = ObservedFinding(finding: finding, kind: FailureKind(finding, phase: "running"))
    let scenario = try read(crowded.replacing("expect: [EXPECT]", with: ""))
    let made = try Shrinker(scenario, run: { (scenario) throws(Failure) in needs(scenario) ? [found] : [] })
    var shrinker = try #require(made)
    try shrinker.shrink()
    return shrinker
  }

  @Test func `only the event and the line that matter are left, on an ideal link`() throws {
    let shrinker = try Self.shrunk { scenario in
      scenario.phoneCommands.contains { $0.command.name == "mute" && $0.at == .start + .seconds(100) }
        && scenario.script.messages.contains { $0.id == "b" }
    }
    #expect(shrinker.best.watchCommands.isEmpty)
    #expect(shrinker.best.phoneCommands.map(\.at) == [.start + .seconds(100)])
    #expect(shrinker.best.script.messages.map(\.id) == ["b"])
    #expect(shrinker.best.link.params == ProfileCatalog.profile(named: "ideal")?.params)
    #expect(shrinker.runs <= Shrinker.runsMaxStandard)
  }

  @Test func `a link that matters stays`() throws {
    let link = try Self.read(Self.crowded.replacing("EXPECT", with: "")).link.params
    let shrinker = try Self.shrunk { $0.link.params == link }
    #expect(shrinker.best.link.params == link && shrinker.best.watchCommands.isEmpty)
  }

  @Test func `an expectation that fails without any fault keeps what it waits for`() throws {
    // It fails because the line comes later, and would fail without the line, too.
    let expect = "{ event: \"script.dispatch\", where: { message: \"c\" }, between: [\"10s\", \"60s\"] }"
    let scenario = try Self.read(Self.crowded.replacing("EXPECT", with: expect))
    let shrunk = try #require(try ShrunkRun.make(scenario))
    #expect(shrunk.needsNoFault && shrunk.size.after == shrunk.size.before)
    #expect(shrunk.size.before.events == 7 && shrunk.size.before.lines == 3)
    #expect(shrunk.summary.contains("7 of 7 events, 3 of 3 script lines"))
  }

  @Test(arguments: ["phantom-run", "late-pause", "double-delivery"])
  func `a planted bug needs few events and lines, and fails by that bug alone`(name: String) throws {
    let plant = try #require(PlantCatalog.all.first { $0.name == name })
    var scenario = try Scenario.load(Tool.scenario("field/\(name)"))
    scenario.plant([plant])
    let target = try #require(plant.caughtBy.first)
    let shrunk = try #require(try ShrunkRun.make(scenario, target: target))
    #expect(shrunk.runs <= Shrinker.runsMaxStandard)
    #expect(shrunk.size.after.events <= 3 && shrunk.size.after.lines <= 1, "\(shrunk.summary)")
    var small = shrunk.scenario
    small.plants = []
    #expect(try ObservedFinding.run(small).allSatisfy { $0.kind.invariant != target })
  }
}
