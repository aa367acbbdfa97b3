import CoachProtocol
import Link
import PhoneSim
import Testing

@testable import Experiments
@testable import Simulator

/// Seeds that a sweep has found, each of a bug that is fixed.
@Suite struct FailedSeedTests {
  @Test(arguments: [
    // An answer to the runner was queued for a run that was only asked for, and lost when the run began.
    ("phone-start-nemesis", UInt64(31_017_108)),
    // Late snapshots of a run that the phone had given up, after the watch had ended it, needed no stop.
    ("runs-nemesis", 31_004_796),
    // A file's bytes were sent again after an answer that a newer one had overtaken.
    ("census", 50_000_946),
    // A device that got no reports of arrivals seemed to send files before user infos.
    ("census", 50_000_003),
    // A phone app that died at the first line of a run it had asked for gave the start up, and refused the run's messages.
    ("trust-belief", 73_007_604),
    // The first snapshot of a shooting session came before its start, and was judged by the script of the run before.
    ("day-nemesis", 1_700_000_324),
  ])
  func `a seed that failed passes`(name: String, seed: UInt64) throws {
    let scenario = try Scenario.load(Tool.scenario(name))
    let line = try SeedRun(scenario).run(seed).line
    #expect(line.hasPassed, "\(line)")
  }

  @Test(arguments: [
    // A suspended app handled a file once the disk had space again.
    """
    {
      scenario: "asleep", seed: 1, duration: "27s",
      workout: { source: { model: { distance: 700, pace: 330 } }, events: [{ at: "1s", do: "talk", seconds: 4 }] },
      faults: [
        { at: 5, for: 5, suspend: "phone", wake: false }, { at: 9, for: 20, diskFull: "phone" },
        { at: 26.94, for: 0.08, suspend: "phone" },
      ],
    }
    """,
    // A start that replaced one without an answer opened its run, and the end of the former seemed to be the newest message.
    """
    {
      scenario: "replaced", seed: 50007565, startedAt: "2026-04-12T06:30:00Z", duration: "53s",
      workout: { source: { model: { distance: 1, pace: 330 } }, at: "20s", startedBy: "phone" },
      phone: {
        events: [
          { at: "21s", do: "endWorkout" }, { at: "32s", do: "startWorkout" }, { at: "33s", do: "endWorkout" },
          { at: "51500ms", do: "startWorkout" },
        ],
      },
      faults: [
        {
          id: "nemesis-3", at: 20, for: 30, direction: "watch-to-phone", channels: ["message", "userInfo"],
          corrupt: { probability: 0.3 },
        },
        { id: "nemesis-4", at: 33, for: 15, diskFull: "watch" },
      ],
    }
    """,
  ])
  func `a shrunk scenario that failed passes`(text: String) throws {
    let folder = try TemporaryFolder()
    let scenario = try Scenario.load(folder.write("failed.json5", text))
    let line = try SeedRun(scenario).run(scenario.seed).line
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
