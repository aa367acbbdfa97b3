import Foundation
import LinkTestSupport
import Testing

/// Searches as their users meet them.
@Suite(.serialized) struct ExploreCommandTests {
  private static let text = """
    { scenario: "twice", duration: "20s", link: { profile: "ideal" },
      workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
      phone: { events: [{ at: "5s", do: "sendMessage" }, { at: "8s", do: "sendMessage" }] },
      EXPECT }
    """
  private static let holds = text.replacing("EXPECT", with: "expect: []")
  private static let breaks = text.replacing(
    "EXPECT", with: "expect: [{ count: \"message.received\", where: { node: \"watch\" }, atLeast: 1 }]")
  private static let words = ["--kinds", "drop", "--until", "9s"]

  @Test func `a scenario that holds ends with a certificate, the same for any number of jobs and shards`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.holds.utf8).write(to: folder.appending(path: "s.json5"))
    func explore(_ more: [String], _ out: String) throws -> (result: Tool.Result, lines: [Substring]) {
      let result = try Tool(["explore", "s.json5"] + Self.words + more + ["--out", out], in: folder).finish()
      let text = try String(contentsOf: folder.appending(path: out), encoding: .utf8)
      return (result, text.split(separator: "\n"))
    }
    let one = try explore(["--jobs", "1"], "one")
    #expect(one.result.status == 0)
    #expect(one.result.output.contains("placements of up to 2 faults, none breaks it"), "\(one.result.output)")
    let three = try explore(["--jobs", "3"], "three")
    #expect(three.lines == one.lines && one.lines.count > 10)
    let parts = try (1...3).map { try explore(["--jobs", "1", "--shard", "\($0)/3"], "part\($0)").lines }
    #expect(parts.flatMap { $0 } == one.lines)
    let merged = try Tool(["merge", "part3", "part1", "part2", "--seeds", "\(one.lines.count)"], in: folder).finish()
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(Tool.processes(of: folder) == [])
  }

  @Test func `the smallest placement that breaks it is saved as a scenario that fails by itself`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.breaks.utf8).write(to: folder.appending(path: "s.json5"))
    let result = try Tool(["explore", "s.json5", "--jobs", "2", "--json"] + Self.words, in: folder).finish()
    #expect(result.status == 1, "\(result.errors)")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let failure = try #require((object["failures"] as? [[String: Any]])?.first)
    #expect((failure["faults"] as? [Any])?.count == 2 && failure["invariant"] as? String == "expectation-1")
    let saved = try #require(failure["saved"] as? String)
    #expect(try Tool(["run", saved, "--mode", "in-process"], in: folder).finish().status == 1)
    let trace = try String(
      contentsOf: folder.appending(path: try #require(failure["trace"] as? String)), encoding: .utf8)
    for id in ["placed-1", "placed-2"] { #expect(trace.contains(id), "\(id)") }
  }

  @Test(arguments: [
    ([], "the scenario"), (["s.json5", "--faults", "0"], "from 1 to 5"), (["s.json5", "--kinds", "dorp"], "drop"),
    (["s.json5", "--until", "60s"], "expected at most"), (["s.json5", "--late", "soon"], "such as 12s"),
    (["s.json5", "--jobs", "0"], "from 1 to"), (["s.json5", "--shard", "3/2"], "I from 1 to N"),
    (["nowhere.json5"], "no such file"),
  ])
  func `2 for what cannot be searched`(arguments: [String], expected: String) throws {
    let result = try Tool.run(["explore"] + arguments, files: ["s.json5": Self.holds])
    #expect(result.status == 2 && result.output == "")
    #expect(result.errors.contains(expected), "\(result.errors)")
  }
}
