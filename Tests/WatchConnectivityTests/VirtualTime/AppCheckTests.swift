import Foundation
import Testing

/// What an app's verdict consists of: the invariants that concern it, and checks that compare two runs.
@Suite(.serialized) struct `Checks of apps` {
  private static let infos = ["0.5:infos:3", "6:infos:3"]
  private static let crash = "{ at: \"3s\", kill: \"phone\", restartAfter: \"1s\" },"

  @Test func `a run of apps is judged by what concerns apps`() throws {
    let run = try ProbeRun(watch: ["0.5:infos:1"], time: nil)
    #expect(run.status == 0 && run.text.contains("PASS  all 25 invariants held"), "\(run.text)")
    #expect(!run.text.contains("coach  "), "\(run.text)")
    #expect(run.text.contains("messages  0 received, 0 contexts, 0 failed"), "\(run.text)")
    // A built-in watch has no coach to talk to; a built-in phone is one, whatever its watch says.
    let phone = try ProbeRun(phone: ["0.5:fact:ready"], time: nil, usesProbeAsWatch: false)
    #expect(phone.text.contains("all 25 invariants held") && !phone.text.contains("coach  "), "\(phone.text)")
    #expect(phone.text.contains("facts     1 ready"), "\(phone.text)")
    let watch = try ProbeRun(
      watch: ["0.5:fact:ready"], time: nil, options: ["--phone-cmd", "built-in"])
    #expect(watch.text.contains(" invariants held") && watch.text.contains("coach  "), "\(watch.text)")
    #expect(watch.text.contains("facts     1 ready"), "\(watch.text)")
  }

  @Test func `an app that counts what comes twice is not idempotent`() throws {
    let faults = Self.crash + "{ deliveredTwice: \"phone\" }"
    let run = try ProbeRun(
      faults: faults, watch: Self.infos, phone: ["0:records"], time: nil,
      keys: "checks: { idempotent: { facts: [\"counted\"] } },")
    #expect(run.status == 1, "\(run.text)")
    #expect(
      run.text.contains(
        "the phone recorded counted n=2 3 times, expected 2 times as in the run without"),
      "\(run.text)")
    #expect(run.events("violation").first?.contains("\"invariant\":\"app-idempotent\"") == true)
    let good = try ProbeRun(
      faults: Self.crash, watch: Self.infos, phone: ["0:records"], time: nil, keys: "checks: { idempotent: {} },")
    #expect(good.status == 0, "\(good.text)")
  }

  @Test func `an app that applies what comes after its end changes by a late copy`() throws {
    func run(_ facts: String) throws -> ProbeRun {
      try ProbeRun(
        faults: "{ at: \"0s\", for: \"3s\", channels: [\"userInfo\"], reorder: { probability: 1, by: \"3s\" } },",
        watch: ["0.5:infos:1", "2:message:50"], phone: ["0:records"], time: nil,
        keys: "checks: { lateCopy: { facts: [\"\(facts)\"] } },")
    }
    #expect(try run("counted").status == 0)
    let late = try run("applied")
    #expect(late.status == 1 && late.text.contains("app-lateCopy is broken"), "\(late.text)")
  }

  @Test func `a restart keeps what is stored, and loses what is not`() throws {
    func run(_ facts: String, crash: String = Self.crash) throws -> ProbeRun {
      try ProbeRun(
        faults: crash, watch: Self.infos, phone: ["0:records"], time: nil,
        keys: "checks: { restartKeeps: { facts: [\"\(facts)\"] } },")
    }
    #expect(try run("counted").status == 0)
    let bad = try run("total")
    #expect(bad.status == 1 && bad.text.contains("app-restartKeeps is broken"), "\(bad.text)")
    #expect(bad.text.contains("total n=4 0 times, expected 1 time as in the run without kill, reboot"), "\(bad.text)")
    #expect(!bad.text.contains("in this run"), "\(bad.text)")
    // What is missing may be missing for another reason than the restart.
    let dead = try run("counted", crash: "{ at: \"3s\", kill: \"phone\" },")
    #expect(
      dead.events("violation").contains {
        $0.contains("without kill, reboot; in this run the phone's app does not run at the end")
      }, "\(dead.text)")
  }

  @Test func `a run that has settled ends as one without faults`() throws {
    func run(_ check: String, crash: String = Self.crash) throws -> ProbeRun {
      try ProbeRun(
        faults: crash, watch: Self.infos, phone: ["0:records"], time: nil, keys: "checks: { sameAsIdeal: \(check) },")
    }
    // What is stored is the same; what counts on from the start is lost.
    let kept = try run("{ lasting: [\"counted\"] }")
    #expect(kept.status == 0, "\(kept.text)")
    let lost = try run("{}")
    #expect(lost.status == 1 && lost.text.contains("app-sameAsIdeal is broken"), "\(lost.text)")
    #expect(lost.text.contains("times, expected 1 time as in the run without faults"), "\(lost.text)")
    let named = try run("{ lasting: [\"total\"], except: [\"total.n\"] }")
    #expect(named.status == 0, "\(named.text)")
    // An app that stays dead may yet receive everything.
    let dead = try run("{}", crash: "{ at: \"3s\", kill: \"phone\" },")
    #expect(dead.status == 0, "\(dead.text)")
    #expect(
      dead.text.contains("checks.sameAsIdeal was not judged: the phone's app does not run at the end"), "\(dead.text)")
    let bad = try run("{ except: [\"total.\"] }")
    #expect(bad.status == 2 && bad.text.contains("except[0]: found string \"total.\""), "\(bad.text)")
  }

  @Test func `a difference of an app that cannot repeat says what it does beside virtual time`() throws {
    let run = try ProbeRun(
      faults: Self.crash, watch: Self.infos, phone: ["0:records", "0.2:network"], time: nil,
      keys: "checks: { restartKeeps: { facts: [\"total\"] } },")
    #expect(run.status == 1, "\(run.text)")
    #expect(
      run.events("violation").contains {
        $0.contains("what virtual time does not control (network), so two runs may differ by themselves")
      }, "\(run.text)")
  }

  @Test func `a run for comparison that breaks off breaks the check`() throws {
    let run = try ProbeRun(
      faults: Self.crash, phone: ["6:exitWith:3"], time: nil, options: ["--json"], keys: "checks: { restartKeeps: {} },"
    )
    #expect(run.status == 1, "\(run.text)")
    #expect(run.text.contains("exited with status 3"), "\(run.text)")
  }

  @Test func `checks are refused where they cannot be`() throws {
    let free = try ProbeRun(time: "5x", keys: "checks: { restartKeeps: {} },")
    #expect(free.status == 2 && free.text.contains("expected virtual time"), "\(free.text)")
    let bad = try ProbeRun(time: nil, keys: "checks: { restartkeeps: {}, idempotent: { facts: [\"a b\"] } },")
    #expect(bad.status == 2 && bad.text.contains("did you mean \"restartKeeps\""), "\(bad.text)")
    #expect(
      bad.text.contains("checks.idempotent.facts[0]: found string \"a b\", expected the name of a fact"), "\(bad.text)")
  }
}
