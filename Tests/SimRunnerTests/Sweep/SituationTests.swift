import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator

/// `sometimes`: what some seed of a sweep must reach.
@Suite struct SituationTests {
  private static func scenario(_ sometimes: String) -> String {
    """
    { scenario: "census", duration: "60s", workout: { source: { model: { distance: 150, pace: "5:00/km" } } },
      nemesis: { meanInterval: "40s", kinds: ["disconnect"] },
      sometimes: [\(sometimes)] }
    """
  }
  private static let cut = "{ event: \"link.down\", name: \"a cut\" }"
  private static let never = "{ event: \"node.killed\" }"

  @Test func `a situation that some seed reaches holds, whatever the number of jobs`() throws {
    for jobs in ["1", "3"] {
      let result = try Tool.run(
        ["sweep", "s.json5", "--seeds", "12", "--jobs", jobs, "--json"], files: ["s.json5": Self.scenario(Self.cut)])
      #expect(result.status == 0, "\(result)")
      let reached = try #require(result.output.firstMatch(of: #/"situation":"a cut","seeds":([0-9]+)/#))
      let count = try #require(Int(reached.1))
      // Some seeds draw no fault that early.
      #expect(count > 0 && count < 12, "\(count)")
      #expect(count == (0..<12).count { Self.isReached(seed: UInt64($0)) }, "\(count)")
    }
  }

  private static func isReached(seed: UInt64) -> Bool {
    var (scenario, _) = Scenario.read(Array(Self.scenario(cut).utf8), file: "s", folder: "/")
    scenario.seed = seed
    return (try? SeedRun(scenario).run(seed).reached.flags) == [true]
  }

  @Test func `one that no seed reaches fails the sweep, and names itself`() throws {
    let files = ["s.json5": Self.scenario("\(Self.cut), \(Self.never)")]
    let result = try Tool.run(["sweep", "s.json5", "--seeds", "12", "--jobs", "2", "--out", "r.jsonl"], files: files)
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("Situations reached\n  a cut: ") && result.output.contains(": no seed\n"))
    #expect(result.output.contains("12 of 12 seeds passed, 1 situation never reached"))
    // A shard does not know what the others reach.
    let shard = try Tool.run(
      ["sweep", "s.json5", "--seeds", "12", "--shard", "1/2", "--jobs", "1", "--out", "r.jsonl"], files: files)
    #expect(shard.status == 0 && shard.output.contains(": no seed\n"), "\(shard)")
    // Expectations and situations are about the scenario's own faults.
    let drawn = try Tool.run(
      ["sweep", "s.json5", "--seeds", "2", "--nemesis", "--jobs", "1", "--out", "r.jsonl"],
      files: ["s.json5": files["s.json5"]?.replacing(#/nemesis: .*\n/#, with: "") ?? ""])
    #expect(drawn.status == 0 && !drawn.output.contains("Situations"), "\(drawn)")
  }

  @Test func `merge joins what the shards reached, and fails if none reached a situation`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.scenario(Self.cut))
    for shard in 1...2 {
      let words = ["sweep", path, "--seeds", "12", "--shard", "\(shard)/2", "--out", folder.path("\(shard).jsonl")]
      #expect(try CommandChild.run(words).status == 0)
    }
    let parts = [folder.path("1.jsonl"), folder.path("2.jsonl")]
    let merged = try CommandChild.call(["merge"] + parts + ["--out", folder.path("all.jsonl"), "--json"])
    #expect(merged.status == 0, "\(merged.errors)")
    let reached = (0..<12).count { Self.isReached(seed: UInt64($0)) }
    let sums = try #require(merged.object()["scenarios"] as? [[String: Any]])
    let situations = try #require(sums.first?["situations"] as? [[String: Any]])
    #expect(situations.first?["situation"] as? String == "a cut" && situations.first?["seeds"] as? Int == reached)
    // The joined file has what its parts had.
    let again = try CommandChild.call(["merge", folder.path("all.jsonl"), "--out", folder.path("again.jsonl")])
    #expect(again.status == 0 && again.output.contains("  a cut: \(reached) seeds"), "\(again.output)")

    let none = try folder.write("n.json5", Self.scenario("\(Self.cut), \(Self.never)"))
    #expect(try CommandChild.run(["sweep", none, "--seeds", "4", "--shard", "1/2", "--out", parts[0]]).status == 0)
    #expect(try CommandChild.run(["sweep", none, "--seeds", "4", "--shard", "2/2", "--out", parts[1]]).status == 0)
    let missing = try CommandChild.call(["merge"] + parts + ["--out", folder.path("all.jsonl")])
    #expect(missing.status == 1 && missing.output.contains(": no seed\n"), "\(missing.output)")
  }

  @Test func `situations of a line that are no booleans are refused with their place`() throws {
    let folder = try TemporaryFolder()
    let line = #"{"scenario":"a","seed":"1","verdict":"pass","traceDigest":null,"violations":[],"situations":{"x":1}}"#
    let path = try folder.write("a.jsonl", line + "\n")
    let child = try CommandChild.call(["merge", path])
    #expect(child.status == 2 && child.errors.contains("a.jsonl:1:"), "\(child.errors)")
    #expect(child.errors.contains("expected true or false"), "\(child.errors)")
  }

  @Test func `a single run reports it and does not fail`() throws {
    let files = ["s.json5": Self.scenario(Self.never)]
    let run = try Tool.run(["run", "s.json5", "--mode", "in-process"], files: files)
    #expect(run.status == 0 && run.output.contains("reached 0 of 1 situation; not \""), "\(run)")
    #expect(try Tool.run(["test", "s.json5"], files: files).status == 0)
  }

  @Test func `what nothing can reach is refused, and so is a name twice`() throws {
    for (text, expected) in [
      ("{ event: \"link.dwon\" }", "did you mean \"link.down\""),
      ("{ event: \"link.down\", where: { causee: \"x\" } }", "did you mean \"cause\""),
      ("{ event: \"link.down\", name: \"\" }", "expected a name"), ("{ name: \"x\" }", "event"), ("7", "object"),
      ("\(Self.cut), { event: \"link.up\", name: \"a cut\" }", "found a second situation \"a cut\""),
      ("{ event: \"link.down\", every: 1 }", "every"),
    ] {
      let (_, diagnostics) = Scenario.read(Array(Self.scenario(text).utf8), file: "s", folder: "/")
      #expect(diagnostics.contains { $0.hasErrors && $0.description.contains(expected) }, "\(text): \(diagnostics)")
    }
  }
}
