import Link
import PhoneSim
import Testing

@Suite struct `dispatches and what the phone believes, judged`: DispatchJudging {
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

  @Test func `a snapshot that opens a run is judged by the script loaded for that run`() throws {
    let noLines: [TraceEvent.Field] = [
      .init("source", .string("fallback")), .init("script", .json("{\"branchPolicy\":\"linear\",\"messages\":[]}")),
    ]
    // Both far past the kilometre: its line would have to expire.
    let opening = try broken(at1k) {
      $0.state(90, "ended", from: "running")
      $0.fresh(101, elapsed: 400, distance: 1200, workout: CoachTrace.other)
      $0.state(101, "running", cause: "snapshot", workout: CoachTrace.other)
      $0.add("script.loaded", 101, noLines)
    }
    #expect(opening == [])
    let duringTheRun = try broken(at1k) {
      $0.fresh(101, elapsed: 400, distance: 1200)
      $0.add("script.loaded", 101, noLines)
    }
    #expect(duringTheRun == ["no-missed-dispatch"])
    let sameScript = try broken(at1k) {
      $0.state(90, "ended", from: "running")
      $0.fresh(101, elapsed: 400, distance: 1200, workout: CoachTrace.other)
      $0.state(101, "running", cause: "snapshot", workout: CoachTrace.other)
    }
    #expect(sameScript == ["no-missed-dispatch"])
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

  @Test func `a position that was decided counts, though the phone was killed right behind it`() throws {
    // The heart was due at the position in which the phone died, and half the way only at the first position after it.
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

  @Test func `a position counts that ended before the phone died over something else`() throws {
    // The heart was due before, and no longer at the position: at the next one it is due no longer than the mark.
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

  @Test func `with a full disk nothing may be said, and points still pass`() throws {
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
}
