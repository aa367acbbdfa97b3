import CoachProtocol
import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// A day on all systems, and a coach that accompanies its runs only.
@Suite struct DayScenarioTests {
  /// The events of a run, judged.
  private func run(_ scenario: Scenario) throws -> (RunOutcome, [TraceEvent]) {
    let text = TraceText()
    var options = RunOptions()
    options.output = { text.append($0) }
    let outcome = try ScenarioRun.run(scenario, options)
    var events: [TraceEvent] = []
    text.forEachEvent { event, _ in events.append(event) }
    return (outcome, events)
  }

  private func read(_ text: String) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    try #require(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  /// A run of the edge's coach, then a ride, then a run.
  private static func mixed(_ rest: String) -> String {
    """
    { scenario: "mixed", seed: 5, duration: "20m", startedAt: "2026-05-09T07:00:00Z", timeZone: "Europe/Berlin",
      workouts: [
        { source: { model: { distance: 500, pace: "4:00/km" } } },
        { at: "5m", discipline: "riding", source: { model: { duration: "4m" } } },
        { at: "12m", source: { model: { distance: 500, pace: "4:00/km" } } },
      ],
      plan: { distance: 500, time: "2m" }, link: { profile: "ideal" }, uplink: { profile: "lte" },
      phone: { training: {} }, edge: {} \(rest) }
    """
  }

  @Test func `the day is met, and the nemesis harms no system`() throws {
    for name in ["day", "day-nemesis"] {
      let scenario = try Scenario.load(Tool.scenario(name))
      var options = RunOptions()
      options.level = .judged
      let outcome = try ScenarioRun.run(scenario, options)
      #expect(outcome.status == 0, "\(name): \(outcome.violations) \(outcome.expectations)")
    }
  }

  @Test func `the day is the same as processes, byte for byte`() throws {
    let path = Tool.scenario("day")
    let digests = try ["in-process", "processes"].map { mode in
      let run = try Tool.run(["run", path, "--json", "--mode", mode])
      #expect(run.status == 0, "\(run.errors)")
      return try JSONParser.parse(run.output, dialect: .json)["traceDigest"]?.text
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func `the coach asks for a script for each run, and for none of a ride`() throws {
    let (outcome, events) = try run(read(Self.mixed("")))
    #expect(outcome.status == 0, "\(outcome.violations)")
    let opened = events.filter { $0.name == "run.opened" }.compactMap { $0.text("workoutId") }
    try #require(opened.count == 3)
    let requests = events.filter { $0.name == "ai.requested" }
    let scripts = requests.filter { $0.text("kind") == "generateScript" }.compactMap { $0.text("runId") }
    #expect(scripts == [opened[0], opened[2]])
    let summaries = requests.filter { $0.text("kind") == "postRunSummary" }.compactMap { $0.text("runId") }
    #expect(summaries == [opened[0], opened[2]])
    let ride = VirtualTime.start + .seconds(300)
    let second = VirtualTime.start + .seconds(720)
    let spoken = events.filter { $0.name == "script.dispatch" }.map(\.time)
    #expect(spoken.contains { $0 < ride } && spoken.contains { $0 > second })
    #expect(!spoken.contains { (ride...second).contains($0) })
  }

  @Test func `only the start of another discipline names it, and only for a coach`() throws {
    func named(_ scenario: Scenario) throws -> [String?] {
      try run(scenario).1.filter { $0.name == "transfer.queued" && $0.text("kind") == "workoutStarted" }
        .map { $0.text("discipline") }
    }
    #expect(try named(read(Self.mixed(""))) == [nil, "riding", nil])
    let script = ", script: { messages: [{ id: 'a', text: 'Go.', triggerSpec: { type: 'time', atSeconds: 5 } }] }"
    #expect(try named(read(Self.mixed(script))) == [nil, nil, nil])
  }

  @Test func `a ride whose first snapshot is late hears nothing of the run before`() throws {
    // The first update of the ride is a snapshot far beyond the run's first lines.
    let faults = ", faults: [{ at: '4m50s', for: '2m', disconnect: {} }]"
    let (outcome, events) = try run(read(Self.mixed(faults)))
    #expect(outcome.status == 0, "\(outcome.violations)")
    let between = (VirtualTime.start + .seconds(290))...(VirtualTime.start + .seconds(715))
    #expect(!events.contains { $0.name == "script.dispatch" && between.contains($0.time) })
    #expect(events.contains { $0.name == "training.stored" && $0.text("discipline") == "riding" })
  }

  @Test func `an edge that fails gives the personality's own script to the run, and to nothing else`() throws {
    let failing = Self.mixed("").replacingOccurrences(
      of: "edge: {}", with: "edge: { failures: [{ call: 'generateScript', do: 'error502' }] }")
    let (outcome, events) = try run(read(failing))
    #expect(outcome.status == 0, "\(outcome.violations)")
    let loaded = events.filter { $0.name == "script.loaded" }
    // The run's, an empty one for the ride, the second run's.
    #expect(loaded.map { $0.text("source") } == ["fallback", "fallback", "fallback"])
    let ride = VirtualTime.start + .seconds(300)
    #expect(loaded.map { $0.time >= ride } == [false, true, true])
  }
}
