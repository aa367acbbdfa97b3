import Link
import Testing

@testable import PhoneSim

@Suite struct SkipCauseTests {
  @Test func `multiples between two snapshots are lost in a gap`() {
    var run = TestRun([.every("km", 1000)])
    run.position(1, 900)
    #expect(run.position(600, 3100) == ["skip km 1-2", "say km @3"])
    #expect(run.skipCauses == [.gap])
  }

  @Test func `multiples before the first snapshot of a run are lost in a gap`() {
    var run = TestRun([.every("km", 1000)])
    run.position(1, 3100)
    #expect(run.skipCauses == [.gap])
  }

  @Test func `multiples that snapshots of a paused run passed are skipped because it was not on`() {
    var run = TestRun([.every("km", 1000)])
    run.position(1, 900)
    run.position(300, 1500, running: false)
    #expect(run.position(600, 2010) == ["skip km 1-1", "say km @2"])
    #expect(run.skipCauses == [.notRunning])
  }

  @Test func `a multiple that came due and had to wait was held back`() {
    var run = TestRun([.every("h", 100, priority: 40), .at("a", 90)])
    run.position(1, 95)
    run.position(5, 110)
    #expect(run.position(20, 205) == ["skip h 1-1"])
    #expect(run.skipCauses == [.heldBack])
  }

  @Test func `a multiple that a full disk held back was held back, too`() {
    var run = TestRun([.every("h", 100)])
    run.position(1, 110, canCommit: false)
    #expect(run.position(20, 205) == ["skip h 1-1", "say h @2"])
    #expect(run.skipCauses == [.heldBack])
  }

  @Test func `multiples passed before the script came are skipped because of it`() {
    var run = TestRun([])
    run.position(1, 2500)
    run.engine.replaceScript(Script(messages: [.every("km", 1000)]))
    run.position(2, 2500)
    #expect(run.skipCauses == [.script])
  }

  @Test func `multiples passed before the branch opened are skipped because of it`() throws {
    let lines: [ScriptMessage] = [
      .every("h", 100, branch: "fast"), try .when("open", "hr > 150", opens: "fast"),
    ]
    var run = TestRun(lines, policy: .branched)
    run.position(1, 550)
    run.position(2, 550, hr: 151)
    #expect(run.position(40, 560) == ["skip h 1-4", "say h @5"])
    #expect(run.skipCauses == [.branch])
  }

  @Test func `a restart before the branch's first evaluation does not change the cause`() throws {
    let lines: [ScriptMessage] = [
      .every("h", 100, branch: "fast"), try .when("open", "hr > 150", opens: "fast"),
    ]
    var run = TestRun(lines, policy: .branched)
    run.position(1, 550)
    run.position(2, 550, hr: 151)
    run.engine.restore(run.engine.position, trail: run.engine.trail)
    run.position(40, 560)
    #expect(run.skipCauses == [.branch])
  }

  @Test func `a skip after a restart has the same cause as without one`() {
    var run = TestRun([.every("h", 100, priority: 40), .at("a", 90)])
    run.position(1, 95)
    run.position(5, 110)
    var other = run
    other.engine.restore(run.engine.position, trail: run.engine.trail)
    run.position(20, 305)
    other.position(20, 305)
    #expect(run.skipCauses == [.heldBack] && other.skipCauses == [.heldBack])
  }
}
