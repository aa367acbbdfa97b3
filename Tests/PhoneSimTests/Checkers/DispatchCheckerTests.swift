import Link
import PhoneSim
import Testing

private let km = "{\"id\":\"km\",\"triggerSpec\":{\"type\":\"distance\",\"everyMeters\":1000},\"text\":\"x\"}"
private let at1k = "{\"id\":\"at1k\",\"triggerSpec\":{\"type\":\"distance\",\"atMeters\":1000},\"text\":\"x\"}"
private let half = "{\"id\":\"half\",\"triggerSpec\":{\"type\":\"halfway\"},\"text\":\"x\",\"priority\":70}"
private let finish =
  "{\"id\":\"near\",\"triggerSpec\":{\"type\":\"near_finish\",\"remainingMeters\":500},\"text\":\"x\"}"

private func condition(_ expression: String, _ more: String = "", id: String = "c", spec: String = "") -> String {
  "{\"id\":\"\(id)\",\"triggerSpec\":{\"type\":\"condition\",\"expression\":\"\(expression)\"\(spec)},\"text\":\"x\"\(more)}"
}

private let invariants = [
  "dispatch-window", "play-once", "dispatch-only-running", "dispatch-justified", "no-missed-dispatch",
]

private func broken(
  _ script: String, policy: String = "linear", plan: String = "{\"distance\":5000,\"time\":1500}",
  memory: String = "{}",
  _ write: (inout CoachTrace) -> Void
) throws -> [String] {
  var trace = CoachTrace()
  trace.state(0, "running")
  write(&trace)
  return try trace.judge(script: script, policy: policy, plan: plan, memory: memory, only: invariants).broken
}

@Suite struct `dispatches, judged` {
  // MARK: - Points

  @Test func `a point is spoken at the first snapshot that reaches it`() throws {
    let good = try broken(at1k) {
      $0.fresh(100, distance: 999.99)
      $0.fresh(101, distance: 1000)
      $0.script("dispatch", 101, "at1k", "distance")
      $0.fresh(102, distance: 1003)
    }
    #expect(good == [])
    let missed = try broken(at1k) { $0.fresh(101, distance: 1000) }
    #expect(missed == ["no-missed-dispatch"])
    let early = try broken(at1k) {
      $0.fresh(100, distance: 999.99)
      $0.script("dispatch", 100, "at1k", "distance")
    }
    #expect(early == ["dispatch-justified"])
  }

  @Test func `a point stays reached where the distance falls back`() throws {
    let result = try broken(at1k + "," + km) {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "at1k", "distance")
      $0.fresh(129, distance: 990)
      $0.fresh(130, distance: 995)
      $0.script("dispatch", 130, "km", "distance", multiple: 1)
    }
    #expect(result == [])
  }

  @Test func `strictly more than the grace past its point it expires`() throws {
    let spoken = try broken(at1k) {
      $0.fresh(100, distance: 1150)
      $0.script("dispatch", 100, "at1k", "distance")
    }
    #expect(spoken == [])
    let late = try broken(at1k) {
      $0.fresh(100, distance: 1150.01)
      $0.script("dispatch", 100, "at1k", "distance")
    }
    #expect(late == ["dispatch-justified", "no-missed-dispatch"])
    let expired = try broken(at1k) {
      $0.fresh(100, distance: 1150.01)
      $0.script("expired", 100, "at1k", "distance")
      $0.fresh(101, distance: 1153)
    }
    #expect(expired == [])
    let tooSoon = try broken(at1k) {
      $0.fresh(100, distance: 1150)
      $0.script("expired", 100, "at1k", "distance")
    }
    #expect(tooSoon == ["no-missed-dispatch"])
  }

  @Test func `points in time have 45 seconds, and halfway falls back on the planned time`() throws {
    let time = "{\"id\":\"t\",\"triggerSpec\":{\"type\":\"time\",\"atSeconds\":60},\"text\":\"x\"}"
    #expect(
      try broken(time) {
        $0.fresh(105, distance: 1)
        $0.script("dispatch", 105, "t", "time")
      } == [])
    #expect(
      try broken(time) {
        $0.fresh(105.5, distance: 1)
        $0.script("expired", 105.5, "t", "time")
      } == [])
    #expect(
      try broken(half, plan: "{\"time\":1500}") {
        $0.fresh(750, distance: 1)
        $0.script("dispatch", 750, "half", "halfway")
      } == [])
    #expect(try broken(half, plan: "{}") { $0.fresh(9000, distance: 9000) } == [])
  }

  @Test func `the script's own grace is used`() throws {
    // The grace stands beside the messages, so it comes with a script that is loaded.
    var trace = CoachTrace()
    trace.state(0, "running")
    trace.add(
      "script.loaded", 0,
      [.init("source", .string("edge")), .init("script", .json("{\"messages\":[\(at1k)],\"grace\":{\"meters\":20}}"))])
    trace.fresh(100, distance: 1021)
    trace.script("expired", 100, "at1k", "distance")
    #expect(try trace.judge(only: invariants).broken == [])
  }

  @Test func `a point is spoken once, whatever playOnce says`() throws {
    let always = at1k.replacing("\"text\"", with: "\"playOnce\":false,\"text\"")
    let result = try broken(always) {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "at1k", "distance")
      $0.fresh(140, distance: 1010)
      $0.script("dispatch", 140, "at1k", "distance")
    }
    #expect(result == ["dispatch-justified", "play-once"])
  }

  // MARK: - Multiples

  @Test func `multiples that are passed over are skipped at once, and only the latest is spoken`() throws {
    let good = try broken(km) {
      $0.fresh(900, distance: 3010)
      $0.script("skipped", 900, "km", "distance", skipped: 1...2)
      $0.script("dispatch", 900, "km", "distance", multiple: 3)
      $0.fresh(901, distance: 3013)
    }
    #expect(good == [])
    let silent = try broken(km) {
      $0.fresh(900, distance: 3010)
      $0.script("dispatch", 900, "km", "distance", multiple: 3)
    }
    #expect(silent == ["no-missed-dispatch"])
    let wrong = try broken(km) {
      $0.fresh(900, distance: 3010)
      $0.script("skipped", 900, "km", "distance", skipped: 1...2)
      $0.script("dispatch", 900, "km", "distance", multiple: 2)
    }
    #expect(wrong.contains("dispatch-justified"))
  }

  @Test func `a waiting multiple is skipped when the next one comes`() throws {
    let result = try broken(km + "," + finish, plan: "{\"distance\":1500}") {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "near", "near_finish")
      $0.fresh(101, distance: 1040)
      $0.fresh(110, distance: 2003)
      $0.script("skipped", 110, "km", "distance", skipped: 1...1)
      $0.fresh(130, distance: 2100)
      $0.script("dispatch", 130, "km", "distance", multiple: 2)
    }
    // At 100 s both are due alike; the one first in the script goes first, so that dispatch is out of rank.
    #expect(result == ["no-missed-dispatch"])
  }

  @Test func `a multiple past its grace expires with its number`() throws {
    let result = try broken(km) {
      $0.fresh(900, distance: 1151)
      $0.script("expired", 900, "km", "distance", multiple: 1)
      $0.fresh(1200, distance: 2000)
      $0.script("dispatch", 1200, "km", "distance", multiple: 2)
    }
    #expect(result == [])
  }

  // MARK: - Rank and window

  @Test func `the higher priority goes first, and the other waits for the window`() throws {
    let good = try broken(km + "," + half, plan: "{\"distance\":2000}") {
      $0.fresh(300, distance: 1000)
      $0.script("dispatch", 300, "half", "halfway")
      $0.fresh(329, distance: 1100)
      $0.fresh(330, distance: 1103)
      $0.script("dispatch", 330, "km", "distance", multiple: 1)
    }
    #expect(good == [])
    let outOfRank = try broken(km + "," + half, plan: "{\"distance\":2000}") {
      $0.fresh(300, distance: 1000)
      $0.script("dispatch", 300, "km", "distance", multiple: 1)
      $0.fresh(330, distance: 1103)
      $0.script("dispatch", 330, "half", "halfway")
    }
    #expect(outOfRank == ["no-missed-dispatch"])
  }

  @Test func `within thirty seconds nothing is spoken, at thirty something must be`() throws {
    let early = try broken(km + "," + half, plan: "{\"distance\":2000}") {
      $0.fresh(300, distance: 1000)
      $0.script("dispatch", 300, "half", "halfway")
      $0.fresh(329.5, distance: 1100)
      $0.script("dispatch", 329.5, "km", "distance", multiple: 1)
    }
    #expect(early == ["dispatch-window"])
    let late = try broken(km + "," + half, plan: "{\"distance\":2000}") {
      $0.fresh(300, distance: 1000)
      $0.script("dispatch", 300, "half", "halfway")
      $0.fresh(330, distance: 1100)
      $0.fresh(331, distance: 1103)
      $0.script("dispatch", 331, "km", "distance", multiple: 1)
    }
    #expect(late == ["no-missed-dispatch"])
  }

  @Test func `of equal priority the one due longest goes first`() throws {
    let second = km.replacing("\"id\":\"km\"", with: "\"id\":\"k5\"").replacing("1000", with: "500")
    let result = try broken(km + "," + second + "," + condition("distance > 100", ",\"priority\":90"), plan: "{}") {
      $0.fresh(290, distance: 490)
      $0.script("dispatch", 290, "c", "condition")
      $0.fresh(300, distance: 500)
      $0.fresh(315, distance: 640)
      $0.fresh(321, distance: 1000)
      // The five hundred's second multiple begins anew, together with the kilometre.
      $0.script("skipped", 321, "k5", "distance", skipped: 1...1)
      $0.script("dispatch", 321, "km", "distance", multiple: 1)
    }
    #expect(result == [])
  }

  @Test func `a reply outranks what is below 45, and takes the window`() throws {
    let low = at1k.replacing("\"text\"", with: "\"priority\":40,\"text\"")
    let reply: (inout CoachTrace) -> Void = {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "reply-1", "ai_reply")
      $0.fresh(110, distance: 1020)
    }
    #expect(try broken(low, reply) == [])
    #expect(try broken(at1k, reply) == ["no-missed-dispatch"])
  }

  // MARK: - Belief

  @Test func `nothing is due and nothing is spoken while the run is paused`() throws {
    let quiet = try broken(at1k) {
      $0.state(99, "paused", from: "running")
      $0.fresh(101, elapsed: 99, distance: 1000)
    }
    #expect(quiet == [])
    let loud = try broken(at1k) {
      $0.state(99, "paused", from: "running")
      $0.fresh(101, elapsed: 99, distance: 1000)
      $0.script("dispatch", 101, "at1k", "distance")
    }
    #expect(loud == ["dispatch-only-running"])
  }

  @Test func `the snapshot's own change of belief is believed before its script is looked at`() throws {
    let pausing = try broken(at1k) {
      $0.fresh(101, distance: 1000)
      $0.state(101, "paused", from: "running", cause: "snapshot")
    }
    #expect(pausing == [])
    var trace = CoachTrace()
    trace.fresh(101, distance: 1000)
    trace.add("run.opened", 101, [.init("workoutId", CoachTrace.workout.traceValue)])
    trace.state(101, "running", cause: "snapshot")
    #expect(try trace.judge(script: at1k, only: invariants).broken == ["no-missed-dispatch"])
    trace.script("dispatch", 101, "at1k", "distance")
    #expect(try trace.judge(script: at1k, only: invariants).broken == [])
  }

  @Test func `a pause that arrives at the same instant after the snapshot does not excuse it`() throws {
    let result = try broken(at1k) {
      $0.fresh(101, distance: 1000)
      $0.add("transfer.delivered", 101, [.init("kind", .string("workoutPaused"))])
      $0.state(101, "paused", from: "running", cause: "event")
    }
    #expect(result == ["no-missed-dispatch"])
  }

  @Test func `a new run starts empty`() throws {
    let result = try broken(at1k) {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "at1k", "distance")
      $0.state(105, "ended", from: "running")
      $0.state(106, "running", workout: CoachTrace.other)
      $0.fresh(107, elapsed: 1, distance: 3, workout: CoachTrace.other)
      $0.fresh(110, elapsed: 300, distance: 1000, workout: CoachTrace.other)
      $0.script("dispatch", 110, "at1k", "distance")
    }
    #expect(result == [])
  }

  @Test func `a snapshot of another workout is not looked at`() throws {
    #expect(try broken(at1k) { $0.fresh(100, distance: 1000, workout: CoachTrace.other) } == [])
  }

  @Test func `after a restart what was spoken stays spoken`() throws {
    let result = try broken(at1k) {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "at1k", "distance")
      $0.runner("node.killed", 101, target: "phone")
      $0.runner("node.started", 105, target: "phone")
      $0.fresh(140, distance: 1010)
      $0.script("dispatch", 140, "at1k", "distance")
    }
    #expect(result == ["dispatch-justified", "play-once"])
  }

  @Test func `a phone killed in the middle of a snapshot has not missed it`() throws {
    let result = try broken(at1k) {
      $0.fresh(100, distance: 1000)
      $0.runner("node.killed", 100, target: "phone")
    }
    #expect(result == [])
  }

  @Test func `a look that was decided counts, though the phone was killed right behind it`() throws {
    // The heart was due at the look in which the phone died, and half the way only at the first look after it.
    let script = """
      {"id":"first","triggerSpec":{"type":"distance","atMeters":1000},"text":"a","priority":60},
      {"id":"half","triggerSpec":{"type":"halfway"},"text":"b"},
      {"id":"heart","triggerSpec":{"type":"condition","expression":"hr > 120"},"text":"c"}
      """
    let result = try broken(script) {
      $0.fresh(100, distance: 1000, rate: 130)
      $0.script("dispatch", 100, "first", "distance")
      $0.runner("node.killed", 100, target: "phone")
      $0.runner("node.started", 105, target: "phone")
      $0.fresh(140, distance: 2510, rate: 130)
      $0.script("dispatch", 140, "heart", "condition")
    }
    #expect(result == [])
  }

  @Test func `a look counts that ended before the phone died over something else`() throws {
    // The heart was due before, and no longer at the look: at the next one it is due no longer than the mark.
    let script = """
      {"id":"mark","triggerSpec":{"type":"distance","everyMeters":1000},"text":"a"},
      {"id":"heart","triggerSpec":{"type":"condition","expression":"hr > 120"},"text":"b"},
      {"id":"first","triggerSpec":{"type":"distance","atMeters":600},"text":"c","priority":60}
      """
    for (point, last, expected) in [
      ("inbox.committed", "mark", []), ("inbox.committed", "heart", ["no-missed-dispatch"]),
      (nil, "heart", []),
    ] as [(String?, String, [String])] {
      let result = try broken(script) {
        $0.fresh(100, distance: 600, rate: 130)
        $0.script("dispatch", 100, "first", "distance")
        $0.fresh(110, distance: 700, rate: 110)
        $0.add(
          "node.killed", 110, on: .runner,
          [.init("target", .string("phone"))] + (point.map { [.init("point", .string($0))] } ?? []))
        $0.runner("node.started", 115, target: "phone")
        $0.fresh(140, distance: 1010, rate: 130)
        $0.script("dispatch", 140, last, last == "mark" ? "distance" : "condition", multiple: last == "mark" ? 1 : nil)
      }
      #expect(result == expected, "\(point ?? "no point"), \(last)")
    }
  }

  @Test func `with a full disk nothing may be said, and points pass all the same`() throws {
    let fault: [TraceEvent.Field] = [
      .init("fault", .string("f1")), .init("kind", .string("diskFull")), .init("params", .json("{\"node\":\"phone\"}")),
    ]
    let full = try broken(at1k) {
      $0.add("fault.begin", 90, on: .runner, fault)
      $0.fresh(100, distance: 1000)
    }
    #expect(full == [])
    let said = try broken(at1k) {
      $0.add("fault.begin", 90, on: .runner, fault)
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100, "at1k", "distance")
    }
    #expect(said == ["dispatch-justified"])
    let passed = try broken(at1k) {
      $0.add("fault.begin", 90, on: .runner, fault)
      $0.fresh(100, distance: 1000)
      $0.fresh(150, distance: 1151)
    }
    #expect(passed == ["no-missed-dispatch"])
    let told = try broken(at1k) {
      $0.add("fault.begin", 90, on: .runner, fault)
      $0.fresh(100, distance: 1000)
      $0.fresh(150, distance: 1151)
      $0.script("expired", 150, "at1k", "distance")
    }
    #expect(told == [])
    let room = try broken(at1k) {
      $0.add("fault.begin", 90, on: .runner, fault)
      $0.add("fault.end", 95, on: .runner, fault)
      $0.fresh(100, distance: 1000)
    }
    #expect(room == ["no-missed-dispatch"])
  }

  @Test func `a dispatch names the fresh snapshot and its figures`() throws {
    let between = try broken(at1k) {
      $0.fresh(100, distance: 1000)
      $0.script("dispatch", 100.5, "at1k", "distance")
    }
    #expect(between.contains("dispatch-justified"))
    #expect(
      try broken(at1k) {
        $0.fresh(100, distance: 1000)
        $0.script("dispatch", 100, "ghost", "distance")
      } == ["dispatch-justified", "no-missed-dispatch"])
  }

  // MARK: - Branches and new scripts

  @Test func `a branch line is due on its branch only, and is judged when the branch comes`() throws {
    let opener = condition("distance > 1500", id: "open", spec: ",\"branchKey\":\"slow\"")
    let onBranch =
      "{\"id\":\"b\",\"triggerSpec\":{\"type\":\"distance\",\"atMeters\":1600},\"text\":\"x\",\"branchKey\":\"slow\"}"
    let good = try broken(opener + "," + onBranch, policy: "branched") {
      $0.fresh(300, distance: 1600)
      $0.script("dispatch", 300, "open", "condition")
      $0.add("script.branch", 300, [.init("message", .string("open")), .init("branch", .string("slow"))])
      $0.fresh(330, distance: 1700)
      $0.script("dispatch", 330, "b", "distance")
    }
    #expect(good == [])
    let closed = try broken(onBranch, policy: "branched") { $0.fresh(300, distance: 9000) }
    #expect(closed == [])
    let linear = try broken(onBranch) { $0.fresh(300, distance: 1600) }
    #expect(linear == ["no-missed-dispatch"])
  }

  @Test func `a script that comes in mid-run fires nothing that is passed, and what is within grace`() throws {
    let loaded: (inout CoachTrace) -> Void = {
      $0.add(
        "script.loaded", 200,
        [.init("source", .string("edge")), .init("script", .json("{\"messages\":[\(at1k),\(km)]}"))])
    }
    let result = try broken("") {
      $0.fresh(199, distance: 1100)
      loaded(&$0)
      $0.fresh(201, distance: 1106)
      $0.script("dispatch", 201, "at1k", "distance")
      $0.fresh(231, distance: 1149)
      $0.script("dispatch", 231, "km", "distance", multiple: 1)
    }
    #expect(result == [])
  }

  // MARK: - Conditions

  @Test func `a condition holds, rests for its cooldown, and plays once without one`() throws {
    let cooled = condition("hr > 150", spec: ",\"cooldownSeconds\":60")
    let good = try broken(cooled) {
      $0.fresh(10, distance: 1, rate: 160)
      $0.script("dispatch", 10, "c", "condition")
      $0.fresh(69, distance: 1, rate: 160)
      $0.fresh(70, distance: 1, rate: 160)
      $0.script("dispatch", 70, "c", "condition")
    }
    #expect(good == [])
    let once = try broken(condition("hr > 150")) {
      $0.fresh(10, distance: 1, rate: 160)
      $0.script("dispatch", 10, "c", "condition")
      $0.fresh(70, distance: 1, rate: 160)
    }
    #expect(once == [])
    let again = try broken(condition("hr > 150", spec: ",\"cooldownSeconds\":0")) {
      $0.fresh(10, distance: 1, rate: 160)
      $0.script("dispatch", 10, "c", "condition")
      $0.fresh(70, distance: 1, rate: 160)
    }
    #expect(again == ["no-missed-dispatch"])
  }

  @Test func `an unknown heart rate makes nothing due`() throws {
    #expect(try broken(condition("NOT hr > 150")) { $0.fresh(10, distance: 1) } == [])
  }

  @Test func `zones come from the maximum in memory`() throws {
    let zone5 = condition("hr_zone == 5")
    #expect(try broken(zone5) { $0.fresh(10, distance: 1, rate: 170) } == [])
    #expect(try broken(zone5) { $0.fresh(10, distance: 1, rate: 171) } == ["no-missed-dispatch"])
    #expect(
      try broken(zone5, memory: "{\"hr.max\":180}") { $0.fresh(10, distance: 1, rate: 162) } == ["no-missed-dispatch"])
  }

  @Test func `the hour is that of the scenario's zone`() throws {
    // 06:30 UTC is 08:30 in Berlin; half an hour later it is nine.
    #expect(try broken(condition("time_of_day_hour == 8")) { $0.fresh(1799, distance: 1) } == ["no-missed-dispatch"])
    #expect(try broken(condition("time_of_day_hour == 8")) { $0.fresh(1800, distance: 1) } == [])
    #expect(try broken(condition("time_of_day_hour == 9")) { $0.fresh(1800, distance: 1) } == ["no-missed-dispatch"])
  }

  @Test func `the pace of three minutes is interpolated, and unknown before`() throws {
    // Target 300 s/km. 180 s before 200 s lies between the snapshots at 10 s and 30 s, at 60 m.
    let exact = condition("pace_3min_ratio == 1.4")
    let result = try broken(exact) {
      $0.fresh(10, distance: 40)
      $0.fresh(30, distance: 80)
      $0.fresh(189, distance: 800)
      $0.fresh(200, distance: 900)
    }
    #expect(result == ["no-missed-dispatch"])
    #expect(try broken(condition("pace_3min_ratio > 0")) { $0.fresh(179, distance: 900) } == [])
  }
}
