import Foundation
import Testing

/// Apps that do not do their part: the run ends in an error that says so.
@Suite struct `Stalled apps` {
  @Test func `an app that is stopped fails the run`() throws {
    let run = try ProbeRun(duration: "100s", watch: ["0.1:stop"], time: "5x")
    #expect(
      run.status == 1 && run.text.contains("the watch failed: its process was stopped by signal 19"), "\(run.text)")
    #expect(run.events("node.failed").count == 1)
  }

  @Test func `an app that never touches its session fails the run`() throws {
    let run = try ProbeRun(phone: ["idle"], time: "5x")
    #expect(run.status == 3 && run.text.contains("the phone failed: no join within 5 s"), "\(run.text)")
  }

  @Test func `an app that ends by itself fails the run`() throws {
    let run = try ProbeRun(duration: "100s", phone: ["0.1:exitWith:7"])
    #expect(run.status == 1 && run.text.contains("the phone's program exited with status 7 at 0:0"), "\(run.text)")
    #expect(run.events("node.failed").count == 1)
  }

  @Test func `an app that never returns from a callback breaks the invariant of the queues, and the run ends`() throws {
    let run = try ProbeRun(duration: "15s", watch: ["0.1:message:100", "0.2:infos:3"], time: "5x")
    #expect(run.status == 1 && run.text.contains("queues-drain is broken"), "\(run.text)")
    #expect(run.phone.contains("message 100") && run.phone.filter { $0.hasPrefix("info") }.isEmpty)
    #expect(run.text.contains("callbacks have not ended"), "\(run.text)")
  }

  @Test func `an app in virtual time that is stopped, waits for a child or replaces itself fails with the cause`()
    throws
  {
    for (verb, cause, detail) in [
      ("stop", "its process was stopped by signal 19 (SIGSTOP)", ""),
      ("waitChild:60", "blocked", "waits for a child process for 5."),
      ("shell:60", "blocked", "a child process, which runs in real time"),
      ("exec", "exec", "the app replaces itself by the program "),
    ] {
      let run = try ProbeRun(duration: "20s", watch: ["0.1:\(verb)"], time: nil)
      #expect(run.status == 1 && run.text.contains("the watch failed: \(cause)"), "\(verb): \(run.text)")
      let failed = run.events("node.failed")
      #expect(failed.count == 1 && (detail.isEmpty || failed.first?.contains(detail) == true), "\(verb): \(failed)")
    }
  }

  @Test func `a child that is short is waited for`() throws {
    let run = try ProbeRun(duration: "5s", watch: ["0.1:waitChild:0"], time: nil)
    #expect(run.status == 0 && run.watch.contains("child 0"), "\(run.text)\(run.watch)")
  }

  @Test func `an app that polls without end is busy, with its instant and its calls`() throws {
    let run = try ProbeRun(duration: "1h", watch: ["2:poll"], time: nil)
    #expect(run.status == 1 && run.text.contains("the watch failed: busy"), "\(run.text)")
    #expect(run.events("node.failed").first?.contains("polls: 5.0 s of simulated processor time") == true)
  }
}
