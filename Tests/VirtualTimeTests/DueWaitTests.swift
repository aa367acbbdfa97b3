import Foundation
import Testing

/// Waits that are due when they begin: each gives its turn away, and a loop of them is found.
@Suite(.serialized) struct `Waits that are due` {
  static let kinds = [
    "usleep", "usleep1", "nanosleep", "clock_nanosleep", "sleep", "poll", "ppoll1ns", "select", "epoll", "yield",
    "semaphore", "semaphoreTry", "mutex", "mutexTry", "rwlock", "join", "futex", "condition", "dispatch",
    "dispatchPast", "thread",
  ]

  @Test(arguments: kinds) func `a loop without end is busy`(kind: String) throws {
    let run = try ProbeProcess(["due", kind, "never"], ["STALL": "1"])
    #expect(run.status == 97, "\(run.errors)")
    #expect(run.findings.map(\.kind) == ["busy"])
    #expect(
      run.findings.first?.text.hasPrefix("thread 0 \"main\" polls: 1.0 s of simulated processor time") == true,
      "\(run.errors)")
    #expect(run.findings == (try ProbeProcess(["due", kind, "never"], ["STALL": "1"])).findings)
  }

  @Test(arguments: kinds) func `a loop that waits for another thread ends when that has slept`(kind: String) throws {
    for mode in ["fibers", "baton"] {
      let run = try ProbeProcess(["due", kind, "1"], ["MODE": mode])
      #expect(run.status == 0 && run.text == "set after 1.0 s\n", "\(run.text)\(run.errors)")
    }
  }

  // Where the loop kept its turn, the other thread would have to wait until the loop counts as one and time moves on.
  @Test(arguments: ["usleep", "semaphore", "condition", "mutex", "futex", "yield", "dispatch"])
  func `the turn is given away at this instant`(kind: String) throws {
    for policy in ["pct", "fifo"] {
      let run = try ProbeProcess(["due", kind, "0"], ["THREADS": policy])
      #expect(run.status == 0 && run.text == "set after 0.000000 s\n", "\(run.text)\(run.errors)")
    }
  }
}
