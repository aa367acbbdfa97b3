import Testing
import WristwireTesting

/// What was reported from devices, each with the knob that makes it.
@Suite(.serialized) struct `Field failures` {
  private func flaw(_ flaw: String, of node: String, at: String = "20s", for length: String = "60s") -> String {
    "{ at: \"\(at)\", for: \"\(length)\", healthFlaw: \"\(node)\", flaw: \"\(flaw)\" }"
  }

  @Test func `H3: a start completes never`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask"], ["5s startWatch"], faults: flaw("launchSilent", of: "phone", at: "1s"))
    #expect(run.facts("watchStarted").isEmpty && run.facts("handled").isEmpty)
  }

  @Test func `H4: the sheet of a start by the phone is not answered, and the start is not repeated`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask"], ["5s startWatch"], faults: flaw("sheetIgnored", of: "watch", at: "0s"))
    #expect(run.facts("asked", on: .watch).isEmpty)
    #expect(run.facts("begun", on: .watch).first?.integer("code") == 5)
    #expect(run.facts("handled", on: .watch).count == 1)
  }

  @Test func `H6: a new build has to ask for access again`() async throws {
    let run = try await ProbeRuns.run(["1s ask", "30s start", "60s ask"], faults: flaw("accessReset", of: "watch"))
    #expect(run.facts("begun").first?.integer("code") == 5)
    #expect(run.facts("asked", on: .watch).compactMap { $0.integer("before") } == [0, 0])
  }

  @Test func `H9: another app's workout ends this one's session`() async throws {
    let run = try await ProbeRuns.run(["1s ask", "5s start"], faults: flaw("otherWorkout", of: "watch", for: "1s"))
    #expect(run.facts("failed").compactMap { $0.integer("code") } == [8])
    #expect(run.facts("state").last?.integer("to") == 3)
  }

  @Test func `H8: a failed session that is kept blocks the next one`() async throws {
    let faults = flaw("otherWorkout", of: "watch", at: "20s", for: "1s") + ", " + flaw("deadSessionBlocks", of: "watch")
    let run = try await ProbeRuns.run(["1s ask", "5s start", "30s start"], faults: faults)
    // The probe keeps every session.
    #expect(run.facts("failed").compactMap { $0.integer("code") } == [8, 3])
  }

  @Test func `H10: a mirroring succeeds and shows nothing`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start", "8s mirror", "10s send"], ["1s ask"], faults: flaw("mirrorSilent", of: "watch", at: "2s"))
    #expect(run.facts("mirroring").first?.flag("done") == true)
    #expect(run.facts("sent", on: .watch).first?.integer("code") == 0)
    #expect(run.facts("mirrored").isEmpty && run.facts("data").isEmpty)
  }

  @Test func `H12: some sends fail with 300, and nothing repeats them`() async throws {
    let sends = (30..<50).map { "\($0)s send" }
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start", "8s mirror"] + sends, ["1s ask"], faults: flaw("mirrorSendFails", of: "watch"))
    let failed = run.facts("sent", on: .watch).count { $0.integer("code") == 300 }
    #expect((1...12).contains(failed))
    #expect(run.facts("data", on: .phone).count == 20 - failed)
  }

  @Test func `H13: the end of the last run is reported in the next one`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start", "8s mirror", "30s end", "31s start", "32s mirror"], ["1s ask"],
      faults: flaw("mirrorEndLate", of: "phone"))
    let second = try #require(run.facts("mirrored", on: .phone).last)
    let ended = try #require(run.facts("mirrorState", on: .phone).first { $0.integer("to") == 3 })
    #expect(ended.time > second.time && ended.flag("current") == false)
  }

  @Test func `H15: the mirror fails, and the watch goes on`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start", "8s mirror", "60s end"], ["1s ask"], faults: flaw("mirrorFails", of: "phone"))
    #expect(run.facts("mirrorFailed", on: .phone).first?.integer("code") == 300)
    #expect((run.facts("finished", on: .watch).first?.number("seconds") ?? 0) > 50)
  }

  @Test func `H17: a recovery answers when the user has begun again`() async throws {
    let faults =
      flaw("slowRecovery", of: "watch", at: "10s") + ", { at: \"20s\", kill: \"watch\", restartAfter: \"1s\" }"
    let run = try await ProbeRuns.run(["1s ask", "5s start", "23s start"], faults: faults)
    let recovered = try #require(run.facts("recovered").first)
    #expect(recovered.time > .seconds(25))
    #expect(recovered.number("metres") ?? 0 < 100, "it is the new run that is handed over")
  }

  @Test func `H19: a workout that is finished before its end is refused, and not kept`() async throws {
    let run = try await ProbeRuns.run(["1s ask", "5s start", "20s finishEarly"])
    #expect(run.facts("finishedEarly").first?.integer("code") == 3)
    #expect(run.facts("finishedEarly").first?.flag("workout") == false)
  }

  @Test func `H20: a locked watch saves, and says neither yes nor no`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start", "40s end", "50s read {\"type\":\"HKQuantityTypeIdentifierHeartRate\"}"],
      faults: flaw("locked", of: "watch"))
    let finished = try #require(run.facts("finished").first)
    #expect(finished.flag("workout") == false && finished.integer("code") == 0)
    #expect(run.facts("read").first?.integer("code") == 6)
  }

  @Test func `H21: a workout reaches the phone after the watch's sync is held up, and not before`() async throws {
    let acts = (["1s ask", "5s start", "25s end"], ["1s ask", "3s observe"])
    let seen = { (faults: String) async throws -> [Simulation.Fact] in
      try await ProbeRuns.run(acts.0, acts.1, faults: faults, keys: ProbeRuns.soon, duration: "200s")
        .facts("workoutSeen", on: .phone)
    }
    let (soon, late) = (try await seen(""), try await seen(flaw("syncHeld", of: "watch", for: "120s")))
    #expect(soon.contains { $0.time < .seconds(60) })
    #expect(!late.isEmpty && late.allSatisfy { $0.time > .seconds(140) })
  }

  private func wakes(_ way: String, faults: String = "", duration: String = "8h") async throws -> Simulation.Run {
    let gone = "{ at: \"20s\", for: \"9h\", suspend: \"watch\", wake: true }"
    return try await ProbeRuns.run(
      ["1s ask", "5s deliver {\"way\":\"\(way)\"}"],
      faults: [gone, faults].filter { !$0.isEmpty }.joined(separator: ", "),
      keys: "workout: { source: { model: { distance: 60000 } } },", duration: duration)
  }

  private func deaths(in run: Simulation.Run) -> Int {
    String(decoding: run.trace, as: UTF8.self).split(separator: "\n").count { $0.contains("\"healthWake\"") }
  }

  @Test func `H23: a wake that is not completed ends the watch's app, and three end the delivery`() async throws {
    let good = try await wakes("completes", duration: "3h")
    // The first minute after its death, and each hour of the run.
    #expect((2...4).contains(good.facts("changed").count) && deaths(in: good) == 0)
    let bad = try await wakes("forgets")
    #expect(deaths(in: bad) == 3)
    let flawed = try await wakes(
      "completes", faults: flaw("wakeOverruns", of: "watch", at: "1s", for: "3h"), duration: "3h")
    #expect(deaths(in: flawed) >= 1)
  }

  @Test func `H24: the system ends an app that used the processor`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start"], faults: "{ at: \"30s\", cpuLimit: \"watch\", restartAfter: \"5s\" }")
    #expect(run.facts("recovered").count == 1)
  }

  private func polling(_ every: String, _ acts: [String] = []) async throws -> [String] {
    let run = try await ProbeRuns.run(
      [], ["1s poll {\"every\":\(every)}"] + acts, keys: "system: { processorPerTurn: \"9ms\" },", duration: "150s")
    let lines = String(decoding: run.trace, as: UTF8.self).split(separator: "\n").filter { $0.contains("\"cpuLimit\"") }
    return lines.map { String($0.prefix(while: { $0 != "," })) }
  }

  @Test func `H24: an app that polls behind the lock screen is ended, and one that rests or is in use is not`()
    async throws
  {
    // 90 % of the processor, from 31 s on: 48 s of it are used up at 84 s.
    let ended = try await polling("0.01")
    #expect(ended.count == 1 && ended[0].hasPrefix("{\"t\":84"))
    #expect(try await polling("0.02").isEmpty)
    #expect(try await polling("0.01", (1...7).map { "\($0 * 20)s sum {\"type\":\"x\"}" }).isEmpty)
  }

  @Test func `8_2: a pause's state and event come in either order`() async throws {
    var orders: Set<[String]> = []
    for seed in UInt64(1)...8 {
      let run = try await ProbeRuns.run(["1s ask", "5s start", "20s pause"], duration: "30s", seed: seed)
      let order = ProbeRuns.order(of: run) { name, line in
        name == "event" || name == "state" && line.contains("\"to\":4")
      }
      orders.insert(order)
    }
    #expect(orders == [["event", "state"], ["state", "event"]])
  }

  @Test func `8_21: some wakes come without a change`() async throws {
    let run = try await ProbeRuns.run(
      [], ["1s ask", "5s deliver"], faults: "{ at: \"20s\", for: \"9h\", suspend: \"phone\" }",
      keys: "workout: { source: { model: { distance: 60000 } } },", duration: "1h", seed: 2)
    // Steps are there each minute: a wake within 10 s of another one has nothing new.
    let times = run.facts("changed", on: .phone).map(\.time)
    #expect(zip(times, times.dropFirst()).contains { $1 - $0 < .seconds(12) })
  }

  @Test func `8_22: access taken away in a run fails at its end`() async throws {
    let run = try await ProbeRuns.run(["1s ask", "5s start", "40s end"], faults: flaw("accessRevoked", of: "watch"))
    #expect(run.facts("finished").first?.integer("code") == 4)
  }

  @Test func `8_24: after a read that the lock refused, an anchored query repeats a sample`() async throws {
    let watch = ["1s ask", "5s start", "15s end", "50s start", "60s end", "130s start", "140s end"]
    let seen = { (faults: String) async throws -> Int in
      try await ProbeRuns.run(
        watch, ["1s ask", "3s observe"], faults: faults, keys: ProbeRuns.soon, duration: "240s"
      ).facts("workoutSeen", on: .phone).count
    }
    #expect(try await seen("") == 3)
    #expect(try await seen(flaw("locked", of: "phone", at: "45s", for: "60s")) > 3)
  }

  @Test func `a distance can go back`() async throws {
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start"], faults: flaw("distanceBackwards", of: "watch"), seed: 3)
    let metres = run.facts("metresSeen").compactMap { $0.number("metres") }
    #expect(zip(metres, metres.dropFirst()).contains { $0 > $1 })
  }

  @Test func `a call that is not simulated is a finding by its name`() async throws {
    let text = "the app calls HKWorkoutSession.beginNewActivity, which is not simulated"
    let run = try await ProbeRuns.run(
      ["1s ask", "5s start", "10s newActivity"],
      keys: "expect: [{ count: \"app.finding\", where: { text: \"\(text)\" }, exactly: 1 }],")
    #expect(run.verdict == .pass)
  }
}
