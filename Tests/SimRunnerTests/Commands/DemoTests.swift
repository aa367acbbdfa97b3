import Foundation
import Link
import Testing

@testable import Simulator
@testable import Commands

@Suite struct DemoTests {
  @Test(arguments: DemoCatalog.all.map(\.name))
  func `a demo's text is the shipped scenario`(name: String) throws {
    let shipped = try String(contentsOfFile: Tool.scenario(name), encoding: .utf8)
    #expect(try DemoCatalog.demo(named: name).text == shipped.trimmingCharacters(in: .newlines))
  }

  @Test func `the demo tells its story and leaves its trace`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool([], in: folder).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    try Golden.compare(Self.masked(result.output), with: "demo.txt")
    #expect(try Tool.leftovers(in: folder) == ["wristwire-demo.html", "wristwire-demo.jsonl"])
    let trace = try String(contentsOf: folder.appending(path: "wristwire-demo.jsonl"), encoding: .utf8)
    #expect(trace.split(separator: "\n").last?.contains("\"event\":\"end\",\"verdict\":\"pass\"") == true)
  }

  @Test func `the demo of a day tells its story and leaves its trace`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    // In one process, because a day of processes takes half a minute of a debug build; their bytes are the same.
    let result = try Tool(["demo", "day", "--mode", "in-process"], in: folder).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    try Golden.compare(Self.masked(result.output), with: "demo-day.txt")
    #expect(try Tool.leftovers(in: folder) == ["wristwire-day.html", "wristwire-day.jsonl"])
  }

  /// Without paths, figures of the machine, and columns that depend on them.
  private static func masked(_ output: String) -> String {
    output.replacingOccurrences(of: Tool.path, with: "sim-runner")
      .replacing(/[0-9.]+ s of yours/, with: "N s of yours")
      .replacing(/all [0-9]+ invariants/, with: "all N invariants")
      .replacing(/SHA-256 [0-9a-f]+/, with: "SHA-256 X")
      .replacing(#/ +(?=  (the same|a scenario|a whole day|everything|what the phone|the sessions))/#, with: "")
  }

  @Test func `an unknown demo is refused with the known ones`() throws {
    let result = try Tool.run(["demo", "dya"])
    #expect(result.status == 2 && result.errors.contains("\"day\""), "\(result.errors)")
  }

  @Test func `in the tunnel the phone says so after exactly ten seconds`() throws {
    let (scenario, _) = Scenario.read(Array(DemoCatalog.standard.text.utf8), file: "demo", folder: "/")
    var options = RunOptions()
    var silences: [Int64] = []
    var heard: Int64 = 0
    options.onEvent = { event, _ in
      if event.name == "snapshot.fresh" { heard = event.time.nanoseconds }
      if event.name == "liveness.disconnected" { silences.append(event.time.nanoseconds - heard) }
    }
    let outcome = try ScenarioRun.run(scenario, options)
    #expect(outcome.verdict == .pass)
    #expect(silences.first == 10_000_000_000)
  }

  @Test(arguments: [UInt64](100..<108))
  func `the demo holds under every seed`(seed: UInt64) throws {
    var (scenario, _) = Scenario.read(Array(DemoCatalog.standard.text.utf8), file: "demo", folder: "/")
    scenario.seed = seed
    let outcome = try ScenarioRun.run(scenario, RunOptions())
    #expect(outcome.verdict == .pass, "\(outcome.violations) \(outcome.expectations.map(\.result))")
  }
}
