import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// A run that is kept as a scenario of its own.
@Suite struct SavedScenarioTests {
  private static let drawn = """
    {
      // Comments go.
      scenario: "drawn", about: "what is drawn", duration: "3m",
      workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
      nemesis: { meanInterval: "10s", meanDuration: "5s", kinds: [KINDS] },
      faults: [{ id: "mine", at: "20s", for: "3s", disconnect: {} }],
      expect: [{ count: "end", exactly: 1 }],
    }
    """

  private static func read(_ text: String, folder: String = "/") throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: folder)
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))\n\(text)")
    return scenario
  }

  private static func trace(_ scenario: Scenario) throws -> [UInt8] {
    var text: [UInt8] = []
    var options = RunOptions()
    options.output = { text += $0 }
    _ = try ScenarioRun.run(scenario, options)
    return text
  }

  @Test(arguments: 0..<8)
  func `it gives the same trace to the byte, without a nemesis`(seed: Int) throws {
    let kinds = (FaultCatalog.frameFaults.map { $0.kind } + ["disconnect"]).map { "\"\($0)\"" }
    var scenario = try Self.read(Self.drawn.replacing("KINDS", with: kinds.joined(separator: ", ")))
    scenario.seed = seed == 0 ? .max : UInt64(seed)
    let saved = try Self.read(SavedScenario.text(scenario, in: "/"))
    #expect(saved.nemesis == nil)
    #expect(saved.faults.count > 5 && saved.faults.first?.id == "mine")
    #expect(saved.seed == scenario.seed && saved.about == scenario.about)
    #expect(try Self.trace(saved) == Self.trace(scenario))
    // And once more from there.
    #expect(SavedScenario.text(saved, in: "/") == SavedScenario.text(scenario, in: "/"))
  }

  @Test func `every drawn fault is in the header, and none is drawn in the healthy tail`() throws {
    var scenario = try Self.read(Self.drawn.replacing("KINDS", with: "\"loss\", \"delay\""))
    var latest = VirtualTime.start
    for seed in 0..<60 as Range<UInt64> {
      scenario.seed = seed
      let plan = scenario.faultPlan
      #expect(scenario.header.faults == JSONNode(.array(plan.map { JSONNode($0.json) })))
      for fault in plan { latest = max(latest, fault.end ?? fault.begin) }
    }
    // A tenth of three minutes.
    #expect(latest.nanoseconds <= 162_000_000_000 && latest.nanoseconds > 150_000_000_000, "\(latest)")
  }

  @Test(arguments: [
    ("duration: \"10m\"", 600.0),
    ("duration: \"30m\", workout: { source: { model: { distance: 1000, pace: 300 } } }", 303),
    ("workout: { source: { model: { distance: 2000, pace: 300, drift: 10 } }, at: \"1m\", preparing: 0 }", 680),
    ("workout: { source: { model: { stops: [{ at: 10, for: \"1m\" }], distance: 1000, pace: 240 } } }", 303),
    ("workout: { events: [{ at: \"2m\", do: \"end\" }] }", 120),
  ])
  func `the end of a run is computed from the file`(text: String, seconds: Double) throws {
    #expect(try Self.read("{ scenario: \"x\", \(text) }").expectedEnd == .start + .seconds(Int64(seconds)))
  }

  @Test func `a saved scenario embeds its script, and names a recorded workout relative to itself`() throws {
    let folder = try TemporaryFolder()
    let script = #"{"id":"s","messages":[{"id":"a","triggerSpec":{"type":"time","atSeconds":9},"text":"Nine."}]}"#
    try folder.write("script.json", script)
    let text = """
      { scenario: "x", script: "script.json", workout: { source: { import: "runs/lap.gpx" } } }
      """
    let scenario = try Self.read(text, folder: folder.url.path())
    let base = folder.url.path().hasSuffix("/") ? String(folder.url.path().dropLast()) : folder.url.path()
    let saved = SavedScenario.text(scenario, in: base + "/deep/er")
    #expect(saved.contains("\"../../runs/lap.gpx\""), "\(saved)")
    #expect(saved.contains("Nine."))
    #expect(try Self.read(saved, folder: base + "/deep/er").nodeMembers == scenario.nodeMembers)
    #expect(SavedScenario.text(scenario, in: base).contains("\"runs/lap.gpx\""))
    #expect(FilePath.relative("/a/b.gpx", to: "/c/d") == "/a/b.gpx")
  }

  @Test func `run saves its drawn faults where --save says`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.drawn.replacing("KINDS", with: "\"loss\"").utf8).write(to: folder.appending(path: "s.json5"))
    let first = try Tool(
      ["run", "s.json5", "--seed", "5", "--trace", "a.jsonl", "--save", "kept.json5"], in: folder
    ).finish()
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    let second = try Tool(["run", "kept.json5", "--trace", "b.jsonl", "--mode", "in-process"], in: folder).finish()
    #expect(second.status == 0)
    let traces = try ["a.jsonl", "b.jsonl"].map { try Data(contentsOf: folder.appending(path: $0)) }
    #expect(traces[0] == traces[1] && !traces[0].isEmpty)
  }

  @Test func `an id of the nemesis's own is refused beside one`() {
    let text = "{ scenario: \"x\", nemesis: {}, faults: [{ id: \"nemesis-4\", disconnect: {} }] }"
    let (_, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(diagnostics[0].description.contains("the id \"nemesis-4\" is one of the nemesis's own"))
  }
}
