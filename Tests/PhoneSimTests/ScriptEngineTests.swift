import CoachProtocol
import Link
import Testing

@testable import PhoneSim

@Suite struct ScriptEngineTests {
  // MARK: Points

  @Test func `a distance holds from its metre on`() {
    var run = TestRun([.at("km1", 1000)])
    #expect(run.position(1, 999.99) == [])
    #expect(run.position(2, 1000) == ["say km1"])
  }

  @Test func `a time holds from its second on`() {
    var run = TestRun([.time("t", 60)])
    #expect(run.position(59.999, 1) == [])
    #expect(run.position(60, 1) == ["say t"])
  }

  @Test func `halfway is half the planned distance, else half the planned time, else never`() {
    let halfway = ScriptMessage(id: "half", trigger: HalfwayTrigger(), text: "a line")
    var byDistance = TestRun([halfway], plan: Plan(distance: 5000, time: 100))
    #expect(byDistance.position(99, 2499.99) == [])
    #expect(byDistance.position(100, 2500) == ["say half"])
    var byTime = TestRun([halfway], plan: Plan(time: 100))
    #expect(byTime.position(49.9, 9000) == [])
    #expect(byTime.position(50, 9000) == ["say half"])
    var never = TestRun([halfway], plan: Plan())
    #expect(never.position(1e6, 1e6) == [])
  }

  @Test func `halfway by time has the grace of seconds`() {
    var run = TestRun([ScriptMessage(id: "half", trigger: HalfwayTrigger(), text: "a line")], plan: Plan(time: 100))
    #expect(run.position(95.001, 10) == ["expired half"])
  }

  @Test func `near the finish counts back from the planned distance`() {
    let finish = ScriptMessage(id: "f", trigger: NearFinishTrigger(remainingMeters: 500), text: "a line")
    var run = TestRun([finish])
    #expect(run.position(1, 4499.99) == [])
    #expect(run.position(2, 4500) == ["say f"])
    var never = TestRun([finish], plan: Plan(time: 100))
    #expect(never.position(1, 1e6) == [])
  }

  @Test func `near the end counts back from the planned time`() {
    let end = ScriptMessage(id: "e", trigger: NearEndTrigger(remainingSeconds: 30), text: "a line")
    var run = TestRun([end], plan: Plan(time: 100))
    #expect(run.position(69.99, 1e6) == [])
    #expect(run.position(70, 1e6) == ["say e"])
    var never = TestRun([end], plan: Plan(distance: 5000))
    #expect(never.position(1e6, 1e6) == [])
  }

  @Test func `a point is spoken once, even where it may be played again`() {
    var run = TestRun([.at("km1", 1000, playOnce: false)])
    run.position(1, 1000)
    #expect(run.position(100, 1050) == [])
  }

  @Test func `a point that was reached stays reached where the distance falls back`() {
    var run = TestRun([.at("a", 1000, priority: 60), .at("b", 1001)])
    #expect(run.position(1, 1002) == ["say a"])
    #expect(run.position(31, 990) == ["say b"])
  }

  @Test func `a multiple that was reached stays reached where the distance falls back`() {
    var run = TestRun([.at("a", 1000, priority: 60), .every("km", 1000)])
    #expect(run.position(1, 1002) == ["say a"])
    #expect(run.position(31, 990) == ["say km @1"])
    #expect(run.position(61, 1005) == [])
  }

  @Test func `a line is judged only while the run is on, and only at fresh snapshots`() {
    var run = TestRun([.at("km1", 1000)])
    #expect(run.position(1, 1000, running: false) == [])
    #expect(run.position(2, 1000) == ["say km1"])
  }

  @Test func `a point passed in a pause, and left again, was not reached`() {
    var run = TestRun([.at("km1", 1000)])
    run.position(1, 1000, running: false)
    #expect(run.position(2, 999) == [])
  }

  // MARK: Grace

  @Test func `a line expires strictly more than 150 m past its point`() {
    var run = TestRun([.at("a", 1000), .at("b", 1000)])
    run.position(1, 1000)
    #expect(run.position(20, 1150) == [], "the window is shut, and b waits")
    var late = run
    #expect(late.position(21, 1150.01) == ["expired b"])
    #expect(run.position(31, 1150) == ["say b"])
    #expect(late.position(31, 1150) == [], "what expired is not spoken")
  }

  @Test func `a line measured in time expires strictly more than 45 s past its point`() {
    var run = TestRun([.time("a", 60)])
    var late = run
    #expect(run.position(105, 1) == ["say a"])
    #expect(late.position(105.001, 1) == ["expired a"])
  }

  @Test func `a line that waits too long in competition expires`() throws {
    var run = TestRun([.time("a", 60), try .when("c", "hr > 1", cooldown: 0, priority: 90)])
    #expect(run.position(59, 1, hr: 2) == ["say c"])
    #expect(run.position(89, 1, hr: 2) == ["say c"])
    #expect(run.position(105, 1, hr: 2) == [])
    #expect(run.position(106, 1, hr: 2) == ["expired a"])
  }

  @Test func `the script's own grace counts where it gives one`() {
    var run = TestRun([.at("a", 1000), .time("t", 60)], grace: Grace(meters: 10, seconds: 5))
    #expect(run.position(66, 1011) == ["expired a", "expired t"])
    var inTime = TestRun([.at("a", 1000)], grace: Grace(meters: 500, seconds: 5))
    #expect(inTime.position(66, 1500) == ["say a"])
  }

  // MARK: Multiples

  @Test func `each multiple is spoken once`() {
    var run = TestRun([.every("km", 1000)])
    #expect(run.position(1, 999.99) == [])
    #expect(run.position(330, 1000) == ["say km @1"])
    #expect(run.position(400, 1100) == [])
    #expect(run.position(660, 2001) == ["say km @2"])
  }

  @Test func `the multiples passed over are recorded once, when they are passed over`() {
    var run = TestRun([.every("km", 1000)])
    #expect(run.position(1, 3100) == ["skip km 1-2", "say km @3"])
    #expect(run.position(2, 3100) == [])
    #expect(run.position(40, 5100) == ["skip km 4-4", "say km @5"])
  }

  @Test func `a waiting multiple is skipped when the next one comes`() {
    var run = TestRun([.every("h", 100, priority: 40), .at("a", 90)])
    #expect(run.position(1, 95) == ["say a"])
    #expect(run.position(5, 110) == [])
    #expect(run.position(20, 205) == ["skip h 1-1"])
    #expect(run.position(31, 210) == ["say h @2"])
  }

  @Test func `a multiple that is too far behind expires`() {
    var run = TestRun([.every("km", 1000)])
    #expect(run.position(1, 1150.01) == ["expired km @1"])
    #expect(run.position(2, 1150.01) == [])
    #expect(run.position(3, 2000) == ["say km @2"])
  }

  @Test func `a repeating line with playOnce is spoken once, and its later positions leave no event`() {
    var run = TestRun([.every("km", 1000, playOnce: true)])
    #expect(run.position(1, 1000) == ["say km @1"])
    #expect(run.position(100, 4000) == [])
  }

  @Test func `a length of nearly nothing does no harm`() {
    var run = TestRun([.every("dust", 1e-300)])
    #expect(run.position(1, 1e9) == ["skip dust 1-9007199254740991", "expired dust @9007199254740992"])
    #expect(run.position(100, 2e9) == [])
  }

  // MARK: Conditions

  @Test func `a condition plays once unless it has a cooldown, 0 included`() throws {
    var once = TestRun([try .when("c", "hr > 150")])
    #expect(once.position(1, 1, hr: 151) == ["say c"])
    #expect(once.position(100, 1, hr: 151) == [])
    var again = TestRun([try .when("c", "hr > 150", cooldown: 0)])
    #expect(again.position(1, 1, hr: 151) == ["say c"])
    #expect(again.position(31, 1, hr: 151) == ["say c"])
    var told = TestRun([try .when("c", "hr > 150", cooldown: 60, playOnce: true)])
    told.position(1, 1, hr: 151)
    #expect(told.position(100, 1, hr: 151) == [])
  }

  @Test func `a cooldown is over when its seconds have passed on the phone's timers`() throws {
    var run = TestRun([try .when("c", "hr > 150", cooldown: 60.5)])
    #expect(run.position(1, 1, at: 100, hr: 151) == ["say c"])
    #expect(run.position(999, 1, at: 160.4, hr: 151) == [])
    #expect(run.position(999, 1, at: 160.5, hr: 151) == ["say c"])
  }

  @Test func `a condition is true at this snapshot or not at all`() throws {
    var run = TestRun([.at("a", 10), try .when("c", "hr > 150")])
    #expect(run.position(1, 10, hr: 1) == ["say a"])
    #expect(run.position(2, 10, hr: 151) == [])
    #expect(run.position(31, 10, hr: 150) == [])
    #expect(run.position(32, 10) == [], "without a reading the rate is unknown")
    #expect(run.position(33, 10, hr: 151) == ["say c"])
  }

  @Test(arguments: [(94, 0), (95, 1), (113, 1), (114, 2), (132, 2), (133, 3), (151, 3), (152, 4), (170, 4), (171, 5)])
  func `zones begin at whole tenths of the maximum`(rate: Int, zone: Int) throws {
    var run = TestRun([try .when("z", "hr_zone == \(zone)")])
    #expect(run.position(1, 1, hr: rate) == ["say z"])
    #expect(DerivedValues.heartRateZone(Int(rate), maximum: 190) == zone)
  }

  @Test func `the memory's maximum decides the zones`() throws {
    let script = Script(messages: [try .when("z", "hr_zone == 5")])
    var decisions: [ScriptDecision] = []
    for (maximum, expected) in [(190, 0), (150, 1)] {
      decisions = []
      var engine = ScriptEngine(script: script, plan: Plan(), maximumHeartRate: maximum)
      engine.observe(
        .test(1, 1, hr: 135), epoch: Epoch(1), sequence: SequenceNumber(1), hour: 0, isRunning: true, at: .start,
        into: &decisions)
      #expect(decisions.count == expected)
    }
  }

  @Test func `readings past all reason are judged without harm`() throws {
    var run = TestRun([try .when("z", "hr_zone == 5", cooldown: 0), try .when("c", "cadence > 1", cooldown: 0)])
    #expect(run.position(1, 1, hr: .max, cadence: .max) == ["say z"])
    #expect(run.position(40, 1, hr: .min, cadence: .max) == ["say c"])
    #expect(run.position(.infinity, 1, at: 80) == [])
    #expect(run.position(80, .nan, at: 81) == [])
  }

  @Test(arguments: [
    "distance == 12.5", "duration == 300", "current_pace == 301", "avg_pace == 302", "target_pace == 330", "hr == 140",
    "hr_zone == 3", "cadence == 170", "time_of_day_hour == 23",
  ])
  func `variables are the snapshot's values`(text: String) throws {
    var run = TestRun([try .when("v", text)])
    #expect(run.position(300, 12.5, hr: 140, pace: 301, average: 302, cadence: 170, hour: 23) == ["say v"])
  }

  @Test(arguments: ["current_pace", "avg_pace", "hr", "hr_zone", "cadence", "pace_3min_ratio", "target_pace"])
  func `what the snapshot and the plan do not say is unknown`(name: String) throws {
    var run = TestRun([try .when("v", "\(name) > 0 OR NOT \(name) > 0")], plan: Plan(distance: 5000))
    #expect(run.position(300, 12.5) == [])
  }
}
