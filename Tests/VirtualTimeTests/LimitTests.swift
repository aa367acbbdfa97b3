import Foundation
import Testing

/// What cannot go on, and what virtual time cannot control, is reported by name.
@Suite(.serialized) struct `Limits` {
  @Test(arguments: [
    (
      "order", 1,
      "thread 1 \"left\" waits for a mutex held by thread 2 \"right\"; thread 2 \"right\" waits for a mutex held by thread 1 \"left\""
    ),
    ("mutex", 1, "thread 2 \"right\" waits for a lock held by thread 1 \"left\""),
    ("queue", 1, "on queue \"first\":"), ("queue", 1, "on queue \"second\":"),
    ("self", 0, "thread 1 \"twice\" waits for a mutex held by itself"),
    ("ended", 1, "thread 2 \"left\" waits for a mutex held by a thread that has ended"),
  ])
  func `a deadlock ends the process, with threads and owners`(kind: String, second: Int64, text: String) throws {
    for mode in ["fibers", "baton"] {
      let run = try ProbeProcess(["deadlock", kind], ["MODE": mode])
      #expect(run.status == 98, "\(run.errors)")
      #expect(run.findings.map(\.kind) == ["deadlock"])
      #expect(run.findings.first?.instant == second * 1_000_000_000)
      let found = try #require(run.findings.first?.text)
      #expect(found.contains(text), "\(found)")
      // The calls of each thread, by their names in the sources.
      #expect(found.contains("static VirtualTimeProbe.Limits.deadlock(Swift.String)"), "\(found)")
      #expect(run.errors.contains("virtual time: at \(second).000 s: deadlock: "))
    }
  }

  @Test func `a lock whose owner sleeps is no deadlock`() throws {
    let run = try ProbeProcess(["deadlock", "held"])
    #expect(run.status == 0 && run.text == "released\n", "\(run.errors)")
  }

  @Test(arguments: [("spin", "spinForEver"), ("ping-pong", "pingPong")])
  func `a process that never comes to rest is busy`(limit: String, function: String) throws {
    for mode in ["fibers", "baton"] {
      let run = try ProbeProcess([limit], ["STALL": "1", "MODE": mode])
      #expect(run.status == 97, "\(run.errors)")
      #expect(run.findings.map(\.kind) == ["busy"])
      #expect(run.findings.first?.text.contains("thread ") == true)
      if limit == "spin" { #expect(run.findings.first?.text.contains(function) == true, "\(run.errors)") }
    }
  }

  @Test func `a wait in the kernel is named`() throws {
    let pipe = FileManager.default.temporaryDirectory.appending(path: "vt-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: pipe) }
    let run = try ProbeProcess(["blocked", pipe], ["STALL": "1"])
    #expect(run.status == 97, "\(run.errors)")
    #expect(run.findings.map(\.kind) == ["blocked"])
    let text = try #require(run.findings.first?.text)
    #expect(text.hasPrefix("thread 0 \"main\" waits in the kernel (open") && text.contains("blockInKernel"), "\(text)")
  }

  @Test func `a process that nothing can wake is idle`() throws {
    let run = try ProbeProcess(["idle"])
    #expect(run.status == 99, "\(run.errors)")
    #expect(run.findings.map(\.kind) == ["idle"])
    #expect(run.findings.first?.text.contains("thread 0 \"main\" waits for a semaphore") == true)
  }

  @Test func `a child process is reported, and runs without the library`() throws {
    let run = try ProbeProcess(["child"])
    #expect(run.status == 0 && run.text == "child ended with 0, plain\n", "\(run.text)\(run.errors)")
    let children = run.findings.filter { $0.kind == "child" }
    #expect(
      children.map(\.text) == ["posix_spawn /usr/bin/env: a child process runs in real time, beside virtual time"])
  }

  @Test func `a network socket is reported with its address`() throws {
    let run = try ProbeProcess(["network"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.findings.map(\.kind) == ["network", "network"])
    #expect(run.findings.last?.text.hasPrefix("connect to 127.0.0.1 port 9:") == true)
  }

  @Test func `a crash ends the process by its signal`() throws {
    for mode in ["fibers", "baton"] {
      let run = try ProbeProcess(["crash"], ["MODE": mode])
      #expect([-SIGILL, -SIGTRAP].contains(run.status), "\(run.status): \(run.errors.prefix(2000))")
      #expect(run.errors.contains("on purpose"))
    }
  }
}
