import Foundation
import Link
import PhoneSim
import Testing

@testable import Simulator
@testable import Console

/// A simulator that cannot find the known bugs has no business promising to find the unknown ones.
@Suite struct `the field's failures` {
  /// A field scenario by its plant's name.
  static func path(_ name: String) -> String { Tool.scenario("field/\(name)") }

  @Test(arguments: PlantCatalog.all.map(\.name))
  func `each is met by a scenario that passes, and fails with the bug planted`(name: String) throws {
    let plant = try #require(PlantCatalog.all.first { $0.name == name })
    var scenario = try Scenario.load(Self.path(name))
    var options = RunOptions()
    options.level = .judged
    let right = try ScenarioRun.run(scenario, options)
    #expect(right.status == 0, "\(right.violations) \(right.expectations)")
    scenario.plant([plant])
    let wrong = try ScenarioRun.run(scenario, options)
    #expect(wrong.status == 1)
    let broken = Set(wrong.violations.map(\.invariant))
    #expect(plant.caughtBy.first.map(broken.contains) == true, "\(broken)")
    #expect(wrong.expectations.contains { !$0.result.hasPassed }, "its own expectations say nothing of it")
    for violation in wrong.violations {
      let text = violation.detail
      #expect(ViolationText.objection(text) == nil, "\(violation.invariant): \(text)")
    }
  }

  @Test(arguments: [
    "companion-echo", "fossil-context", "lost-end", "half-file", "reply-never", "start-lost", "double-tracking",
    "stale-start", "swap-backfire", "script-502", "race-no-signal",
    "meals-uploaded", "added-up",
  ])
  func `a plant does the same in processes of their own`(name: String) throws {
    let digests = try RunOptions.Mode.allCases.map { mode in
      let result = try Tool.run(["run", Self.path(name), "--plant", name, "--json", "--mode", mode.rawValue])
      #expect(result.status == 1)
      return try JSONParser.parse(result.output, dialect: .json)["traceDigest"]?.text
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  // Each takes a step of a workout that had already ended.
  @Test(arguments: [UInt64(486), 1_174])
  func `an adopted workout leaves a store that the next start can read, in both modes`(seed: UInt64) throws {
    let words = ["run", Tool.scenario("trust"), "--plant", "zombie-session", "--seed", "\(seed)", "--json"]
    let digests = try RunOptions.Mode.allCases.map { mode in
      let result = try Tool.run(words + ["--mode", mode.rawValue])
      #expect(result.status == 1, "\(mode.rawValue): \(result.errors)")
      return try JSONParser.parse(result.output, dialect: .json)["traceDigest"]?.text
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func `the trace's header names what is planted, and is otherwise the same`() throws {
    var scenario = try Scenario.load(Self.path("late-pause"))
    let bare = scenario.header
    #expect(!bare.extras.contains { $0.key == "plants" })
    scenario.plant([.latePause, .replyNever])
    var planted = scenario.header
    #expect(planted.extras.last?.key == "plants")
    #expect(planted.extras.last?.node.value == PlantCatalog.member([.latePause, .replyNever]).node.value)
    #expect(PlantCatalog.names([.latePause, .replyNever]) == ["late-pause", "reply-never"])
    planted.extras.removeLast()
    var (one, other): ([UInt8], [UInt8]) = ([], [])
    bare.append(to: &one)
    planted.append(to: &other)
    #expect(one == other)
  }

  @Test func `a second check of a planted trace gives the same verdict`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try Tool(
      ["run", Self.path("resurrection"), "--plant", "resurrection", "--trace", "t.jsonl", "--mode", "in-process"],
      in: folder
    ).finish()
    #expect(run.status == 1)
    #expect(run.output.contains("planted: resurrection"))
    #expect(run.output.contains("--plant resurrection"))
    let check = try Tool(["check", "t.jsonl"], in: folder).finish()
    #expect(check.status == 1)
    #expect(check.output.contains("ended-is-final"))
  }

  @Test func `a plant goes along with a saved run, and into a sweep`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let saving = ["run", Self.path("queue-jam"), "--plant", "queue-jam", "--save", "s.json5", "--mode", "in-process"]
    #expect(try Tool(saving, in: folder).finish().status == 1)
    #expect(try Tool(["run", "s.json5", "--mode", "in-process"], in: folder).finish().status == 1)
    let sweeping = [
      "sweep", Self.path("queue-jam"), "--plant", "queue-jam", "--seeds", "0..<2", "--jobs", "1", "--no-shrink",
      "--out", "r.jsonl",
    ]
    let sweep = try Tool(sweeping, in: folder).finish()
    #expect(sweep.status == 1)
    #expect(sweep.output.contains("queues-drain"))
    #expect(sweep.output.contains("--plant queue-jam"))
  }

  @Test func `tests run with a plant fail and say how to repeat it`() throws {
    let result = try Tool.run(["test", Self.path("clock-skew"), "--plant", "clock-skew"])
    #expect(result.status == 1)
    #expect(result.output.contains("freshness"))
    #expect(result.output.contains("--plant clock-skew"))
  }

  @Test func `a run shrinks with its plant`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let shrink = try Tool(
      ["shrink", Self.path("missed-alarm"), "--plant", "missed-alarm", "--out", "s.json5", "--runs", "60"], in: folder
    ).finish()
    #expect(shrink.status == 1)
    let text = try String(contentsOf: folder.appending(path: "s.json5"), encoding: .utf8)
    #expect(text.contains("plants: [\"missed-alarm\"]"))
  }
}
