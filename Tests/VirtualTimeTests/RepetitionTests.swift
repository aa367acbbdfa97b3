import Foundation
import Testing

/// The same program, seeds and settings give the same bytes; other seeds give others.
@Suite(.serialized) struct `Repetition` {
  @Test func `twenty runs of a seed print the same, twenty seeds do not, and every part ends`() throws {
    let first = try ProbeProcess.all(["SEED": "1"])
    for _ in 1..<20 { #expect(try ProbeProcess.all(["SEED": "1"]).output == first.output) }
    var outputs: Set = [first.output]
    for seed in 2...20 { outputs.insert(try ProbeProcess.all(["SEED": "\(seed)"]).output) }
    #expect(outputs.count == 20)
  }

  @Test func `a baton between kernel threads prints the same as fibers`() throws {
    for seed in ["1", "2"] {
      let fibers = try ProbeProcess.all(["SEED": seed])
      for _ in 0..<2 { #expect(try ProbeProcess.all(["SEED": seed, "MODE": "baton"]).output == fibers.output) }
    }
  }

  @Test(arguments: ["fair", "fifo"])
  func `every policy repeats`(policy: String) throws {
    let first = try ProbeProcess.all(["THREADS": policy, "SEED": "3"])
    #expect(try ProbeProcess.all(["THREADS": policy, "SEED": "3"]).output == first.output)
  }

  @Test func `the threads' seed decides the order, and nothing in fifo`() throws {
    func run(_ policy: String, _ seed: String) throws -> ProbeProcess {
      try ProbeProcess.all(["SEED": "5", "THREADS": policy, "THREADS_SEED": seed])
    }
    let (first, second) = (try run("pct", "1"), try run("pct", "2"))
    #expect(first.output != second.output)
    // What is drawn for the app is a stream of its own.
    func uuid(_ run: ProbeProcess) -> Substring? { run.lines.first { $0.contains("uuid") } }
    #expect(uuid(first) != nil && uuid(first) == uuid(second))
    #expect(try run("fifo", "1").output == run("fifo", "2").output)
  }

  @Test func `jitter delays timers by less than its bound, and repeats`() throws {
    let settings = ["SEED": "1", "JITTER_MS": "30"]
    let first = try ProbeProcess.all(settings)
    #expect(try ProbeProcess.all(settings).output == first.output)
    #expect(try ProbeProcess.all(["SEED": "1"]).output != first.output)
    let others = ["done", "read source", "data source"]
    let source = first.lines.filter { line in line.contains(" source ") && !others.contains { line.contains($0) } }
    let instants = source.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    #expect(instants.count == 5)
    for (index, instant) in instants.enumerated() {
      let due = 10 + 600 * Double(index)
      #expect(instant >= due && instant < due + 0.1, "\(instant)")
    }
    #expect(instants.contains { $0.truncatingRemainder(dividingBy: 1) != 0 })
  }

  /// Two threads take two locks in opposite order, without a sleep.
  @Test func `a lock-order deadlock is found by some threads' seeds and repeats`() throws {
    func run(_ seed: Int) throws -> ProbeProcess { try ProbeProcess(["race"], ["THREADS_SEED": "\(seed)"]) }
    var isLost = false
    var found: Int?
    for seed in 1...200 where found == nil || !isLost {
      let outcome = try run(seed)
      if outcome.status == 98 { found = found ?? seed }
      if outcome.text == "counter 1\n" { isLost = true }
    }
    let seed = try #require(found)
    #expect(isLost, "an update is lost under some seed")
    for _ in 0..<5 { #expect(try run(seed).status == 98) }
  }
}
