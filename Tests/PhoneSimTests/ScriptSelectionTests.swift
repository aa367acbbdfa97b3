import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// Which of several lines is spoken, and what a new script keeps.
@Suite struct ScriptSelectionTests {
  // MARK: The pace of three minutes

  /// 5:30/km is asked; 180 s at 3 m/s are 540 m, a pace of 333.333; the ratio is 330 / 333.33 = 0.99.
  @Test func `the ratio is target pace over the pace of the trailing 180 s`() throws {
    var run = TestRun([try .when("r", "pace_3min_ratio == 0.99")])
    for second in 0..<180 { #expect(run.position(Double(second), Double(second) * 3) == []) }
    #expect(run.position(180, 540) == ["say r"])
  }

  @Test func `the ratio is rounded to six decimals`() throws {
    // 541 m in 180 s: 330 * 541 / 180000 = 0.991833333...
    var run = TestRun([try .when("r", "pace_3min_ratio == 0.991833")])
    run.position(0, 0)
    #expect(run.position(180, 541) == ["say r"])
  }

  @Test func `the older point lies between the two snapshots around it`() throws {
    // 180 s before 200 is 20, a fifth of the way from 0 m at 0 s to 500 m at 100 s: 100 m. 640 - 100 = 540.
    var run = TestRun([try .when("r", "pace_3min_ratio == 0.99")])
    run.position(0, 0)
    run.position(100, 500)
    #expect(run.position(200, 640) == ["say r"])
  }

  @Test func `of several snapshots with equal elapsed time the last counts`() throws {
    var run = TestRun([try .when("r", "pace_3min_ratio == 0.99")])
    run.position(20, 0)
    run.position(20, 100, running: false)
    #expect(run.position(200, 640) == ["say r"])
  }

  @Test func `the ratio is unknown before 180 s have been seen, and for a standing runner`() throws {
    var run = TestRun([try .when("r", "pace_3min_ratio > 0 OR pace_3min_ratio <= 0", cooldown: 0)])
    run.position(0.1, 0)
    #expect(run.position(180.099, 500) == [])
    #expect(run.position(180.1, 500) == ["say r"], "180 s before is exactly the first snapshot")
    var standing = TestRun([try .when("r", "pace_3min_ratio > 0 OR pace_3min_ratio <= 0")])
    standing.position(0, 0)
    #expect(standing.position(180, 0.99) == [])
    #expect(standing.position(181, 1.01) == ["say r"])
  }

  @Test func `without a target pace the average pace is used`() throws {
    var run = TestRun([try .when("r", "pace_3min_ratio == 0.9")], plan: Plan(distance: 5000))
    run.position(0, 0, average: 300)
    #expect(run.position(180, 540, average: 300) == ["say r"])
  }

  @Test func `the way behind is remembered in pauses too`() throws {
    var run = TestRun([try .when("r", "pace_3min_ratio == 0.99")])
    run.position(0, 0, running: false)
    #expect(run.position(180, 540) == ["say r"])
  }

  // MARK: Which one

  @Test func `two dispatches are at least thirty seconds apart, whatever their priority`() {
    var run = TestRun([.at("a", 10), .at("b", 20, priority: 999)])
    #expect(run.position(1, 10, at: 100) == ["say a"])
    #expect(run.position(29, 20, at: 129.999999999) == [])
    #expect(run.position(31, 20, at: 130) == ["say b"])
  }

  @Test func `at one snapshot one line is spoken, and the higher priority goes first`() {
    var run = TestRun([.at("low", 10, priority: 1), .at("high", 10, priority: 2)])
    #expect(run.position(1, 10) == ["say high"])
    #expect(run.position(31, 10) == ["say low"])
  }

  @Test func `among equals the one due longest goes first, then script order`() {
    var run = TestRun([.at("block", 5, priority: 99), .at("later", 30), .at("early", 20), .at("twin", 20)])
    #expect(run.position(1, 5) == ["say block"])
    #expect(run.position(10, 20) == [])
    #expect(run.position(11, 30) == [])
    #expect(run.position(31, 30) == ["say early"])
    #expect(run.position(61, 30) == ["say twin"])
    #expect(run.position(91, 30) == ["say later"])
  }

  @Test func `an interrupted due stretch starts again`() throws {
    var run = TestRun([.at("block", 5, priority: 99), try .when("c", "hr > 150"), .at("p", 20)])
    run.position(1, 5)
    run.position(2, 5, hr: 151)
    run.position(3, 20, hr: 151)
    var broken = run
    #expect(run.position(31, 20, hr: 151) == ["say c"])
    broken.position(4, 20, hr: 100)
    #expect(broken.position(31, 20, hr: 151) == ["say p"])
  }

  @Test func `a pause breaks no stretch`() throws {
    var run = TestRun([.at("block", 5, priority: 99), .at("p", 20), try .when("c", "hr > 150")])
    run.position(1, 5)
    run.position(2, 5, hr: 151)
    run.position(3, 20, hr: 151)
    run.position(4, 20, running: false, hr: 100)
    #expect(run.position(31, 20, hr: 151) == ["say c"])
  }

  @Test func `a new multiple starts a new due stretch`() {
    var run = TestRun([.at("block", 5, priority: 99), .every("h", 100), .at("p", 150)])
    run.position(1, 5)
    run.position(2, 100)
    run.position(3, 150)
    var next = run
    #expect(run.position(31, 150) == ["say h @1"])
    #expect(next.position(4, 200) == ["skip h 1-1"])
    #expect(next.position(31, 200) == ["say p"])
  }

  @Test func `without a commit nothing is spoken, and lines still expire`() {
    var run = TestRun([.at("a", 10), .at("b", 500)])
    #expect(run.position(1, 10, canCommit: false) == [])
    #expect(run.position(2, 161, canCommit: false) == ["expired a"])
    #expect(run.position(3, 500) == ["say b"], "what was not spoken has opened no window")
  }

  // MARK: Branches

  @Test func `linear scripts ignore branch keys`() throws {
    var run = TestRun([.at("a", 10, branch: "fast"), try .when("c", "distance > 20", opens: "slow")])
    #expect(run.position(1, 10) == ["say a"])
    #expect(run.position(31, 21) == ["say c"])
  }

  @Test func `a line of a branch waits for it, and is judged when it comes`() throws {
    let lines: [ScriptMessage] = [
      .at("near", 10, branch: "fast"), .at("far", 500, branch: "fast"), .every("h", 100, branch: "fast"),
      try .when("open", "hr > 150", opens: "fast"),
    ]
    var run = TestRun(lines, policy: .branched)
    #expect(run.position(1, 550) == [], "neither spoken, nor expired, nor skipped")
    #expect(run.position(2, 550, hr: 151) == ["say open", "branch fast after nil"])
    #expect(run.position(3, 550) == ["expired near", "skip h 1-4"])
    #expect(run.position(32, 550) == ["say far"])
    #expect(run.position(62, 550) == ["say h @5"])
  }

  @Test func `a line whose own trigger names its branch is always eligible`() throws {
    let own = try ScriptMessage.when("own", "hr > 150", branch: "fast", opens: "fast")
    let other = try ScriptMessage.when("other", "hr > 150", branch: "slow", opens: "fast")
    var run = TestRun([own, other], policy: .branched)
    #expect(run.position(1, 1, hr: 151) == ["say own", "branch fast after nil"])
    #expect(run.position(31, 1, hr: 151) == [], "other belongs to a branch that is not active")
  }

  @Test func `another branch takes the place of the active one`() throws {
    let lines: [ScriptMessage] = [
      try .when("up", "hr > 150", cooldown: 0, opens: "fast"),
      try .when("down", "hr < 100", cooldown: 0, opens: "slow"),
      .at("f", 10, branch: "fast"), .at("always", 20),
    ]
    var run = TestRun(lines, policy: .branched)
    #expect(run.position(1, 1, hr: 151) == ["say up", "branch fast after nil"])
    #expect(run.position(31, 1, hr: 151) == ["say up"], "it is active already")
    #expect(run.position(61, 1, hr: 99) == ["say down", "branch slow after fast"])
    #expect(run.position(91, 20, hr: 120) == ["say always"])
    #expect(run.position(121, 20, hr: 120) == [])
  }

  // MARK: Position

  @Test func `what was spoken, expired and skipped survives a new script`() {
    var run = TestRun([.at("said", 10), .at("late", 20), .every("km", 1000)])
    run.position(1, 10)
    run.position(2, 171)
    #expect(run.log == ["say said", "expired late"])
    run.engine.replaceScript(nil)
    #expect(run.position(50, 171) == [])
    run.engine.replaceScript(
      Script(messages: [.at("late", 160), .every("km", 50), .at("new", 100), .at("said", 170)]))
    #expect(run.position(100, 175) == ["skip km 1-2", "say km @3"])
    #expect(run.position(130, 175) == ["say new"])
    #expect(run.position(160, 175) == [])
  }

  @Test func `a point passed by less than its grace when the new script arrives is still due`() {
    var run = TestRun([])
    run.position(1, 1100)
    run.engine.replaceScript(Script(messages: [.at("near", 1000), .at("far", 900)]))
    #expect(run.position(2, 1101) == ["expired far", "say near"])
  }

  @Test func `how far a run is past a point depends on the current snapshot`() {
    var run = TestRun([])
    run.position(1, 1200)
    run.engine.replaceScript(Script(messages: [.at("near", 1000), .every("km", 1000)]))
    #expect(run.position(2, 1150) == ["say near"])
    #expect(run.position(32, 1149) == ["say km @1"])
  }

  @Test func `window, cooldowns and branch survive a new script`() throws {
    let open = try ScriptMessage.when("open", "hr > 150", cooldown: 100, opens: "fast")
    var run = TestRun([open], policy: .branched)
    run.position(1, 1, hr: 151)
    run.engine.replaceScript(Script(branchPolicy: .branched, messages: [.at("f", 10, branch: "fast"), open]))
    #expect(run.position(2, 10, hr: 151) == [])
    #expect(run.position(31, 10, hr: 151) == ["say f"])
    #expect(run.position(100, 10, hr: 151) == [])
    #expect(run.position(101, 10, hr: 151) == ["say open"])
  }

  @Test func `a new run starts empty`() throws {
    var run = TestRun([.at("a", 10), try .when("r", "pace_3min_ratio > 0")])
    run.position(1, 10)
    run.engine.startRun()
    #expect(run.engine.position == ScriptPosition())
    #expect(run.position(2, 10) == ["say a"])
    #expect(run.position(181, 600) == [], "the way of the run before is forgotten")
  }

  @Test func `a stored and restored position continues unchanged`() throws {
    var run = TestRun([.at("a", 10), .at("b", 20), .every("h", 100), try .when("c", "hr > 150", cooldown: 90)])
    for (second, distance) in [(1.0, 10.0), (2, 30), (3, 110)] { run.position(second, distance, hr: 151) }
    var restarted = ScriptEngine(script: run.engine.script, plan: run.engine.plan)
    restarted.restore(run.engine.position, trail: run.engine.trail)
    #expect(restarted.position == run.engine.position)
    var other = run
    other.engine = restarted
    for second in 4..<200 {
      let texts = run.position(Double(second), 110 + Double(second), hr: 151)
      #expect(other.position(Double(second), 110 + Double(second), hr: 151) == texts)
    }
  }

  @Test func `the revision changes whenever the stored position does`() throws {
    var run = TestRun([.at("a", 10), .every("h", 100), try .when("c", "hr > 150", cooldown: 40)])
    func kept(_ position: ScriptPosition) -> ScriptPosition {
      var kept = position
      (kept.furthestDistance, kept.furthestElapsed, kept.evaluations) = (nil, nil, 0)
      return kept
    }
    var changes = 0
    for second in 0..<300 {
      let before = run.engine
      run.position(Double(second), Double(second) * 3, hr: second % 7 == 0 ? 120 : 151)
      let hasChanged = kept(before.position) != kept(run.engine.position)
      #expect(!hasChanged || before.revision != run.engine.revision)
      if hasChanged { changes += 1 }
    }
    #expect(changes > 20)
  }

  // MARK: Trace lines

  @Test func `the lines of the trace have their fields in order`() {
    let line = ScriptDecision.Line(
      message: "km", trigger: "distance", priority: 50, multiple: 2, epoch: Epoch(1), sequence: SequenceNumber(7),
      elapsed: 660.5, distance: 2000.25)
    let now = VirtualTime.start + .seconds(700)
    let said = ScriptDecision.dispatch(line, words: 3).event(at: now)
    #expect(said.name == "script.dispatch" && said.place == .phone && said.time == now)
    #expect(
      said.fields.map(\.key) == [
        "message", "trigger", "priority", "multiple", "epoch", "seq", "elapsed", "distance",
      ])
    #expect(said["elapsed"] == .decimal(mantissa: 6605, scale: 1))
    let expired = ScriptDecision.expired(line).event(at: now)
    #expect(expired.name == "script.expired" && expired.fields == said.fields)
    let skipped = ScriptDecision.skipped(line, first: 3, last: 4, cause: .gap).event(at: now)
    #expect(
      skipped.fields.map(\.key) == [
        "message", "trigger", "first", "last", "epoch", "seq", "elapsed", "distance", "cause",
      ])
    let branch = ScriptDecision.branch(message: "m", branch: "b", before: nil).event(at: now)
    #expect(branch.fields.map(\.key) == ["message", "branch", "before"])
    #expect(branch["before"] == .null)
  }
}
