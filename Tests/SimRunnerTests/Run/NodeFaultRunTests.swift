import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// Devices that fail, in this process and in real ones: killed processes, databases opened again, equal traces.
@Suite struct `Faults of devices` {
  /// Every `do` that makes traffic, on both sides, at a second.
  private static func traffic(at second: Int) -> String {
    let words = [
      "do: 'sendMessage', count: 2", "do: 'updateApplicationContext', bytes: 300", "do: 'transferUserInfo', count: 3",
      "do: 'transferCurrentComplicationUserInfo', count: 2", "do: 'transferFile', bytes: 9000",
    ]
    return words.map { "{ at: \(second), \($0) }," }.joined(separator: "\n")
  }

  private static func scenario(
    _ name: String, faults: String, traffic seconds: [Int], duration: Int, workout: String = "", phone: String = ""
  ) -> String {
    let events = seconds.map { traffic(at: $0) }.joined(separator: "\n")
    return """
      {
        scenario: "\(name)", seed: 7, duration: \(duration), link: { profile: "ble-running" },
        workout: { source: { model: { distance: 100000 } }, events: [\(events) \(workout)] },
        phone: { events: [\(events) \(phone)] },
        faults: [\(faults)],
      }
      """
  }

  /// What a run in this process came to, after the same run in fresh processes gave the same bytes.
  private static func run(_ text: String) throws -> (outcome: RunOutcome, lines: [TraceEvent]) {
    let folder = try TemporaryFolder()
    let path = try folder.write("scenario.json5", text)
    var scenario = try Scenario.load(path)
    scenario.seed = 7
    final class Box { var lines: [TraceEvent] = [] }
    let box = Box()
    var options = RunOptions()
    options.onEvent = { event, _ in box.lines.append(event) }
    let outcome = try ScenarioRun.run(scenario, options)
    for mode in RunOptions.Mode.allCases {
      let trace = folder.url.appending(path: "\(mode.rawValue).jsonl").path()
      let result = try Tool.run(["run", path, "--json", "--mode", mode.rawValue, "--trace", trace])
      let object = try JSONParser.parse(result.output, dialect: .json)
      #expect(
        object["traceDigest"]?.text == outcome.traceDigest, "\(mode.rawValue): \(result.errors.suffix(2000))")
    }
    #expect(outcome.violations.map { "\($0.invariant): \($0.detail)" } == [])
    return (outcome, box.lines)
  }

  private static func words(_ lines: [TraceEvent], _ name: TraceEvent.Name, _ key: String) -> [String] {
    lines.filter { $0.name == name }.compactMap { $0[key]?.text }
  }

  @Test(arguments: ["watch", "phone"])
  func `a node that dies at any point of its session continues from its database`(node: String) throws {
    let points = CrashPoint.session.map(\.name)
    let starts = points.indices.map { 10 + $0 * 30 }
    let faults = zip(points, starts).map { point, start in
      "{ at: \(start), kill: '\(node)', restartAfter: '2500ms', point: '\(point)' },"
    }
    let (outcome, lines) = try Self.run(
      Self.scenario(
        "points", faults: faults.joined(), traffic: starts.map { $0 + 1 }, duration: 10 + points.count * 30))
    #expect(Self.words(lines, "node.killed", "point") == points)
    #expect(Self.words(lines, "node.started", "cause").count { $0 == "restart" } == points.count)
    #expect(outcome.counters.first { $0.name == "transfer.delivered" }?.count ?? 0 > points.count * 10)
  }

  @Test func `a run in which no app can die says what one that keeps everything says`() throws {
    // In this process nothing is kept then; the processes of the other mode always keep.
    let faults =
      "{ at: 15, for: 25, suspend: 'phone' }, { at: 50, for: 20, clockSkew: { node: 'watch', offset: '3s' } }"
    let text = Self.scenario("alive", faults: faults, traffic: [20, 45], duration: 90)
    let (outcome, lines) = try Self.run(text)
    #expect(outcome.verdict == .pass)
    #expect(lines.contains { $0.name == "node.suspended" })
    #expect(!lines.contains { $0.name == "node.killed" })
  }

  @Test(arguments: ["-30m", "30m"])
  func `a watch that restarts with a wrong clock obeys a start that is a second old`(offset: String) throws {
    let (outcome, lines) = try Self.run(
      """
      {
        scenario: "wrong", seed: 7, duration: "5m", link: { profile: "ble-running" },
        workout: { startedBy: "phone", at: 61, source: { model: { distance: 400, pace: "4:10/km" } } },
        faults: [
          { at: 20, for: "3m", clockSkew: { node: "watch", offset: "\(offset)" } },
          { at: 55, for: 9, disconnect: {} },
          // The start has come as a context, and the app has not read it.
          { at: 40, kill: "watch", point: "context.committed", restartAfter: 1 },
          { at: 120, kill: "watch", restartAfter: 1 },
        ],
        expect: [{ count: "run.opened", exactly: 1 }, { count: "run.finished", exactly: 1 }],
      }
      """)
    #expect(outcome.verdict == .pass)
    #expect(Self.words(lines, "node.killed", "point") == ["context.committed"])
    #expect(lines.count { $0.name == "start.accepted" } > 0)
    #expect(!lines.contains { $0.name == "start.declined" })
  }

  @Test(arguments: ["for: 10, ", ""])
  func `a delay of more than ten minutes breaks nothing, and the run is repeated from its trace`(span: String) throws {
    let (outcome, lines) = try Self.run(
      Self.scenario("slow", faults: "{ at: 20, \(span)delay: { mean: '20m' } }", traffic: [25], duration: 60))
    #expect(outcome.verdict == .pass)
    let end = try #require(lines.last { $0.name == "end" })
    #expect(end.time > .start + .seconds(1_220))
    let folder = try TemporaryFolder()
    let trace = folder.url.appending(path: "t.jsonl").path()
    let text = Self.scenario("slow", faults: "{ at: 20, \(span)delay: { mean: '20m' } }", traffic: [25], duration: 60)
    #expect(try Tool.run(["run", folder.write("s.json5", text), "--trace", trace]).status == 0)
    for flags in [[], ["--phone-only"]] {
      let again = try Tool.run(["replay", trace] + flags)
      #expect(again.status == 0, "\(flags): \(again.output.suffix(2000))")
    }
  }

  @Test func `an app that is updated is missing to the other side until its new version starts`() throws {
    let text = Self.scenario(
      "update", faults: "{ at: 30, appUpdate: 'phone', takes: 20 }", traffic: [40, 60], duration: 90)
    let lines = try Self.run(text).lines
    #expect(Self.words(lines, "node.killed", "cause") == ["appUpdate"])
    func refused(in seconds: ClosedRange<Int64>) -> [String] {
      lines.filter {
        $0.name == "message.refused" && $0.place == .watch && seconds.contains($0.time.nanoseconds / 1_000_000_000)
      }.compactMap { $0["error"]?.text }
    }
    #expect(Set(refused(in: 30...49)) == ["companionAppNotInstalled"])
    #expect(refused(in: 55...90).isEmpty)
    #expect(lines.last { $0.name == .init("fault.end") }?.time == VirtualTime(nanoseconds: 50_000_000_000))
    let fault = AppUpdateFault.deaths.first { $0.cause == "appUpdate" }
    #expect(fault?.words == "its app is ended for an update")
  }
}
