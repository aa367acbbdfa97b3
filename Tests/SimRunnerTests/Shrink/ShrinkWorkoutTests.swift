import CoachProtocol
import Foundation
import Link
import PhoneSim
import Testing
import WatchSim

@testable import Experiments
@testable import Simulator
@testable import Console

/// Shrinking of the workout and of the times at which things happen, and what may vary in the result.
@Suite struct ShrinkWorkoutTests {
  private static func read(_ text: String) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  private static let hilly = """
    { scenario: "hilly", seed: 7, duration: "20m", link: { profile: "ideal" },
      workout: { mode: "free", runType: "treadmill", preparing: "5s",
        source: { model: { distance: 9700, pace: "6:10/km", hills: 20, noise: 3,
          stops: [{ at: 500, for: "30s" }, { at: 900, for: "20s" }] } },
        events: [{ at: "100s", do: "pause" }, { at: "190s", do: "resume" }, { at: "300s", do: "pause" },
          { at: "400s", do: "resume" }] },
      memory: { "hr.max": 188 }, plan: { distance: 9700, time: "60m" },
      script: { id: "s", messages: [] },
      faults: [{ id: "cut", at: "500s", for: "20s", disconnect: {} }] }
    """

  /// A shrinker for which a scenario fails while `needs` holds.
  private static func shrinker(
    _ text: String = hilly, runsMax: Int = Shrinker.runsMaxStandard, _ needs: @escaping (Scenario) -> Bool
  ) throws -> Shrinker {
    let finding = SweepLine.Finding(invariant: "play-once", time: 1_000_000_000, detail: "a line was played twice")
    let found = ObservedFinding(finding: finding, kind: FailureKind(finding, phase: "running"))
    let made = try Shrinker(
      read(text), runsMax: runsMax, run: { (scenario) throws(Failure) in needs(scenario) ? [found] : [] })
    return try #require(made)
  }

  private static func model(_ scenario: Scenario) -> RunnerParameters? {
    guard case .model(let model) = scenario.workout.source else { return nil }
    return model
  }

  @Test func `what a workout does not need has its default, and its length is what is needed`() throws {
    var shrinker = try Self.shrinker { scenario in
      guard let model = Self.model(scenario) else { return false }
      return model.distance >= 1_200 && model.hills == 20
    }
    try shrinker.shrink()
    let model = try #require(Self.model(shrinker.best))
    #expect((1_200..<1_500).contains(model.distance) && model.hills == 20)
    #expect(model.stops.isEmpty && model.noise == 1 && model.pace == RunnerParameters().pace)
    #expect(shrinker.best.workout.runType == .outdoor && shrinker.best.workout.preparing == .seconds(3))
    #expect(shrinker.best.memory.isEmpty && shrinker.best.plan.distance == nil)
    #expect(shrinker.best.watchCommands.isEmpty && shrinker.best.faults.isEmpty)
  }

  @Test func `of several stops the one that matters is left`() throws {
    var shrinker = try Self.shrinker { scenario in
      Self.model(scenario)?.stops.contains { $0.atMeters == 900 } ?? false
    }
    try shrinker.shrink()
    #expect(Self.model(shrinker.best)?.stops.map(\.atMeters) == [900])
  }

  @Test func `a pause that matters is short, and the other one is gone`() throws {
    var shrinker = try Self.shrinker { scenario in
      let commands = scenario.watchCommands
      guard let pause = commands.firstIndex(where: { $0.command.name == "pause" }),
        let resume = commands.dropFirst(pause).first(where: { $0.command.name == "resume" })
      else { return false }
      return resume.at - commands[pause].at >= .seconds(10)
    }
    try shrinker.shrink()
    let commands = shrinker.best.watchCommands
    #expect(commands.map(\.command.name) == ["pause", "resume"])
    let length = try #require(commands.last).at - commands[0].at
    #expect(length >= .seconds(10) && length < .seconds(20), "\(length)")
  }

  @Test func `faults and events move together to the start`() throws {
    let needs: (Scenario) -> Bool = { scenario in
      guard let fault = scenario.faults.first, fault.begin <= .start + scenario.duration else { return false }
      return scenario.watchCommands.contains { fault.begin - $0.at == .seconds(100) && $0.command.name == "resume" }
    }
    var shrinker = try Self.shrinker(Self.hilly, needs)
    try shrinker.shrink()
    #expect(needs(shrinker.best))
    #expect(shrinker.best.watchCommands.map(\.at) == [.start], "\(shrinker.best.watchCommands)")
  }

  @Test func `a range of begins is one in which every tried instant fails`() throws {
    var tried: [Int64] = []
    var shrinker = try Self.shrinker { scenario in
      guard scenario.seed == 7, let fault = scenario.faults.first, fault.kind == "disconnect" else { return false }
      let second = fault.begin.nanoseconds / 1_000_000_000
      tried.append(second)
      return (480...530).contains(second)
    }
    let freedoms = try shrinker.findFreedoms()
    let begin = try #require(freedoms.first { $0.subject.text == "the begin of fault cut" })
    #expect(begin.range == .start + .seconds(480) ... .start + .seconds(530))
    #expect(begin.failed == begin.tried && begin.tried >= 5)
    #expect(tried.contains(479) && tried.contains(531), "the ends are those of the range")
    #expect(freedoms.first { $0.subject == .seed }.map { $0.failed == 0 && $0.tried == 6 } == true)
    #expect(!freedoms.contains { $0.subject == .kind("cut") })
    #expect(begin.text.hasPrefix("any disconnect of 20 s that begins in 8:00..8:50 does it ("))
  }

  @Test func `another kind of fault that does it is named, and everything together may be later`() throws {
    var shrinker = try Self.shrinker { scenario in
      guard let fault = scenario.faults.first else { return false }
      return scenario.watchCommands.contains { fault.begin - $0.at == .seconds(100) }
    }
    let freedoms = try shrinker.findFreedoms()
    let kind = try #require(freedoms.first { $0.subject == .kind("cut") })
    #expect(kind.kinds == ["loss"] && kind.text == "loss in place of fault cut does it, too (1 of 1 tried)")
    let all = try #require(freedoms.first { $0.subject == .everything }?.range)
    #expect(all.lowerBound == .start && all.upperBound > .start + .seconds(1_000))
    #expect(shrinker.runs <= Shrinker.freedomRunsMax + 1)
  }

  @Test func `only the stretch of a recording that matters is left`() throws {
    let text = """
      { scenario: "lap", duration: "1m40s", link: { profile: "ideal" }, script: { id: "s", messages: [] },
        workout: { source: { import: "FILE" } } }
      """.replacing("FILE", with: Tool.root.appending(path: "traces/lap.gpx").path)
    // Fails as long as the recording has its seconds 40 to 50.
    var shrinker = try Self.shrinker(text) { scenario in
      guard case .recorded(_, _, let stretch, _) = scenario.workout.source else { return false }
      let isLongEnough = scenario.duration >= .seconds(50 - Int64(stretch.from))
      return isLongEnough && stretch.from <= 40 && stretch.to ?? .max >= 50
    }
    try shrinker.shrink()
    guard case .recorded(_, _, let stretch, _) = shrinker.best.workout.source else {
      Issue.record("the recording is gone")
      return
    }
    #expect((20...40).contains(stretch.from) && (50...60).contains(stretch.to ?? .max), "\(stretch)")
    let again = try Self.read(SavedScenario.text(shrinker.best, in: "/"))
    #expect(again.node(in: "/") == shrinker.best.node(in: "/"))
  }

  @Test func `the limit of runs holds for what may vary, too`() throws {
    var shrinker = try Self.shrinker(runsMax: 9) { _ in true }
    _ = try shrinker.findFreedoms()
    #expect(shrinker.runs == 9)
  }

  @Test func `a recording becomes a made-up runner, and later workouts go`() throws {
    let text = """
      { scenario: "laps", duration: "20m", link: { profile: "ideal" },
        workouts: [{ source: { import: "FILE" } }, { at: "10m", source: { model: { distance: 400 } } }],
        script: { id: "s", messages: [] }, plan: { distance: 400 } }
      """.replacing("FILE", with: Tool.root.appending(path: "traces/lap.gpx").path)
    var shrinker = try Self.shrinker(text) { _ in true }
    try shrinker.shrink()
    #expect(Self.model(shrinker.best) != nil && shrinker.best.laterWorkouts.isEmpty)
  }
}
