import Foundation
import Link
import LinkTestSupport
import Testing

@testable import Experiments
@testable import Simulator
@testable import Commands

/// Sweeps as their users meet them.
@Suite(.serialized) struct SweepCommandTests {
  /// A short run in which some seeds cut the link long enough for the phone to miss the watch.
  private static func cuts(_ expect: String = "{ never: \"liveness.disconnected\" }", name: String = "cuts") -> String {
    """
    { scenario: "\(name)", duration: "90s", link: { profile: "ideal" },
      workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
      nemesis: { kinds: ["disconnect", "loss"], meanInterval: "30s", meanDuration: "6s" },
      expect: [\(expect)] }
    """
  }

  private struct Swept {
    var result: Tool.Result
    var lines: String
    /// Files in the folder of failures, by name.
    var kept: [String: Data]
  }

  private static func sweep(_ arguments: [String], _ files: [String: String] = ["s.json5": cuts()]) throws -> Swept {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let result = try Tool(["sweep"] + arguments + ["--out", "out.jsonl"], in: folder).finish()
    var kept: [String: Data] = [:]
    let failures = folder.appending(path: "sweep-failures")
    for name in (try? FileManager.default.contentsOfDirectory(atPath: failures.path())) ?? [] {
      kept[name] = try Data(contentsOf: failures.appending(path: name))
    }
    let known = Array(files.keys) + ["out.jsonl", "sweep-failures"]
    #expect(try Tool.leftovers(in: folder, besides: known) == [])
    #expect(Tool.processes(of: folder) == [])
    let lines = (try? String(contentsOf: folder.appending(path: "out.jsonl"), encoding: .utf8)) ?? ""
    return Swept(result: result, lines: lines, kept: kept)
  }

  private static func read(_ lines: String) throws -> [SweepLine] {
    try lines.split(separator: "\n").map { try SweepLine(String($0), file: "out", line: 1) }
  }

  @Test func `a line a seed, in their order, whatever the number of jobs and shards`() throws {
    let one = try Self.sweep(["s.json5", "--seeds", "10..<30", "--keep-going", "--jobs", "1", "--no-shrink"])
    let lines = try Self.read(one.lines)
    #expect(lines.map(\.seed) == Array(10..<30))
    #expect(lines.allSatisfy { $0.scenario == "cuts" })
    let failed = lines.filter { !$0.hasPassed }
    #expect(failed.count > 1 && failed.count < 18, "\(failed.count)")
    #expect(failed.allSatisfy { $0.traceDigest?.count == 64 && $0.violations.first?.invariant == "expectation-1" })
    #expect(lines.filter(\.hasPassed).allSatisfy { $0.traceDigest == nil && $0.violations.isEmpty })
    #expect(one.result.status == 1)
    let three = try Self.sweep(["s.json5", "--seeds", "10..<30", "--keep-going", "--jobs", "3", "--no-shrink"])
    #expect(three.lines == one.lines)
    let shards = try (1...3).map {
      try Self.sweep(["s.json5", "--seeds", "10..<30", "--keep-going", "--shard", "\($0)/3", "--no-shrink"]).lines
    }
    #expect(shards.joined() == one.lines)
    // An expectation's line has the time of what shows it.
    let first = try #require(failed.first)
    #expect(first.violations[0].time > 9_000_000_000)
    #expect(first.violations[0].detail.contains("liveness.disconnected at "))
  }

  @Test func `digests of passing seeds are printed on request, and are those of a run`() throws {
    let swept = try Self.sweep(["s.json5", "--seeds", "0..<9", "--keep-going", "--no-shrink", "--digests"])
    let lines = try Self.read(swept.lines)
    #expect(lines.contains { $0.hasPassed } && lines.contains { !$0.hasPassed })
    for line in lines {
      let result = try Tool.run(
        ["run", "s.json5", "--seed", "\(line.seed)", "--json"], files: ["s.json5": Self.cuts()])
      let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect(object["traceDigest"] as? String == line.traceDigest)
    }
    let bare = try Self.sweep(["s.json5", "--seeds", "0..<9", "--keep-going", "--no-shrink"])
    #expect(try Self.read(bare.lines).map(\.violations) == lines.map(\.violations))
  }

  @Test func `it stops at the first seed that fails, whatever the number of jobs`() throws {
    let one = try Self.sweep(["s.json5", "--seeds", "0..<500", "--jobs", "1"])
    let three = try Self.sweep(["s.json5", "--seeds", "0..<500", "--jobs", "3"])
    #expect(one.lines == three.lines)
    let lines = try Self.read(one.lines)
    #expect(lines.last?.hasPassed == false)
    #expect(lines.dropLast().allSatisfy { $0.hasPassed })
    #expect(one.result.status == 1)
    #expect(one.result.output.contains("stopped at the first failure"))
    #expect(one.kept.count == 3 && one.kept == three.kept)
    // The faults that struck are those of the seeds up to that one, it included.
    let last = lines.last?.seed ?? 0
    let all = try Self.sweep(["s.json5", "--seeds", "0-\(last)", "--keep-going", "--no-shrink", "--jobs", "1"])
    let struck = try [one, three, all].map { try #require($0.result.output.firstMatch(of: /\d+ of \d+ met/)?.output) }
    #expect(!struck[0].hasPrefix("0 "), "\(struck)")
    #expect(struck[0] == struck[2] && struck[1] == struck[2], "\(struck)")
  }

  @Test func `a failing kind of thing leaves a small scenario that fails, and the trace of its first seed`() throws {
    let swept = try Self.sweep(["s.json5", "--seeds", "0..<40", "--keep-going"])
    let first = try #require(try Self.read(swept.lines).first { !$0.hasPassed })
    let base = "cuts-\(first.seed)"
    let trace = try #require(swept.kept["\(base).jsonl"])
    #expect(Digest.text(Digest.sha256([UInt8](trace))) == first.traceDigest)
    let text = try #require(swept.kept["\(base).json5"])
    let (scenario, diagnostics) = Scenario.read([UInt8](text), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors })
    #expect(scenario.faults.count == 1 && scenario.nemesis == nil)
    #expect(scenario.about.contains("seed \(first.seed) of cuts"))
    #expect(scenario.duration < .seconds(90))
    let again = try Tool.run(["run", "x.json5"], files: ["x.json5": String(decoding: text, as: UTF8.self)])
    #expect(again.status == 1)
    #expect(again.output.contains("not met: "))
    let title = "1. not met: It never happens that the phone says that the watch is silent (expectation-1)"
    #expect(swept.result.output.contains(title), "\(swept.result.output)")
    #expect(swept.result.output.contains("to repeat it: "))
  }

  @Test func `all that passes is 0, and leaves nothing behind`() throws {
    let swept = try Self.sweep(["s.json5", "--seeds", "0..<30"], ["s.json5": Self.cuts("")])
    #expect(swept.result.status == 0, "\(swept.result.errors)")
    #expect(swept.kept.isEmpty)
    #expect(swept.result.output.contains("30 of 30 seeds passed in "))
    #expect(swept.result.output.contains("Faults met, by channel: "))
    #expect(swept.result.errors == "")
  }

  @Test func `a scenario without a nemesis gets one where asked for, and is not judged by its expectations`() throws {
    let plain = """
      { scenario: "plain", duration: "90s", workout: { source: { model: { distance: 10000 } } },
        expect: [{ count: "fault.begin", atLeast: 1 }] }
      """
    let files = ["s.json5": plain]
    let without = try Self.sweep(["s.json5", "--seeds", "0..<4", "--keep-going", "--no-shrink"], files)
    #expect(without.result.status == 1)
    #expect(try Self.read(without.lines).allSatisfy { !$0.hasPassed })
    let with = try Self.sweep(["s.json5", "--seeds", "0..<4", "--nemesis"], files)
    #expect(with.result.status == 0, "\(with.result.errors)")
    #expect(with.result.output.contains(#/[1-9][0-9]* of [0-9]+ met/#))
  }

  @Test func `several scenarios are swept one after the other`() throws {
    let files = ["a.json5": Self.cuts("", name: "a"), "b.json5": Self.cuts(name: "b")]
    let swept = try Self.sweep(["a.json5", "b.json5", "--seeds", "0..<12", "--keep-going", "--no-shrink"], files)
    let lines = try Self.read(swept.lines)
    #expect(lines.map(\.scenario) == Array(repeating: "a", count: 12) + Array(repeating: "b", count: 12))
    #expect(swept.result.output.contains("1. b: not met: "))
    let same = try Self.sweep(
      ["a.json5", "b.json5", "--seeds", "0..<2"], ["a.json5": Self.cuts(), "b.json5": Self.cuts()])
    #expect(same.result.status == 2)
    #expect(same.result.errors.contains("found the name \"cuts\" of a.json5"))
  }

  @Test func `lines go to standard output where nothing else is asked for, and the report elsewhere`() throws {
    let result = try Tool.run(["sweep", "s.json5", "--seeds", "0..<5"], files: ["s.json5": Self.cuts("")])
    #expect(result.status == 0)
    #expect(try Self.read(result.output).map(\.seed) == [0, 1, 2, 3, 4])
    #expect(result.errors.contains("5 of 5 seeds passed"))
  }

  @Test func `the JSON object sums up, and coverage is written where asked for`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cuts().utf8).write(to: folder.appending(path: "s.json5"))
    let result = try Tool(
      ["sweep", "s.json5", "--seeds", "0..<40", "--keep-going", "--json", "--coverage", "c.json"], in: folder
    ).finish()
    #expect(result.status == 1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["seeds"] as? Int == 40)
    let failed = try #require(object["failed"] as? Int)
    let confidence = try #require(object["confidence"] as? [String: Double])
    let interval = SweepConfidence.interval(failed: failed, of: 40)
    #expect(abs(try #require(confidence["low"]) - interval.lowerBound) < 1e-6)
    #expect(abs(try #require(confidence["high"]) - interval.upperBound) < 1e-6)
    #expect(confidence["rate"] == Double(failed) / 40 && confidence["level"] == 0.95)
    #expect(confidence["cleanSeedsMax"] == Double(SweepConfidence.cleanSeedsMax(failed: failed, of: 40)))
    let groups = try #require(object["groups"] as? [[String: Any]])
    #expect(groups.first?["faults"] as? Int == 1)
    #expect(groups.first?["runs"] as? Int ?? 1_000 < 400)
    let text = try Data(contentsOf: folder.appending(path: "c.json"))
    let coverage = try #require(
      (try JSONSerialization.jsonObject(with: text) as? [String: Any])?["coverage"] as? [[String: Any]])
    let faults = try #require(coverage.first?["faults"] as? [String: [String: [String: Int]]])
    #expect(faults.keys.sorted() == ["disconnect", "loss"])
    #expect(faults["disconnect"]?["message"]?["running"] ?? 0 > 5)
    #expect(faults["disconnect"]?["message"]?["paused"] == 0)
  }

  @Test(arguments: [
    (["s.json5"], "--seeds is missing"), (["--seeds", "0..<9"], "the scenarios are missing"),
    (["nowhere.json5", "--seeds", "0..<9"], "no such file"), (["s.json5", "--seeds", "nine"], "a range such as"),
    (["s.json5", "--seeds", "0..<9", "--jobs", "0"], "from 1 to"),
    (["s.json5", "--seeds", "0..<9", "--shard", "0/2"], "I from 1 to N"),
    (["s.json5", "--seeds", "0..<9", "--shard", "auto"], "JOB_COMPLETION_INDEX"),
    (["bad.json5", "--seeds", "0..<9"], "bad.json5:1:"), (["s.json5", "--seeds", "0..<9", "--out", "."], "a folder"),
    (["gone.json5", "--seeds", "0..<9"], "gone.gpx"),
  ])
  func `2 for what cannot be swept, with nothing left behind`(arguments: [String], expected: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "s.json5": Self.cuts(), "bad.json5": "{ scenario: 3 }",
      "gone.json5": "{ scenario: \"gone\", workout: { source: { import: \"gone.gpx\" } } }",
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let result = try Tool(["sweep"] + arguments, in: folder).finish()
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(expected), "\(result.errors)")
    #expect(try Tool.leftovers(in: folder, besides: Array(files.keys)) == [])
  }

  /// A range that no machine gets through while the test waits.
  private static let endless = ["s.json5", "--seeds", "0..<1000000000", "--keep-going", "--no-shrink", "--jobs", "2"]

  @Test func `Ctrl-C ends it in good order, with the results so far`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cuts().utf8).write(to: folder.appending(path: "s.json5"))
    let tool = try Tool(["sweep"] + Self.endless + ["--out", "out.jsonl"], in: folder)
    try waitUntil("two workers") { Tool.processes(of: folder).count >= 3 }
    kill(tool.number, SIGINT)
    let result = tool.finish()
    #expect(result.status == 130)
    #expect(result.output.contains("; stopped, "))
    let lines = try Self.read(String(contentsOf: folder.appending(path: "out.jsonl"), encoding: .utf8))
    #expect(lines.map(\.seed) == lines.indices.map { UInt64($0) })
    #expect(Tool.processes(of: folder) == [])
    #expect(try Tool.leftovers(in: folder, besides: ["s.json5", "out.jsonl"]) == [])
  }

  // Not the signal of a failed precondition: sent from outside, Swift's backtracer prints, returns, and the process lives.
  @Test(arguments: [SIGTERM, SIGKILL])
  func `a seed that kills its process is a result, and the others go on`(signal: Int32) throws {
    let (lines, errors) = try Self.disturb { kill($0, signal) }
    let failed = lines.filter { !$0.hasPassed }
    #expect(failed.count == 1)
    #expect(failed.first?.violations.first?.invariant == "crash")
    #expect(failed.first?.violations.first?.detail.contains("ended by signal \(signal);") == true)
    #expect(failed.first?.traceDigest == nil)
    #expect(errors.contains("1. crash"))
  }

  @Test func `a seed that killed its process is kept as a scenario, unchanged`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cuts("").utf8).write(to: folder.appending(path: "s.json5"))
    // No seed fails but the one whose process is killed, and that ends the sweep.
    let arguments = ["s.json5", "--seeds", "0..<1000000000", "--jobs", "2", "--json", "--out", "out.jsonl"]
    let tool = try Tool(["sweep"] + arguments, in: folder)
    kill(try #require(try Self.workers(of: tool, in: folder).first), SIGKILL)
    let result = tool.finish()
    #expect(result.status == 1)
    let lines = try Self.read(String(contentsOf: folder.appending(path: "out.jsonl"), encoding: .utf8))
    let seed = try #require(lines.last { !$0.hasPassed }?.seed)
    let failures = folder.appending(path: "sweep-failures")
    #expect(try FileManager.default.contentsOfDirectory(atPath: failures.path()) == ["cuts-\(seed).json5"])
    #expect(result.output.contains("\"saved\":\"sweep-failures/cuts-\(seed).json5\""))
    #expect(!result.output.contains("\"trace\":"))
    #expect(result.errors.contains("   as it was: sweep-failures/cuts-\(seed).json5\n   to repeat it: "))
    var original = try Scenario.load(folder.appending(path: "s.json5").path())
    original.seed = seed
    let kept = try Scenario.load(failures.appending(path: "cuts-\(seed).json5").path())
    #expect(kept.seed == seed && kept.nemesis == nil)
    #expect(kept.faultPlan.map(\.json) == original.faultPlan.map(\.json))
  }

  @Test func `a seed on which the simulation dies is grouped by its state and shrunk`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = """
      { scenario: "trap", duration: "2m", link: { profile: "ideal" },
        workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
        faults: [{ at: 20, for: 1, loss: { probability: 0.5 } }, { id: "cut", at: 33.3, for: 11.7, disconnect: {} },
          { at: 70, for: 3, loss: { probability: 0.5 } }] }
      """
    try Data(text.utf8).write(to: folder.appending(path: "s.json5"))
    let trap = [WorkerTrap.variable: "link.down", "SWIFT_BACKTRACE": "enable=no"]
    let arguments = ["s.json5", "--seeds", "0..<2", "--keep-going", "--jobs", "1", "--out", "out.jsonl"]
    let result = try Tool(["sweep"] + arguments, in: folder, environment: trap).finish()
    #expect(result.status == 1)
    #expect(result.output.contains("1. crash, running, link down: 2 seeds (0, 1)"), "\(result.output)")
    let lines = try Self.read(String(contentsOf: folder.appending(path: "out.jsonl"), encoding: .utf8))
    #expect(lines.map { $0.violations.first?.time } == [33_300_000_000, 33_300_000_000])
    let kept = try Scenario.load(folder.appending(path: "sweep-failures/trap-0.json5").path())
    #expect(kept.faults.map(\.id) == ["cut"])
    #expect(kept.about.hasPrefix("The simulation dies at 0:"))
    let shrink = try Tool(["shrink", "s.json5", "--runs", "12"], in: folder, environment: trap).finish()
    #expect(shrink.status == 1 && shrink.output.contains("The simulation dies at 0:"), "\(shrink.errors)")
  }

  @Test(arguments: ["random", "lineage"])
  func `a crash of the shrinker leaves the failures as they were found`(_ strategy: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let nemesis = "nemesis: { kinds: [\"disconnect\"], meanInterval: \"10s\" }, expect: [{ never: \"link.down\" }],"
    let text = """
      { scenario: "cut", duration: "1m", link: { profile: "ideal" }, \(nemesis)
        workout: { source: { model: { distance: 10000, pace: "5:00/km" } } } }
      """
    try Data(text.utf8).write(to: folder.appending(path: "s.json5"))
    let trap = [WorkerTrap.variable: WorkerTrap.shrinker, "SWIFT_BACKTRACE": "enable=no"]
    let words = ["s.json5", "--seeds", "0..<6", "--keep-going", "--jobs", "1", "--strategy", strategy]
    let result = try Tool(["sweep"] + words, in: folder, environment: trap).finish()
    #expect(result.status == 1)
    #expect(result.errors.contains("as it was (the shrinker failed: its process ended by signal"), "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "sweep-failures").path())
    #expect(Set(names.compactMap { $0.split(separator: ".").last }) == ["json5", "jsonl", "wristwire"], "\(names)")
    let name = try #require(names.first { $0.hasSuffix(".json5") })
    // What was saved fails as the seed did.
    let again = try Tool(["run", "sweep-failures/\(name)"], in: folder).finish()
    #expect(again.status == 1, "\(again.output)")
  }

  @Test func `a seed that does not end is a result, and the others go on`() throws {
    let (lines, _) = try Self.disturb(["--seed-timeout", "2"]) { kill($0, SIGSTOP) }
    let failed = lines.filter { !$0.hasPassed }
    // On a stalled machine others may not end either.
    #expect(failed.count >= 1)
    for line in failed {
      #expect(line.violations.map(\.invariant) == ["crash"])
      #expect(line.violations.first?.detail == "it did not end within 2 s of real time")
    }
  }

  @Test func `it ends when its output has no reader any more`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cuts("").utf8).write(to: folder.appending(path: "s.json5"))
    let words = ([Tool.path, "sweep"] + Self.endless).map { "'\($0)'" }.joined(separator: " ")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/bash")
    shell.arguments = ["-c", "\(words) 2>errors | head -n 3 >lines; exit ${PIPESTATUS[0]}"]
    shell.currentDirectoryURL = folder
    try shell.run(killedAfter: 300)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 3)
    let errors = try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)
    #expect(errors.hasPrefix("standard output: error: the results cannot be written: "), "\(errors)")
    #expect(Tool.processes(of: folder) == [])
  }

  /// Does something to one of two workers of a sweep in which all seeds pass, and stops it some hundred seeds later.
  private static func disturb(
    _ arguments: [String] = [], _ action: (Int32) -> Void
  ) throws -> (lines: [SweepLine], errors: String) {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.cuts("").utf8).write(to: folder.appending(path: "s.json5"))
    let tool = try Tool(["sweep"] + Self.endless + arguments + ["--out", "-"], in: folder)
    action(try #require(try Self.workers(of: tool, in: folder).first))
    try waitUntil("200 seeds after the crash") {
      let output = tool.output()
      let crash = output.range(of: "\"crash\"")
      return output[(crash?.upperBound ?? output.endIndex)...].count { $0 == "\n" } > 200
    }
    kill(tool.number, SIGINT)
    let result = tool.finish()
    #expect(result.status == 130)
    let lines = try Self.read(result.output)
    #expect(lines.map(\.seed) == lines.indices.map { UInt64($0) })
    return (lines, result.errors)
  }

  /// The numbers of the processes that run seeds; waits until there are two that have begun.
  private static func workers(of tool: Tool, in folder: URL) throws -> [Int32] {
    var begun: [Int32] = []
    try waitUntil("two workers that have begun") {
      let numbers = Tool.processes(of: folder).compactMap { Int32($0) }.filter { $0 != tool.number }
      // A worker that sleeps has not received anything yet, or is being read.
      begun = numbers.filter { number in
        let text = (try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)) ?? ""
        return text.split(separator: "\0").dropFirst().first.map(String.init) == WorkerCommand.name
      }
      return begun.count == 2
    }
    return begun
  }
}
