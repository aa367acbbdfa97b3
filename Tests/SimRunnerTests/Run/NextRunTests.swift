import Link
import PhoneSim
import Testing

@testable import Experiments
@testable import Simulator

/// Two runs one after the other, while the link loses what shows that the first one is over.
@Suite struct NextRunTests {
  private static func scenario(secondAt: Int, link: String, faults: String) throws -> Scenario {
    let source = "source: { model: { distance: 50000, pace: \"5:00/km\" } }"
    let text = """
      { scenario: "two", startedAt: "2026-04-12T06:30:00Z", timeZone: "UTC", duration: "30m",
        workouts: [
          { at: "10s", \(source), events: [{ at: "2m", do: "end" }] },
          { at: "\(secondAt)s", \(source), events: [{ at: "10m", do: "end" }] },
        ],
        link: { profile: "\(link)" }, faults: [\(faults)],
        expect: [
          { count: "run.opened", exactly: 2 }, { count: "run.finished", exactly: 2 },
          { never: "message.received", where: { node: "watch", kind: "endWorkout" } },
          { count: "workout.state", where: { to: "ended" }, exactly: 2 },
          { event: "workout.state", where: { to: "ended" }, between: ["10m", "10m"] },
        ] }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: ".")
    #expect(diagnostics.allSatisfy { !$0.hasErrors }, "\(diagnostics)")
    return scenario
  }

  private static func run(_ scenario: Scenario, seed: UInt64) throws -> SweepLine {
    var scenario = scenario
    scenario.seed = seed
    return try SeedRun(scenario).run(seed, isDigesting: false).line
  }

  /// The phone ended the second run after 19 s with seed 21.
  @Test func `a tunnel over the end of a run and the start of the next changes neither`() throws {
    let faults = """
      { at: "110s", for: "60s", disconnect: {} },
      { at: "165s", for: "20s", loss: { probability: 0.4 } }
      """
    let scenario = try Self.scenario(secondAt: 150, link: "ble-still", faults: faults)
    for seed in [21, 0, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt64] {
      let line = try Self.run(scenario, seed: seed)
      #expect(line.hasPassed, "\(line.text)")
    }
  }

  /// The phone had no row of the second run.
  @Test(arguments: [1, 10, 500]) func `both runs are kept while the queue is stuck`(minutes: Int) throws {
    let faults = """
      { at: "119.5s", for: "1s", loss: { probability: 1 }, channels: ["message"] },
      { at: "119.5s", for: "\(minutes)m", loss: { probability: 1 }, channels: ["userInfo"] }
      """
    let scenario = try Self.scenario(secondAt: 125, link: "ideal", faults: faults)
    let line = try Self.run(scenario, seed: 1)
    #expect(line.hasPassed, "\(line.text)")
  }
}
