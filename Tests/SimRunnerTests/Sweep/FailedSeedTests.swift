import Link
import PhoneSim
import Testing

@testable import sim_runner

/// Seeds that a sweep has found, each of a bug that is fixed.
@Suite struct FailedSeedTests {
  @Test(arguments: [
    // An answer to the runner was queued for a run that was only asked for, and lost when the run began.
    ("phone-start-nemesis", UInt64(31_017_108)),
    // Late snapshots of a run that the phone had given up, after the watch had ended it, needed no stop.
    ("runs-nemesis", 31_004_796),
  ])
  func `a seed that failed passes`(name: String, seed: UInt64) throws {
    let scenario = try Scenario.load(Tool.scenario(name))
    let line = try SeedRun(scenario).run(seed).line
    #expect(line.hasPassed, "\(line)")
  }

  @Test func `a kill that no longer waits for a point has no end`() {
    let fault = PlannedFault(
      begin: .start + .seconds(1), end: .start + .seconds(2),
      .node(KillFault(.phone, restartAfter: .seconds(1), point: .replyCommitted)))
    let simpler = FaultSimplification.steps.flatMap { $0.candidates(fault, end: .start + .seconds(9)) }
      .filter { ($0.body.fault as? KillFault)?.point == nil }
    #expect(!simpler.isEmpty && simpler.allSatisfy { $0.end == nil }, "\(simpler)")
  }
}
