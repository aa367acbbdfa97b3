import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// What the real framework gets wrong, in whole runs.
@Suite struct `Runs with quirks` {
  /// The scenarios, a quirk each, by their names.
  static let scenarios: [String] = {
    let folder = Tool.root.appending(path: "scenarios/quirks")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".json5") }.map { String($0.dropLast(6)) }.sorted()
  }()

  static let quirks =
    FaultCatalog.quirks.map { $0.kind } + ["replyLost", "oneWay", "contextCongestion", "notInstalled"]

  @Test func `every quirk has its scenario`() { #expect(Self.scenarios == Self.quirks.sorted()) }

  @Test(arguments: scenarios)
  func `is what the scenario expects, with equal traces from both drivers`(name: String) throws {
    let path = Tool.scenario("quirks/\(name)")
    let scenario = try Scenario.load(path)
    #expect(scenario.faults.contains { $0.kind == name })
    let outcome = try ScenarioRun.run(scenario, RunOptions())
    #expect(outcome.verdict == .pass, "\(outcome.violations.map(\.detail))")
    let result = try Tool.run(["run", path, "--json", "--mode", "processes"])
    let object = try JSONParser.parse(result.output, dialect: .json)
    #expect(object["traceDigest"]?.text == outcome.traceDigest, "\(result.errors.suffix(2000))")
  }

  @Test func `what finishLost keeps from the sender is listed at the end, and nothing else`() throws {
    final class Box { var lines: [TraceEvent] = [] }
    let box = Box()
    var options = RunOptions()
    options.onEvent = { event, _ in box.lines.append(event) }
    _ = try ScenarioRun.run(try Scenario.load(Tool.scenario("quirks/finishLost")), options)
    func transfers(_ name: TraceEvent.Name) -> Set<String> {
      Set(
        box.lines.filter { $0.name == name }.compactMap {
          $0["transfer"].map { value in
            var text = ""
            value.append(to: &text)
            return text
          }
        })
    }
    let untold = transfers("transfer.queued").subtracting(transfers("transfer.finished"))
    let end = try #require(box.lines.last { $0.name == "end" })
    guard case .json(let text) = end["outstanding"] else { throw Missing() }
    #expect(untold.count == 3)
    #expect(Set(text.dropFirst().dropLast().split(separator: ",").map(String.init)) == untold)
  }

  private struct Missing: Error {}

  private static let fuzzed = """
    {
      scenario: "fuzz", duration: "60s",
      workout: { source: { model: { distance: 150 } }, events: [
        { at: "10s", do: "transferUserInfo", count: 5 }, { at: "15s", do: "updateApplicationContext" },
        { at: "16s", do: "updateApplicationContext" }, { at: "20s", do: "talk", seconds: 2, says: "Faster!" },
        { at: "25s", do: "sendMessage", count: 2, wantsReply: true }, { at: "30s", do: "pause" },
        { at: "34s", do: "resume" }, { at: "40s", do: "transferUserInfo", count: 6 },
        { at: "45s", do: "updateApplicationContext" }, { at: "50s", do: "transferCurrentComplicationUserInfo" },
        { at: "51s", do: "transferUserInfo" }, { at: "54s", do: "updateApplicationContext" },
      ] },
      phone: { events: [
        { at: "10s", do: "transferUserInfo", count: 5 }, { at: "12s", do: "transferFile", bytes: 8000 },
        { at: "17s", do: "updateApplicationContext" }, { at: "28s", do: "sendMessage", wantsReply: true },
        { at: "38s", do: "transferUserInfo", count: 6 }, { at: "48s", do: "updateApplicationContext" },
        { at: "55s", do: "transferCurrentComplicationUserInfo" }, { at: "52s", do: "transferUserInfo" },
      ] },
      link: { profile: "ble-running" },
      nemesis: {
        kinds: [KINDS], swarm: false, meanInterval: "2s", meanDuration: "10s",
      },
    }
    """

  @Test func `no promise is broken by all quirks at once, with crashes, sleep and cuts between them`() throws {
    let kinds = (Self.quirks + ["kill", "disconnect", "suspend"]).map { "\"\($0)\"" }.joined(separator: ", ")
    let folder = try TemporaryFolder()
    let path = try folder.write("fuzz.json5", Self.fuzzed.replacing("KINDS", with: kinds))
    var scenario = try Scenario.load(path)
    var options = RunOptions()
    options.level = .judged
    final class Box {
      var redelivered = 0
      var repeated = 0
      var untold = 0
      var dropped: Set<String> = []
    }
    let box = Box()
    options.onEvent = { event, _ in
      switch event.name {
      case "transfer.redelivered": box.redelivered += 1
      case "context.repeated": box.repeated += 1
      case "reachability": box.untold += event["told"] == nil ? 0 : 1
      case FrameDropped.name: box.dropped.insert(event["cause"]?.text ?? "")
      default: break
      }
    }
    for seed in UInt64(1)...200 {
      scenario.seed = seed
      let outcome = try ScenarioRun.run(scenario, options)
      #expect(
        outcome.violations.isEmpty,
        "seed \(seed): \(outcome.violations.map { "\($0.invariant): \($0.detail)" })")
    }
    #expect(box.redelivered > 0 && box.repeated > 0 && box.untold > 0)
    #expect(box.dropped.isSuperset(of: ["replyLost", "oneWay", "nodeDown", "disconnected", "suspended"]))
  }
}
