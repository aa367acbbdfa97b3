import CoachProtocol
import Link
import LinkTransport
import PhoneSim
import Testing

@testable import Simulator

/// Local time before a run's start, as far as the phone looks back.
@Suite struct LocalHistoryTests {
  private static func scenario(_ start: String, _ duration: String, _ phone: String) throws -> Scenario {
    let text = """
      { scenario: "s", startedAt: "\(start)", timeZone: "Europe/Berlin", duration: "\(duration)",
        workout: { at: "5h", source: { model: { distance: 300, pace: "6:00/km" } } }, edge: {}, phone: { \(phone) } }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: ".")
    #expect(diagnostics.allSatisfy { !$0.hasErrors }, "\(diagnostics)")
    return scenario
  }

  @Test func `offsets before the start are known if the phone looks past a change`() throws {
    func offsets(_ history: Int) throws -> [[Int64]] {
      let scenario = try Self.scenario("2026-04-12T09:30:00Z", "6h", "ingestion: { history: \(history) }")
      return scenario.start.offsets.map { [$0.from.nanoseconds.signum(), $0.seconds] }
    }
    #expect(try offsets(7) == [[0, 7_200]])
    #expect(try offsets(20) == [[-1, 3_600], [-1, 7_200], [0, 7_200]])
  }

  @Test func `a meal of the evening before the change to summer time belongs to that evening`() throws {
    let meal = "{ at: \"10m\", do: \"logMeal\", name: \"Supper\", calories: 500, protein: 20, ago: \"4h30m\" }"
    let scenario = try Self.scenario(
      "2026-03-29T03:00:00Z", "6h", "daily: { history: 2, meals: 0 }, events: [\(meal)]")
    var days: [String] = []
    var options = RunOptions()
    options.onEvent = { event, _ in if case .mealLogged(let meal) = event.body { days.append(meal.day) } }
    let outcome = try ScenarioRun.run(scenario, options)
    #expect(outcome.verdict == .pass && days == ["2026-03-28"])
  }

  @Test func `a phone that fetches a day again after a flight stores the same on disk as in memory`() throws {
    var scenario = try Self.scenario(
      "2026-05-10T12:00:00Z", "7h", "ingestion: { history: 1 }, events: [{ at: \"6h\", do: \"syncNow\" }]")
    scenario.start.flights = [StartInstant.Flight(at: .start + .hours(3), timeZone: "America/New_York")]
    scenario.start.setOffsets(duration: scenario.duration, history: .hours(72))
    var new: [String] = []
    var options = RunOptions()
    options.onEvent = { event, _ in
      if case .ingestionStaged(let row) = event.body, row.row == "new" { new.append("\(row.type) \(row.day)") }
    }
    let memory = try ScenarioRun.run(scenario, options)
    #expect(memory.verdict == .pass && new.count == 12 && Set(new).count == 12)
    let folder = try TemporaryDirectory()
    options.stateFolder = folder.path + "/state"
    let disk = try ScenarioRun.run(scenario, options)
    #expect(disk.verdict == .pass && disk.traceDigest == memory.traceDigest && disk.nodeFailure == nil)
  }
}
