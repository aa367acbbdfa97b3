import Foundation
import LinkTestSupport
import Testing

@testable import Experiments

/// `sweep --strategy` as its users meet it.
@Suite(.serialized) struct StrategyCommandTests {
  /// A short run in which some seeds cut the link long enough for the phone to miss the watch.
  private static let cuts = """
    { scenario: "cuts", duration: "60s", link: { profile: "ideal" },
      workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
      nemesis: { kinds: ["disconnect", "loss", "delay", "kill"], meanInterval: "20s", meanDuration: "6s" },
      expect: [{ never: "liveness.disconnected" }] }
    """

  private static func sweep(
    _ arguments: [String], in folder: URL
  ) throws -> (result: Tool.Result, lines: String) {
    try Data(cuts.utf8).write(to: folder.appending(path: "s.json5"))
    let result = try Tool(["sweep", "s.json5", "--out", "out.jsonl", "--keep-going"] + arguments, in: folder).finish()
    return (result, (try? String(contentsOf: folder.appending(path: "out.jsonl"), encoding: .utf8)) ?? "")
  }

  @Test func `results are the same for any number of jobs and shards`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    // The second half of the seeds is of the next block, whose base the workers must run again.
    let first = LineageSearch.block - 6
    let words = ["--strategy", "lineage", "--no-shrink", "--digests", "--seeds", "\(first)-\(first + 11)"]
    let one = try Self.sweep(words + ["--jobs", "1"], in: folder)
    #expect(one.lines.split(separator: "\n").count == 12)
    let two = try Self.sweep(words + ["--jobs", "2"], in: folder)
    #expect(two.lines == one.lines)
    let shards = try (1...2).map { try Self.sweep(words + ["--shard", "\($0)/2"], in: folder).lines }
    #expect(shards.joined() == one.lines)
    let random = try Self.sweep(["--no-shrink", "--digests", "--seeds", "\(first)-\(first + 11)"], in: folder)
    #expect(random.lines != one.lines)
  }

  @Test func `a saved failure of a changed plan fails by itself, and the report says how to repeat it`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let swept = try Self.sweep(["--strategy", "lineage", "--seeds", "0-47", "--no-shrink"], in: folder)
    #expect(swept.result.status == 1)
    let line = try #require(swept.result.output.split(separator: "\n").first { $0.contains("to repeat it: ") })
    let words = try #require(line.split(separator: ": ").last).split(separator: " ").dropFirst().map(String.init)
    #expect(words.prefix(4) == ["sweep", "s.json5", "--strategy", "lineage"])
    let again = try Tool(words + ["--no-shrink", "--out", "again.jsonl"], in: folder).finish()
    #expect(again.status == 1)
    let text = try String(contentsOf: folder.appending(path: "again.jsonl"), encoding: .utf8)
    #expect(text.isEmpty == false && swept.lines.contains(text))
    let failures = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "sweep-failures").path())
    let saved = try #require(failures.sorted().first { $0.hasSuffix(".json5") })
    #expect(try Tool(["run", "sweep-failures/\(saved)"], in: folder).finish().status == 1)
  }

  @Test func `a strategy that does not exist, or has nothing to draw, is refused`() throws {
    let unknown = try Tool.run(
      ["sweep", "s.json5", "--seeds", "1", "--strategy", "linage"], files: ["s.json5": Self.cuts])
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("--strategy: found \"linage\""))
    #expect(unknown.errors.contains("lineage"))
    let bare = "{ scenario: \"bare\", duration: \"5s\" }"
    let none = try Tool.run(["sweep", "s.json5", "--seeds", "1", "--strategy", "lineage"], files: ["s.json5": bare])
    #expect(none.status == 2)
    #expect(none.errors.contains("found no nemesis, expected one for --strategy lineage"))
    let added = try Tool.run(
      ["sweep", "s.json5", "--seeds", "1", "--strategy", "lineage", "--nemesis"], files: ["s.json5": bare])
    #expect(added.status == 0)
  }
}
