import CoachProtocol
import PhoneSim
import WatchSim
import Foundation
import Link
import Testing

@testable import Console
@testable import Simulator

@Suite struct `drawn days of an athlete` {
  private static func text(_ draw: String, rest: String = "") -> String {
    "{ scenario: \"days\", seed: 5,\n  athlete: { draw: \(draw) },\(rest)\n}"
  }

  private func read(_ text: String) -> (Scenario, [String]) {
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    return (scenario, found.flatMap(\.lines))
  }

  private func digest(_ scenario: Scenario) throws -> String? {
    var options = RunOptions()
    options.level = .written
    return try ScenarioRun.run(scenario, options).traceDigest
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `are valid for any seed, within their bounds`(_ seed: UInt64) {
    var (scenario, found) = read(
      Self.text("{ days: { least: 1, most: 3 }, workouts: { least: 1, most: 2 }, disciplines: ['riding'] }"))
    #expect(found.isEmpty)
    scenario.seed = seed
    let drawn = scenario.drawn
    #expect(drawn.athlete == nil)
    let days = (drawn.duration.nanoseconds / 86_400_000_000_000)
    #expect((1...3).contains(days))
    #expect(drawn.workouts.count <= Int(days) * 2)
    #expect(
      drawn.workouts.allSatisfy {
        if case .discipline(let plan) = $0.source { plan.discipline == .riding } else { false }
      })
    #expect(zip(drawn.workouts, drawn.workouts.dropFirst()).allSatisfy { $0.at < $1.at })
    #expect(drawn.hasTruth)
  }

  @Test func `depend on the seed, and on nothing else`() {
    var (scenario, _) = read(Self.text("{ days: 1 }"))
    let first = SavedScenario.text(scenario, in: "/")
    #expect(SavedScenario.text(scenario, in: "/") == first)
    scenario.seed = 6
    #expect(SavedScenario.text(scenario, in: "/") != first)
  }

  @Test func `are saved as ordinary keys, which give the same run`() throws {
    let (scenario, _) = read(Self.text("{ days: 1, workouts: 2, length: \"40s\" }"))
    let (saved, found) = read(SavedScenario.text(scenario, in: "."))
    #expect(found.isEmpty)
    #expect(saved.athlete == nil)
    #expect(saved.workouts.count == 2)
    #expect(try digest(saved) == digest(scenario))
  }

  @Test func `one thing more or less leaves the others as they are`() {
    let (few, _) = read(Self.text("{ days: 2, workouts: 1, meals: 0 }"))
    let (many, _) = read(Self.text("{ days: 2, workouts: 1, meals: 4 }"))
    #expect(few.drawn.workouts.map(\.at) == many.drawn.workouts.map(\.at))
    #expect(few.drawn.start.text == many.drawn.start.text)
    let events = { (scenario: Scenario) in
      // Their places in the file count the meals, too.
      scenario.drawn.phoneCommands.filter { !["logMeal", "editMeal", "removeMeal"].contains($0.command.name) }.map {
        "\($0.at.text) \($0.command.name) \($0.command.arguments)"
      }
    }
    #expect(events(few) == events(many))
  }

  @Test func `a scenario's own date, events and faults stay`() {
    let (scenario, found) = read(
      Self.text(
        "{ days: 1, clocks: 1, cuts: 0, crashes: 0 }",
        rest: """

            startedAt: "2026-05-01T00:00:00Z", timeZone: "Asia/Tokyo",
            uplink: { profile: "lte" },
            phone: { daily: { meals: 7 }, events: [{ at: "1h", do: "syncDaily" }] },
            faults: [{ id: "cut", at: "1h", for: "5m", disconnect: {} }],
          """))
    #expect(found.isEmpty, "\(found)")
    let drawn = scenario.drawn
    #expect(drawn.start.text == "2026-05-01T00:00:00Z")
    #expect(drawn.start.timeZone == "Asia/Tokyo")
    #expect(drawn.daily?.mealsPerDay == 7)
    #expect(drawn.phoneCommands.contains { $0.at == .start + .hours(1) && $0.command.name == "syncDaily" })
    #expect(drawn.faults.map(\.id) == ["cut", "athlete-clock-1"])
  }

  @Test func `bounds that no day can satisfy are refused with their place`() {
    #expect(
      read(Self.text("{ days: { least: 3, most: 2 } }")).1
        == ["s.json5:2:37: error: athlete.draw.days.least: found number 3, expected at most 2, which is most"])
    #expect(
      read(Self.text("{ days: 5, workouts: 8 }")).1
        == [
          "s.json5:2:41: error: athlete.draw.workouts: found at least 8 workouts on at least 5 days, expected at most 32 workouts in a run"
        ])
    #expect(
      read(Self.text("{ days: 1, workouts: 5, length: \"5h\" }")).1
        == [
          "s.json5:2:52: error: athlete.draw.length: found at least 5 workouts a day of at least 5h, expected at most 20h of workouts in a day"
        ])
    #expect(
      read(Self.text("{ days: 1 }", rest: " duration: \"1h\"")).1
        == [
          "s.json5:2:45: error: duration: found string \"1h\", expected no duration beside athlete.draw, which draws it"
        ])
  }
}
