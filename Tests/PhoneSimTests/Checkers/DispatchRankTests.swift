import Link
import PhoneSim
import Testing

@Suite struct `which line is dispatched, judged`: DispatchJudging {
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
      // The five hundred's second multiple begins again, together with the kilometre.
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
