import Foundation
import Testing
import WristwireTesting

/// HealthKit of apps in runs: the probe, as a watch and as a phone.
@Suite(.serialized) struct `HealthKit in a run` {
  private static let soon = ProbeRuns.soon
  private static let sum = ProbeRuns.sum

  private func run(
    _ watch: [String], _ phone: [String] = [], faults: String = "", keys: String = "", duration: String = "120s",
    seed: UInt64 = 1
  ) async throws -> Simulation.Run {
    try await ProbeRuns.run(watch, phone, faults: faults, keys: keys, duration: duration, seed: seed)
  }

  @Test func `access is asked for once, and reading is not revealed`() async throws {
    let run = try await run(["1s ask", "10s askAgain"], ["1s ask"])
    let asked = try #require(run.facts("asked", on: .watch).first)
    #expect(asked.integer("before") == 0 && asked.integer("after") == 2 && asked.flag("done") == true)
    // Only read was asked for, and that is not said.
    #expect(asked.integer("heart") == 0)
    #expect(run.facts("askedAgain", on: .watch).first?.integer("status") == 2)
  }

  @Test func `a session, its builder and its workout follow the athlete`() async throws {
    let run = try await run(["1s ask", "5s start", "30s pause", "50s resume", "80s end"], keys: Self.soon)
    // The state of the next line is still the old one, and nothing comes on the main queue.
    #expect(run.facts("startCalled").first?.integer("state") == 1)
    let states = run.facts("state")
    #expect(states.compactMap { $0.integer("to") } == [2, 4, 2, 3])
    #expect(states.allSatisfy { $0.flag("main") == false })
    let finished = try #require(run.facts("finished").first)
    #expect(finished.flag("workout") == true)
    let seconds = try #require(finished.number("seconds"))
    #expect(abs(seconds - 55) < 0.2)
    // A run of 55 s at the model's pace, and nothing of the pause.
    let metres = try #require(finished.number("metres"))
    #expect(metres > 55 * 2 && metres < 55 * 4)
    #expect(run.facts("collected").count >= 5)
    #expect(run.facts("collected").compactMap { $0.number("heart") }.contains { $0 > 90 })
  }

  @Test func `without access the builder is in error for good`() async throws {
    let run = try await run(["5s start", "20s finishEarly", "30s end"])
    #expect(run.facts("begun").first?.integer("code") == 5)
    #expect(run.facts("finishedEarly").first?.integer("code") == 3)
    #expect(run.facts("finished").first?.integer("code") == 3)
    let denied = try await self.run(["1s ask", "5s start"], keys: "healthKit: { answer: \"deny\" },")
    #expect(denied.facts("begun").first?.integer("code") == 4)
    #expect(denied.facts("asked").first?.flag("done") == true, "a denial is no failure of the request")
  }

  @Test func `a second session ends the first, which learns why first`() async throws {
    let run = try await run(["1s ask", "5s start", "20s start"])
    #expect(run.facts("failed").first?.integer("code") == 8)
    let states = run.facts("state").compactMap { $0.integer("to") }
    #expect(states == [2, 3, 2])
  }

  @Test func `a mirrored session comes to the phone, both ways, and again to an app that died`() async throws {
    let run = try await run(
      ["1s ask", "5s start", "8s mirror", "12s send", "25s send", "60s end"],
      ["1s ask", "15s sendMirror", "40s pauseMirror"],
      faults: "{ at: \"20s\", kill: \"phone\" }")
    #expect(run.facts("mirrored", on: .phone).count == 2)
    #expect(run.facts("data", on: .watch).count == 1)
    // The second datum launched the app, and waited for its handler.
    #expect(run.facts("data", on: .phone).count == 2)
    #expect(run.facts("state", on: .watch).compactMap { $0.integer("to") }.contains(4), "paused by the phone")
    #expect(run.facts("mirrorState", on: .phone).last?.integer("to") == 3)
  }

  @Test func `a long cut loses the mirror, and another one comes`() async throws {
    let run = try await run(
      ["1s ask", "5s start", "8s mirror", "60s send"], ["1s ask"],
      faults: "{ at: \"20s\", for: \"150s\", disconnect: {} }", duration: "200s")
    #expect(run.facts("mirrorLost", on: .phone).first?.integer("code") == 300)
    #expect(run.facts("sent", on: .watch).first?.integer("code") == 300)
    #expect(run.facts("mirrored", on: .phone).count == 2)
  }

  @Test func `the size of what is sent is limited`() async throws {
    let run = try await run(
      ["1s ask", "5s start", "8s mirror", "12s send {\"bytes\":102399}", "13s send {\"bytes\":10}", "30s send"],
      ["1s ask"])
    #expect(run.facts("sent", on: .watch).compactMap { $0.integer("code") } == [0, 13, 0])
  }

  @Test func `the phone starts the watch's dead app, and a success proves nothing`() async throws {
    let dead = "{ at: \"4s\", kill: \"watch\" }"
    let run = try await run(["1s ask"], ["1s ask", "6s startWatch"], faults: dead)
    #expect(run.facts("handled", on: .watch).first?.integer("activity") == 37)
    #expect(run.facts("mirrored", on: .phone).count == 1)
    let flaw = ", { at: \"5s\", for: \"10s\", healthFlaw: \"phone\", flaw: \"launchSentOnly\" }"
    let lost = try await self.run(["1s ask"], ["1s ask", "6s startWatch"], faults: dead + flaw)
    #expect(lost.facts("watchStarted", on: .phone).first?.flag("done") == true)
    #expect(lost.facts("handled", on: .watch).isEmpty)
  }

  @Test func `a session outlives its app, and is recovered with what was measured`() async throws {
    let run = try await run(
      ["1s ask", "5s start", "60s end"], faults: "{ at: \"30s\", kill: \"watch\", restartAfter: \"3s\" }")
    let recovered = try #require(run.facts("recovered").first)
    #expect(recovered.flag("found") == true && recovered.integer("state") == 2)
    #expect((recovered.number("metres") ?? 0) > 50)
    #expect(run.facts("finished").first?.flag("workout") == true)
  }

  @Test func `samples reach the phone late, and statistics count each time once`() async throws {
    let run = try await run(
      ["1s ask", "5s start", "80s end"], ["1s ask", "3s observe", Self.sum],
      keys: Self.soon)
    let seen = try #require(run.facts("workoutSeen", on: .phone).first)
    #expect(seen.time > .seconds(80))
    let sum = try #require(run.facts("sum", on: .phone).first?.number("value"))
    let raw = try #require(run.facts("rawSum", on: .phone).first)
    #expect(raw.integer("sources") == 2)
    #expect((raw.number("value") ?? 0) > sum * 1.3, "raw samples are counted twice")
  }

  @Test func `own samples are saved, replaced by a newer version, and found`() async throws {
    let run = try await run(
      [
        "1s ask", "5s save {\"kg\":70,\"version\":1}", "6s save {\"kg\":71,\"version\":2}",
        "7s save {\"kg\":72,\"version\":1}",
        "9s read {\"type\":\"HKQuantityTypeIdentifierBodyMass\"}",
        "10s read {\"type\":\"HKQuantityTypeIdentifierHeight\"}",
      ])
    let reads = run.facts("read", on: .watch)
    #expect(reads.first?.integer("count") == 1 && reads.first?.string("last") == "71.0 kg")
    #expect(reads.last?.integer("code") == 5, "a type that was never asked for")
  }

  @Test func `a type that the store does not know is one that was never asked for`() async throws {
    let run = try await run([
      "1s ask", "5s read {\"type\":\"HKQuantityTypeIdentifierNoSuch\"}", "6s read {\"type\":\"\"}",
    ])
    #expect(run.facts("read").compactMap { $0.integer("code") } == [5, 5])
  }

  @Test func `a delegate that is set after the start gets what comes then`() async throws {
    let run = try await run(["1s ask", "5s lateDelegate", "30s end"])
    #expect(run.facts("state").compactMap { $0.integer("to") } == [3], "no delegate heard of the start")
    #expect(run.facts("finished").first?.flag("workout") == true)
  }

  @Test func `an answer that comes after an app died does not reach its next start`() async throws {
    let run = try await run(
      ["1s ask"], faults: "{ at: \"1500ms\", kill: \"watch\", restartAfter: \"500ms\" }",
      keys: "healthKit: { answerAfter: \"5s\" },")
    #expect(run.facts("asked", on: .watch).isEmpty && run.verdict == .pass)
  }

  @Test func `fresh processes give the same bytes`() async throws {
    let acts = ["1s ask", "5s start", "8s mirror", "12s send", "60s end"]
    let first = try await run(acts, ["1s ask"], seed: 7)
    let second = try await run(acts, ["1s ask"], seed: 7)
    #expect(first.facts("collected").count == second.facts("collected").count)
    #expect(first.facts("finished").first?.number("metres") == second.facts("finished").first?.number("metres"))
  }
}
