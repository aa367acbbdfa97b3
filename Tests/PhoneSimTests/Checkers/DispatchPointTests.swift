import Link
import PhoneSim
import Testing

@Suite struct `dispatches at points and their multiples, judged`: DispatchJudging {
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
    // The grace is beside the messages, so it comes with a script that is loaded.
    var trace = CoachTrace()
    trace.state(0, "running")
    trace.add(
      "script.loaded", 0,
      [.init("source", .string("edge")), .init("script", .json("{\"messages\":[\(at1k)],\"grace\":{\"meters\":20}}"))])
    trace.fresh(100, distance: 1021)
    trace.script("expired", 100, "at1k", "distance")
    #expect(try trace.judge(only: invariants).broken == [])
  }

  @Test func `a script that is expected counts once it is loaded, and another that comes instead is read`() throws {
    let loaded = "{\"messages\":[\(at1k)],\"grace\":{\"meters\":20}}"
    let other = "{\"messages\":[\(at1k)],\"grace\":{\"meters\":500}}"
    for expected in [nil, loaded, other, "{", ""] {
      // With no more than the script of the header there are 150 m of grace.
      var early = CoachTrace()
      early.state(0, "running")
      early.fresh(90, distance: 1100)
      early.script("dispatch", 90, "at1k", "distance")
      #expect(try early.judge(script: at1k, only: invariants, expected: expected).broken == [], "\(expected ?? "none")")
      var trace = CoachTrace()
      trace.state(0, "running")
      trace.add("script.loaded", 95, [.init("source", .string("edge")), .init("script", .json(loaded))])
      trace.fresh(100, distance: 1021)
      trace.script("expired", 100, "at1k", "distance")
      #expect(try trace.judge(only: invariants, expected: expected).broken == [], "\(expected ?? "none")")
      trace.events.removeLast()
      #expect(
        try trace.judge(only: invariants, expected: expected).broken == ["no-missed-dispatch"], "\(expected ?? "none")")
    }
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
}
