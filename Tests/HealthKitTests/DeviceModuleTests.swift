import Testing
import WristwireTesting

/// Apple's modules for the device: each call is carried out by the simulated device, in virtual time.
@Suite(.serialized) struct `Modules of the device` {
  private func flaw(_ flaw: String, of node: String = "watch", at: String, for length: String) -> String {
    "{ at: \"\(at)\", for: \"\(length)\", systemFlaw: \"\(node)\", flaw: \"\(flaw)\" }"
  }

  /// How long each utterance waited, in milliseconds.
  private func waits(of run: Simulation.Run) -> [Int] {
    let lines = String(decoding: run.trace, as: UTF8.self).split(separator: "\n")
    return lines.filter { $0.contains("\"device.spoke\"") }.compactMap { line in
      line.firstRange(of: "\"waited\":").flatMap { Int(line[$0.upperBound...].prefix(while: \.isNumber)) }
    }
  }

  // MARK: Place

  @Test func `positions come once the user allows them, each second`() async throws {
    let run = try await ProbeRuns.run(["1s follow", "5s askPlace"])
    let places = run.facts("place")
    #expect(places.count > 80)
    // 2 s for the answer, at most 8 s for the satellites.
    let first = try #require(places.first)
    #expect(first.time >= .seconds(6) && first.time <= .seconds(17))
    #expect(places.allSatisfy { $0.number("accuracy") == 5 })
    #expect(run.facts("placeAllowed").compactMap { $0.integer("status") } == [0, 4])
    let latitudes = places.compactMap { $0.number("latitude") }
    #expect((latitudes.max() ?? 0) - (latitudes.min() ?? 0) > 0.001, "the athlete runs")
    let speeds = places.dropFirst(30).compactMap { $0.number("speed") }
    #expect(speeds.allSatisfy { (1.5...6).contains($0) })
  }

  @Test func `the two devices measure the same athlete with an error of their own`() async throws {
    let run = try await ProbeRuns.run(["1s follow"], ["1s follow"], keys: "system: { allowed: true, accuracy: 20 },")
    let (watch, phone) = (run.facts("place", on: .watch).last, run.facts("place", on: .phone).last)
    let difference = abs((watch?.number("latitude") ?? 0) - (phone?.number("latitude") ?? 1))
    #expect(difference > 0 && difference < 0.0004)
  }

  @Test func `a denied position is an error, and one that is taken away is reported`() async throws {
    let denied = try await ProbeRuns.run(
      ["1s askPlace", "5s follow", "6s place"], keys: "system: { denied: [\"location\"] },")
    #expect(denied.facts("placeFailed").compactMap { $0.integer("code") } == [1, 1])
    #expect(denied.facts("place").isEmpty)
    let revoked = try await ProbeRuns.run(
      ["1s askPlace", "5s follow"], faults: flaw("locationRevoked", at: "40s", for: "30s"))
    #expect(revoked.facts("placeAllowed").compactMap { $0.integer("status") } == [0, 4, 2, 4])
    #expect(!revoked.facts("place").contains { $0.time > .seconds(41) && $0.time < .seconds(70) })
    #expect(revoked.facts("place").contains { $0.time > .seconds(72) })
  }

  @Test func `in a tunnel there are no positions, and one that is asked for fails after 10 s`() async throws {
    let run = try await ProbeRuns.run(
      ["20s place", "60s place"], faults: flaw("noFix", at: "15s", for: "30s"), keys: "system: { allowed: true },")
    let failed = try #require(run.facts("placeFailed").first)
    #expect(failed.integer("code") == 0 && failed.time >= .seconds(30) && failed.time < .seconds(31))
    #expect(run.facts("place").count == 1)
  }

  @Test func `a manager's delegate is called on the thread that made it`() async throws {
    let run = try await ProbeRuns.run(["1s threadPlace"], keys: "system: { allowed: true },")
    #expect(run.facts("threadPlace").first?.flag("own") == true)
    #expect(run.facts("threadPlace").count <= 2)
  }

  @Test func `a heading is where the athlete goes, without access, and true only with a position`() async throws {
    let run = try await ProbeRuns.run(["1s heading"], ["1s heading", "2s follow"], keys: "system: { allowed: true },")
    #expect(!run.facts("heading", on: .watch).isEmpty)
    #expect(run.facts("heading", on: .watch).allSatisfy { $0.number("true") == -1 })
    let headings = run.facts("heading", on: .phone)
    #expect(headings.contains { $0.number("true") == $0.number("degrees") })
    // The athlete turns slowly: what both devices say at one time is the same way, each with its own error.
    let others = run.facts("heading", on: .watch)
    for heading in headings {
      let second = heading.time.components.seconds
      guard let other = others.first(where: { $0.time.components.seconds == second }) else { continue }
      let turn = abs((heading.number("degrees") ?? 0) - (other.number("degrees") ?? 999))
      #expect(min(turn, 360 - turn) <= 20.01)
    }
  }

  @Test func `always is granted at a second question, live updates are a loop, a missing call is a finding`()
    async throws
  {
    let text = "the app calls CLLocationManager.startMonitoringSignificantLocationChanges, which is not simulated"
    let run = try await ProbeRuns.run(
      ["1s askPlace {\"for\":\"always\"}", "5s askPlace {\"for\":\"always\"}", "9s livePlaces", "10s significant"],
      keys: "expect: [{ count: \"app.finding\", where: { text: \"\(text)\" }, exactly: 1 }],")
    #expect(run.facts("placeAllowed").compactMap { $0.integer("status") } == [0, 4, 3])
    #expect(run.facts("livePlaces").first?.integer("count") == 3)
    #expect(run.verdict == .pass)
  }

  // MARK: Motion

  @Test func `steps are counted from a date on, and what the athlete does is known after some seconds`() async throws {
    let run = try await ProbeRuns.run(
      ["30s steps", "30s activity", "100s stepsBefore {\"seconds\":60}"], keys: "system: { allowed: true },")
    let last = try #require(run.facts("steps").last)
    // About 160 a minute for 90 s.
    #expect((180...300).contains(last.integer("steps") ?? 0))
    #expect((150...450).contains(last.number("metres") ?? 0))
    #expect((0.15...0.6).contains(last.number("pace") ?? 0))
    #expect((100...220).contains(run.facts("stepsBefore").first?.integer("steps") ?? 0))
    #expect(run.facts("activity").contains { $0.string("is") == "running" })
    let denied = try await ProbeRuns.run(["5s steps", "60s stepsBefore"], keys: "system: { denied: [\"motion\"] },")
    #expect(denied.facts("stepsBefore").first?.integer("code") == 105)
  }

  // MARK: Sound

  @Test func `H25: five cues in five seconds come late, and the music stays quiet`() async throws {
    let cues = (20..<25).map { "\($0)s speak" }
    let run = try await ProbeRuns.run(
      ["10s category {\"option\":\"duck\"}"] + cues + ["60s session {\"is\":\"off\"}"],
      keys: "system: { allowed: true, music: true },"
        + " expect: [{ count: \"device.spoke\", exactly: 5 }, { count: \"device.audio\", where: { to: \"ducked\" }, exactly: 1 },"
        + " { never: \"device.audio\", where: { to: \"unducked\" } }],")
    #expect(run.verdict == .pass)
    #expect(waits(of: run).count { $0 > 3_000 } >= 2)
    #expect(run.facts("speakCalled").allSatisfy { $0.flag("speaking") != nil })
    let finished = run.facts("speech").filter { $0.string("is") == "finished" }
    #expect(finished.count == 5)
    // 32 characters take 2.1 s.
    #expect((finished.last?.time ?? .zero) > .seconds(31))
    #expect(run.facts("word").prefix(3).compactMap { $0.string("is") } == ["Two", "kilometres", "done,"])
  }

  @Test func `music is loud again for an app that says so`() async throws {
    let run = try await ProbeRuns.run(
      ["10s category {\"option\":\"duck\"}", "20s speak", "30s session {\"is\":\"off\",\"notifies\":\"yes\"}"],
      keys: "system: { music: true }, expect: [{ count: \"device.audio\", where: { to: \"unducked\" }, exactly: 1 }],")
    #expect(run.verdict == .pass)
  }

  @Test func `a call pauses speech, and what follows waits for an app that does not go on`() async throws {
    let acts = ["20s speak", "21s speak", "40s session", "60s speak"]
    let fault = flaw("audioInterrupted", at: "21s", for: "9s")
    var ways: Set<String> = []
    for seed in UInt64(1)...6 {
      let run = try await ProbeRuns.run(acts, faults: fault, seed: seed)
      #expect(run.facts("speech").compactMap { $0.string("is") } == ["started", "paused"])
      #expect(run.facts("session").first?.integer("code") == 0)
      let told = run.facts("interruption").map { "\($0.integer("type") ?? 9)\($0.flag("resumes") == true)" }
      #expect(told.first == "1false")
      ways.insert(told.dropFirst().first ?? "nothing")
    }
    #expect(ways.isSubset(of: ["0true", "0false", "nothing"]) && ways.count >= 2)
    let resumed = try await ProbeRuns.run(acts + ["45s goOn"], faults: fault)
    #expect(resumed.facts("speech").count { $0.string("is") == "finished" } == 3)
    let during = try await ProbeRuns.run(["25s session"], faults: fault)
    #expect(during.facts("session").first?.integer("code") == 561_017_449)
  }

  @Test func `a recording is as long as its time, and what is said in it is understood`() async throws {
    let run = try await ProbeRuns.run(
      ["5s category", "6s askVoice", "20s recordVoice {\"seconds\":12}"],
      keys: "system: { says: [{ at: \"25s\", text: \"how far is it\" }, { at: \"50s\", text: \"later\" }] },")
    #expect(run.facts("voiceAllowed").first?.flag("microphone") == true)
    let recorded = try #require(run.facts("recorded").first)
    #expect(abs((recorded.number("seconds") ?? 0) - 12) < 0.1)
    // 64 kbit/s for 12 s, and a head.
    #expect((96_000...96_400).contains(recorded.integer("bytes") ?? 0))
    #expect(run.facts("understood").compactMap { $0.string("text") } == ["how far", "how far is it"])
    let silent = try await ProbeRuns.run(
      ["5s category", "6s askVoice", "20s recordVoice {\"seconds\":2}"],
      keys: "system: { denied: [\"microphone\"], says: [{ at: \"21s\", text: \"hello\" }] },")
    #expect(silent.facts("understood").first?.integer("code") == 1110)
  }

  // MARK: Notifications and activities

  @Test func `a notification comes while its app is dead, and beyond 64 it is lost`() async throws {
    let many = (0..<66).map { "10s notify {\"id\":\"n\($0)\",\"after\":60}" }
    let run = try await ProbeRuns.run(
      ["1s askNotices"] + many + ["20s pendingNotices", "100s pendingNotices"],
      faults: "{ at: \"60s\", kill: \"watch\", restartAfter: \"20s\" }",
      keys: "expect: [{ count: \"device.notification\", where: { to: \"dropped\" }, exactly: 2 },"
        + " { count: \"device.notification\", where: { to: \"shown\" }, exactly: 64 }],")
    let lists = run.facts("notices")
    #expect(lists.map { $0.integer("pending") } == [64, 0] && lists.map { $0.integer("delivered") } == [0, 64])
    #expect(lists.first?.integer("run") == 7)
    #expect(run.verdict == .pass)
    let denied = try await ProbeRuns.run(["1s notify"])
    #expect(denied.facts("notified").first?.integer("code") == 1)
    let front = try await ProbeRuns.run(["1s askNotices", "10s notify {\"title\":\"Drink\"}"])
    #expect(front.facts("willPresent").first?.string("title") == "Drink")
  }

  @Test func `a Live Activity outlives its app, gets out of date, and has its limits`() async throws {
    let run = try await ProbeRuns.run(
      [],
      [
        "5s activityBegin", "10s activityUpdate {\"metres\":250}", "40s activityFind", "50s activityEnd", "60s widget",
        "70s activityBegin {\"name\":\"\(String(repeating: "x", count: 4_100))\"}",
      ], faults: "{ at: \"30s\", kill: \"phone\", restartAfter: \"2s\" }",
      keys: "expect: [{ count: \"device.activity\", where: { to: \"stale\" }, exactly: 1 },"
        + " { count: \"device.activity\", where: { to: \"dismissed\" }, exactly: 1 },"
        + " { count: \"app.widgetReload\", exactly: 1 }],")
    #expect(run.facts("activityFound").first?.integer("metres") == 250)
    #expect(run.facts("activityBegun").compactMap { $0.string("error") } == ["", "attributesTooLarge"])
    #expect(run.verdict == .pass)
    let off = try await ProbeRuns.run([], ["5s activityBegin"], keys: "system: { liveActivities: false },")
    #expect(off.facts("activityBegun").first?.string("error") == "denied")
  }

  // MARK: Calendar

  private static let calendar =
    "appointments: [{ title: \"Team\", at: \"30m\", for: \"45m\" }], reminders: [{ title: \"Shoes\", done: true }, { title: \"Gels\" }]"

  @Test func `appointments and reminders are the athlete's, and the watch has the phone's access`() async throws {
    let run = try await ProbeRuns.run(
      ["20s appointments"],
      [
        "1s appointments", "2s askCalendar", "6s appointments", "7s appoint", "8s appointments", "9s askReminders",
        "15s reminders", "16s appoint {\"way\":\"back\"}",
      ], keys: "system: { \(Self.calendar) },")
    let phone = run.facts("appointments", on: .phone)
    #expect(phone.map { $0.integer("count") } == [0, 1, 2])
    #expect(phone[1].string("first") == "Team" && phone[1].number("minutes") == 45)
    #expect(run.facts("appointments", on: .watch).first?.integer("count") == 1)
    #expect(run.facts("reminders").first.map { [$0.integer("count"), $0.integer("done")] } == [2, 1])
    #expect(run.facts("appointed").compactMap { $0.integer("code") } == [-1, 4])
  }

  @Test func `an app that may write only reads nothing until it is given more`() async throws {
    let run = try await ProbeRuns.run(
      [],
      [
        "1s askCalendar {\"for\":\"writing\"}", "5s appoint", "6s appointments", "12s appointments",
      ], keys: "system: { \(Self.calendar) },")
    #expect(run.facts("calendarAllowed").first?.integer("status") == 4)
    #expect(run.facts("appointed").first?.integer("code") == -1)
    // The first look asks for more, which the user allows.
    #expect(run.facts("appointments").map { $0.integer("count") } == [0, 2])
  }

  // MARK: Truth and flaws

  @Test func `what a session measures agrees with what the body moved between its acts`() async throws {
    func run(_ begin: String) async throws -> Simulation.Run {
      try await ProbeRuns.run(
        ["1s ask", "40s start", "100s end"],
        keys: "healthKit: {}, athlete: { acts: { begin: [\"\(begin)\"], end: [\"end\"] } },"
          + " expect: [{ agrees: \"app.finished\", field: \"metres\", with: \"truth.workout.distance\", within: \"10 m\" }],"
      )
    }
    let right = try await run("start")
    #expect(right.verdict == .pass, "\(right.report)")
    // A workout that begins with another act is longer than its session.
    try await withKnownIssue {
      let wrong = try await run("ask")
      #expect(wrong.verdict == .fail)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("no app.finished of its own agrees") }
    }
  }

  @Test func `a nemesis draws flaws where the scenario has their key`() async throws {
    func flaws(_ keys: String) async throws -> Set<String> {
      var kinds: Set<String> = []
      for seed in UInt64(1)...4 {
        let run = try await ProbeRuns.run(
          [], keys: keys + " nemesis: { meanInterval: \"2s\", meanDuration: \"1s\" },", seed: seed)
        let text = String(decoding: run.trace, as: UTF8.self)
        for kind in ["healthFlaw", "systemFlaw"] where text.contains("\"kind\":\"\(kind)\"") { kinds.insert(kind) }
      }
      return kinds
    }
    #expect(try await flaws("").isEmpty)
    #expect(try await flaws("healthKit: {},") == ["healthFlaw"])
    #expect(try await flaws("healthKit: {}, system: {},") == ["healthFlaw", "systemFlaw"])
  }

  // MARK: All

  @Test func `the same seed gives the same run, and what is not used costs nothing`() async throws {
    let acts = ["1s askPlace", "4s follow", "5s steps", "20s speak", "21s speak", "30s askNotices", "40s notify"]
    let faults = flaw("audioInterrupted", at: "22s", for: "5s")
    let runs = [
      try await ProbeRuns.run(acts, acts, faults: faults, seed: 4),
      try await ProbeRuns.run(acts, acts, faults: faults, seed: 4),
    ]
    let texts = runs.map { run in run.facts("place").map { "\($0.time) \($0.number("latitude") ?? 0)" } }
    #expect(texts[0] == texts[1] && !texts[0].isEmpty)
    let idle = try await ProbeRuns.run([], [], keys: "expect: [{ never: \"device.location\" }],")
    #expect(idle.verdict == .pass)
  }
}
