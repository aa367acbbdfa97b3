import Foundation
import Testing

@testable import Experiments

/// The page and the history that `--html` writes.
@Suite struct ResultPageTests {
  private let folder: URL

  init() throws { folder = try Tool.makeFolder() }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private func page(_ name: String = "out/index.html") throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  private func history() throws -> [String] {
    try String(contentsOf: folder.appending(path: "out/\(ResultHistory.fileName)"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  private static func scenario(_ name: String, expecting expectation: String) -> String {
    """
    { scenario: "\(name)", duration: "1m", workout: { source: { model: { distance: 100 } } },
      expect: [ \(expectation) ] }
    """
  }

  @Test func `a test's page has a report of each failure, and a history of every run`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("good.json5", Self.scenario("good", expecting: "{ count: \"end\", atLeast: 1 }"))
    try write("bad.json5", Self.scenario("<b>bad</b>", expecting: "{ never: \"end\" }"))
    for run in 1...2 {
      let result = try Tool(["test", "good.json5", "bad.json5", "--html", "out"], in: folder).finish()
      #expect(result.status == 1)
      #expect(try history().count == run)
    }
    let page = try page()
    #expect(page.contains("1 of 2 scenarios passed"))
    #expect(page.contains("&lt;b&gt;bad&lt;/b&gt;"))
    #expect(!page.contains("<b>bad"))
    #expect(page.contains("<a href=\"report-1.html\">report</a>"))
    // Failures first, though the file was the second one; each leads to its problem.
    let items = page.components(separatedBy: "<li class=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(items.count == 2 && items[0].hasPrefix("case failed") && items[1].hasPrefix("case passed"), "\(items)")
    #expect(page.contains("<a href=\"#problem-1\">") && page.contains("id=\"problem-1\""))
    #expect(!page.contains("report-2.html"))
    #expect(page.contains("<rect class=\"failed\"") || page.contains("class=\"failed\""))
    #expect(try self.page("out/report-1.html").contains("<canvas"))
    let line = try #require(try history().last)
    #expect(line.contains(#""command":"test""#) && line.contains(#""runs":2,"failed":1"#))
  }

  @Test func `a sweep's page links the shrunk scenario and the trace, and a damaged history is kept`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      "s.json5",
      """
      { scenario: "cuts", duration: "1m", workout: { source: { model: { distance: 150 } } },
        faults: [ { at: "20s", for: "10s", loss: { probability: 0.5 } } ], expect: [ { never: "frame.dropped" } ] }
      """)
    try FileManager.default.createDirectory(at: folder.appending(path: "out"), withIntermediateDirectories: true)
    try write("out/\(ResultHistory.fileName)", "no line of ours")
    let result = try Tool(["sweep", "s.json5", "--seeds", "2", "--keep-going", "--html", "out"], in: folder).finish()
    #expect(result.status == 1, "\(result.errors)")
    let page = try page()
    #expect(page.contains("2 failed in 1 group"))
    #expect(page.contains("2 of 2 failed, 100 % (95 % interval: 34 % to 100 %)"))
    #expect(page.contains("<a href=\"report-1.html\">0</a>") && page.contains("data-seed=\"1\">1</a>"))
    #expect(page.contains("failures/cuts-0.json5"))
    #expect(page.contains("failures/cuts-0.jsonl"))
    #expect(page.contains("1 line of history.jsonl cannot be read"))
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "out/failures/cuts-0.json5").path()))
    #expect(try history().first == "no line of ours")
    #expect(try history().count == 2)
  }

  @Test func `a sweep for ever ends at the first range with a failure`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // About one seed in four fails.
    try write(
      "s.json5",
      """
      { scenario: "cuts", duration: "1m", workout: { source: { model: { distance: 150 } } },
        faults: [ { at: "20s", for: "1s", loss: { probability: 0.1 } } ], expect: [ { never: "frame.dropped" } ] }
      """)
    let result = try Tool(["sweep", "s.json5", "--seeds", "1", "--forever", "--html", "out"], in: folder).finish()
    #expect(result.status == 1, "\(result.errors)")
    let lines = try history()
    #expect(lines.count > 1)
    #expect(lines.dropLast().allSatisfy { $0.contains(#""failed":0"#) })
    #expect(lines.last?.contains(#""failed":1"#) == true)
  }

  @Test(arguments: [
    (["--forever", "--out", "x.jsonl"], "--out: a sweep with --forever has no end"),
    (["--forever", "--shard", "1/2"], "--shard: a sweep with --forever has no last seed"),
    (["--html", "s.json5"], "expected a folder"),
  ])
  func `2 for what does not go together`(arguments: [String], expected: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("s.json5", Self.scenario("s", expecting: "{ count: \"end\", atLeast: 1 }"))
    let result = try Tool(["sweep", "s.json5", "--seeds", "1"] + arguments, in: folder).finish()
    #expect(result.status == 2)
    #expect(result.errors.contains(expected), "\(result.errors)")
  }

  @Test func `the commit is the build server's, and only hexadecimal digits`() {
    #expect(CommitName.find(["GITHUB_SHA": "0123456789abcdef0123456789abcdef01234567"]) == "0123456789ab")
    #expect(CommitName.find(["GITHUB_SHA": "<script>", "CI_COMMIT_SHA": "abcdef0"]) == "abcdef0")
  }
}
