import Link
import Testing

@testable import Simulator

/// Runs that the user stops between two events.
@Suite struct StoppedRunTests {
  /// Stops a run at an instant at which nothing happens.
  private final class Stopper: LiveControls {
    let at: VirtualTime
    init(at: VirtualTime) { self.at = at }

    func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep { next > at ? .stop(at: at) : .advance }
    func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {}
  }

  @Test(arguments: [0, 5_500_000_001, 20_123_456_789])
  func `a stopped run ends at the instant that it has reached`(nanoseconds: Int64) throws {
    let text = """
      { scenario: "s", duration: "60s", workout: { source: { model: { distance: 150, pace: "5:00/km" } } } }
      """
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    #expect(!found.contains { $0.hasErrors })
    var options = RunOptions()
    let stopper = Stopper(at: VirtualTime(nanoseconds: nanoseconds))
    options.live = stopper
    var last: VirtualTime?
    options.onEvent = { event, _ in if event.name == RunStopped.name { last = event.time } }
    let outcome = try ScenarioRun.run(scenario, options)
    #expect(outcome.wasStopped && outcome.simulated.nanoseconds == nanoseconds)
    #expect(last == stopper.at)
  }
}
