import Foundation
import Link
import Testing

@testable import Simulator

@Suite struct `Verdicts that cannot be empty` {
  private static func text(_ faults: String, _ expect: String) -> String {
    """
    { scenario: "empty", seed: 3, duration: "5m", startedAt: "2026-04-12T06:30:00Z", timeZone: "Europe/Berlin",
      link: { profile: "ideal" },
      workout: { source: { model: { distance: 200, pace: "5:00/km" } } },
      script: { id: "asked", messages: [
        { id: "near", text: "One.", triggerSpec: { type: "distance", atMeters: 100 } },
      ] },
      faults: [\(faults)], expect: [\(expect)] }
    """
  }

  private func warnings(_ faults: String, _ expect: String) throws -> [String] {
    let (scenario, found) = Scenario.read(Array(Self.text(faults, expect).utf8), file: "e.json5", folder: ".")
    #expect(!found.contains { $0.hasErrors }, "\(found.flatMap(\.lines))")
    var watched = RunWarnings(scenario)
    var options = RunOptions()
    options.onEvent = { event, _ in watched.observe(event) }
    let outcome = try ScenarioRun.run(scenario, options)
    return watched.finish(outcome.expectations).map(\.text)
  }

  @Test(arguments: [
    (
      "{ never: 'script.expired', where: { message: 'naer' } }", "expect[0]: nothing ever matches",
      "did you mean \"near\"?"
    ),
    ("{ dispatched: ['near', 'far'] }", "no line of the script is \"far\"", ""),
    ("{ never: 'fault.begin', where: { fault: 'tunel' } }", "no fault is \"tunel\"", "did you mean \"tunnel\"?"),
    ("{ never: 'script.dispatch', where: { trigger: 'time' } }", "no trigger of the script is \"time\"", ""),
    (
      "{ event: 'liveness.reconnected', within: '5s', after: { event: 'liveness.disconnected' } }",
      "expect[0] held vacuously: no liveness.disconnected", ""
    ),
  ])
  func `an expectation that nothing puts to the test is a warning`(expect: String, said: String, hint: String) throws {
    let found = try warnings("{ id: 'tunnel', at: '20s', for: '2s', disconnect: {} }", expect)
    #expect(found.count == 1 && found[0].contains(said) && (hint.isEmpty || found[0].contains(hint)), "\(found)")
  }

  @Test(arguments: [
    (
      "{ id: 'late', at: '4m', for: '5s', loss: { probability: 0.5 } }",
      "the fault \"late\" never struck: it begins at 4:00"
    ),
    (
      "{ id: 'none', at: '10s', for: '0s', loss: { probability: 0.5 } }",
      "the fault \"none\" never strikes: it lasts no time"
    ),
    (
      "{ id: 'files', at: '10s', for: '20s', channels: ['file'], loss: { probability: 1 } }",
      "the fault \"files\" never struck: no frame that it affects was sent from 0:10 to 0:30"
    ),
  ])
  func `a fault that never struck is a warning`(fault: String, said: String) throws {
    let found = try warnings(fault, "")
    #expect(found.count == 1 && found[0].contains(said), "\(found)")
  }

  @Test func `a line of the script that no workout reaches is a warning`() throws {
    func warnings(_ trigger: String, _ workout: String) throws -> [String] {
      let text = """
        { scenario: 'e', duration: '3m', workout: { source: { model: { \(workout) } } },
          script: { id: 's', messages: [{ id: 'far', triggerSpec: { \(trigger) }, text: 'hello' }] } }
        """
      let (scenario, found) = Scenario.read(Array(text.utf8), file: "e.json5", folder: ".")
      #expect(!found.contains { $0.hasErrors }, "\(found.flatMap(\.lines))")
      return ScenarioWarnings(scenario).all.map(\.text)
    }
    let start = "the line \"far\" of the script is never due: it is at "
    #expect(
      try warnings("type: 'distance', atMeters: 900", "distance: 300")
        == [start + "900 m, and no workout is as long"])
    #expect(
      try warnings("type: 'time', atSeconds: 200", "distance: 300") == [start + "3:20, and the run ends at 2:06"])
    #expect(try warnings("type: 'distance', atMeters: 300", "distance: 300").isEmpty)
    #expect(try warnings("type: 'time', atSeconds: 100", "distance: 300").isEmpty)
  }

  @Test func `what matters is no warning`() throws {
    let found = try warnings(
      "{ id: 'tunnel', at: '20s', for: '15s', disconnect: {} }, { at: '40s', for: '5s', loss: { probability: 0.1 } }",
      """
      { dispatched: ['near'] }, { never: 'script.expired' }, { count: 'fault.begin', exactly: 1, where: { fault: 'tunnel' } },
      { event: 'liveness.reconnected', within: '30s', after: { event: 'liveness.disconnected' } }
      """)
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `test fails with --strict only, validate warns, and run says it at its end`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = Self.text("", "{ never: 'script.expired', where: { message: 'naer' } }")
    try Data(text.utf8).write(to: folder.appending(path: "e.json5"))
    #expect(try Tool(["test", "e.json5"], in: folder).finish().status == 0)
    let strict = try Tool(["test", "e.json5", "--strict"], in: folder).finish()
    #expect(
      strict.status == 1 && strict.output.contains("warning: expect[0]: nothing ever matches"), "\(strict.output)")
    let valid = try Tool(["validate", "e.json5"], in: folder).finish()
    #expect(valid.status == 0 && valid.output.contains("e.json5:7:"), "\(valid.output)")
    let run = try Tool(["run", "e.json5", "--mode", "in-process"], in: folder).finish()
    #expect(run.status == 0 && run.output.contains("warning: expect[0]"))
  }
}
