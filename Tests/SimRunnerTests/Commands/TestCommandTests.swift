import Foundation
import Testing

@testable import Experiments
@testable import Simulator

@Suite struct TestCommandTests {
  private static let files = [
    "good.json5": "{ scenario: \"good\", about: \"holds\", duration: \"10s\", link: { profile: \"ideal\" } }",
    "broken.json5":
      "{ scenario: \"broken <&> \\\"one\\\"\", seed: 5, duration: \"10s\", expect: [{ event: \"run.finished\", between: [\"1s\", \"2s\"] }] }",
    "unreadable.json5": "{ scenario: }",
  ]

  private func run(_ arguments: [String], _ names: [String]) throws -> (Tool.Result, String) {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder.appending(path: "s"), withIntermediateDirectories: false)
    for name in names { try Data((Self.files[name] ?? "").utf8).write(to: folder.appending(path: "s/\(name)")) }
    let result = try Tool(["test"] + arguments, in: folder).finish()
    let report = (try? String(contentsOf: folder.appending(path: "r.xml"), encoding: .utf8)) ?? ""
    return (result, report)
  }

  @Test func `a line for each scenario, and the worst status of all`() throws {
    let (good, _) = try run(["s"], ["good.json5"])
    #expect(good.status == 0)
    #expect(good.output.hasPrefix("pass  good  "))
    #expect(good.output.contains("\n1 of 1 passed in "))
    let (failing, _) = try run(["s"], ["good.json5", "broken.json5"])
    #expect(failing.status == 1)
    #expect(failing.output.contains("FAIL  broken"))
    #expect(failing.output.contains("To repeat it:"))
    let (bad, _) = try run(["s/good.json5", "s"], ["good.json5", "broken.json5", "unreadable.json5"])
    #expect(bad.status == 2)
    #expect(bad.output.contains("s/unreadable.json5:1:13: error:"))
    #expect(bad.output.contains("\n1 of 3 passed, 2 failed in "))
  }

  @Test func `without truth a trace has no line of it`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = "{ scenario: \"true\", truth: true, duration: \"30s\", workout: { preparing: \"1s\" } }"
    try Data(text.utf8).write(to: folder.appending(path: "true.json5"))
    for (words, expected) in [([], true), (["--no-truth"], false)] as [([String], Bool)] {
      for command in [["test", "true.json5", "--traces", "t"], ["run", "true.json5", "--trace", "t/true.jsonl"]] {
        let result = try Tool(command + words, in: folder).finish()
        #expect(result.status == 0, "\(result.output)")
        let trace = try String(contentsOf: folder.appending(path: "t/true.jsonl"), encoding: .utf8)
        #expect(trace.contains("\"event\":\"truth.workoutBegan\"") == expected)
      }
    }
    // What an expectation compares with is not there.
    let agrees = "expect: [{ agrees: \"health.saved\", field: \"distance\", with: \"truth.workout.distance\" }]"
    try Data("{ scenario: \"agrees\", \(agrees) }".utf8).write(to: folder.appending(path: "agrees.json5"))
    let refused = try Tool(["run", "agrees.json5", "--no-truth"], in: folder).finish()
    #expect(refused.status == 2)
  }

  @Test func `the JUnit report is well-formed whatever the names are`() throws {
    let (result, report) = try run(["s", "--junit", "r.xml"], ["good.json5", "broken.json5", "unreadable.json5"])
    #expect(result.status == 2)
    #expect(report.contains("<testsuites name=\"sim-runner\" tests=\"3\" failures=\"1\" errors=\"1\""))
    #expect(report.contains("name=\"broken &lt;&amp;&gt; &quot;one&quot;\""))
    #expect(report.contains("<property name=\"seed\" value=\"5\"/>"))
    #expect(report.contains("<system-out>"))
    #expect(report.contains("<error message=\"cannot be read\" type=\"status 2\">"))
    #expect(Self.isBalanced(report))
  }

  @Test func `several at a time print what one at a time prints`() throws {
    let names = ["good.json5", "broken.json5", "unreadable.json5"]
    func tame(_ text: String) -> String { text.replacing(#/ in [0-9.]+ s/#, with: " in N s") }
    for mode in ["in-process", "processes"] {
      let (one, _) = try run(["s", "--mode", mode], names)
      let (many, _) = try run(["s", "--mode", mode, "--jobs", "3"], names)
      #expect(many.status == 2)
      #expect(tame(many.output) == tame(one.output))
    }
  }

  @Test func `the report has the story, the seed and the trace of each, where CI systems look for them`() throws {
    let (result, report) = try run(
      ["s", "--junit", "r.xml", "--traces", "t", "--jobs", "2"], ["good.json5", "broken.json5", "unreadable.json5"])
    #expect(result.status == 2)
    let cases = report.components(separatedBy: "<testcase ").dropFirst()
    #expect(cases.count == 3)
    for text in cases where !text.contains("unreadable") {
      let trace = text.contains("name=\"good\"") ? "t/good.jsonl" : "t/broken------one-.jsonl"
      #expect(text.contains("<property name=\"trace\" value=\"\(trace)\"/>"), "\(text)")
      #expect(text.contains("[[ATTACHMENT|\(trace)]]"))
      #expect(text.contains("<system-out>") && text.contains("gets ready for a workout"))
    }
    // The message is what lists of failures show: the expectation, and how nearly it was met.
    #expect(report.contains("<failure message=\"not met: "), "\(report)")
    #expect(report.contains(" type=\"expectation\">"))
    #expect(report.contains("type=\"status 2\">"))
    #expect(Self.isBalanced(report))
  }

  @Test func `traces of one name do not overwrite each other`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["a.json5", "b.json5"] {
      try Data((Self.files["good.json5"] ?? "").utf8).write(to: folder.appending(path: name))
    }
    let result = try Tool(["test", "a.json5", "b.json5", "--traces", "t"], in: folder).finish()
    #expect(result.status == 0)
    let traces = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "t").path()).sorted()
    #expect(traces == ["good-2.jsonl", "good.jsonl"])
  }

  @Test func `two of one name are distinguished in the report`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["a.json5", "b.json5"] {
      try Data((Self.files["good.json5"] ?? "").utf8).write(to: folder.appending(path: name))
    }
    let result = try Tool(["test", "a.json5", "b.json5", "--junit", "r.xml"], in: folder).finish()
    #expect(result.status == 0)
    let report = try String(contentsOf: folder.appending(path: "r.xml"), encoding: .utf8)
    #expect(report.contains(" name=\"good (a.json5)\"") && report.contains(" name=\"good (b.json5)\""), "\(report)")
  }

  @Test func `a folder's pipes and folders are no scenarios, its broken links are errors`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let inner = folder.appending(path: "s/inner.json5")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data((Self.files["good.json5"] ?? "").utf8).write(to: inner.appending(path: "good.json5"))
    #expect(mkfifo(folder.appending(path: "s/pipe.json5").path(), 0o600) == 0)
    let result = try Tool(["test", "s"], in: folder).finish()
    #expect(result.status == 0)
    #expect(result.output.contains("\n1 of 1 passed in "), "\(result.output)")
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "s/link.json5").path(), withDestinationPath: "nowhere")
    let broken = try Tool(["test", "s"], in: folder).finish()
    #expect(broken.status == 2)
    #expect(broken.output.contains("s/link.json5: error: no such file"))
  }

  @Test func `list runs nothing, filter narrows`() throws {
    let (list, _) = try run(["s", "--list"], ["good.json5", "broken.json5"])
    #expect(list.status == 0)
    #expect(list.output == "broken <&> \"one\"  \ngood              holds\n")
    let (filtered, _) = try run(["s", "--filter", "goo"], ["good.json5", "broken.json5"])
    #expect(filtered.status == 0)
    #expect(filtered.output.contains("1 of 1 passed"))
    let (none, _) = try run(["s", "--filter", "bad"], ["good.json5"])
    #expect(none.status == 2)
    #expect(none.errors == "--filter: no name, path or search word holds \"bad\"\n")
  }

  @Test func `a tag finds its scenarios, and is in saved ones`() throws {
    func tagged(_ tags: String) -> Scenario {
      Scenario.read(Array("{ scenario: 'a', tags: [\(tags)] }".utf8), file: "s", folder: "/").0
    }
    let scenario = tagged("'smoke', 'link'")
    #expect(scenario.tags == ["smoke", "link"])
    #expect(SavedScenario.text(scenario, in: "/").contains("smoke"))
    #expect(!SavedScenario.text(tagged(""), in: "/").contains("tags"))
    let folder = try TemporaryFolder()
    let path = try folder.write("a.json5", "{ scenario: 'a', tags: ['smoke'] }")
    let one = try ScenarioCase(path)
    #expect(one.matches("smok") && !one.matches("slow"))
  }

  @Test func `all shipped scenarios pass, and are in the folder's README`() throws {
    let result = try Tool.run(["test", Tool.root.appending(path: "scenarios").path()])
    #expect(result.status == 0, "\(result.output)")
    let readme = try String(contentsOf: Tool.root.appending(path: "scenarios/README.md"), encoding: .utf8)
    let names = try FileManager.default.contentsOfDirectory(atPath: Tool.root.appending(path: "scenarios").path())
      .filter { $0.hasSuffix(".json5") }.map { String($0.dropLast(6)) }
    #expect(names.count >= 8)
    for name in names {
      #expect(readme.contains("| `\(name)` | "), "\(name)")
      let scenario = try Scenario.load(Tool.scenario(name))
      #expect(scenario.name == name)
      #expect(!scenario.about.isEmpty && !scenario.expectations.isEmpty)
    }
  }

  /// Whether every element that begins also ends, and in the right order.
  private static func isBalanced(_ xml: String) -> Bool {
    var open: [Substring] = []
    for match in xml.matches(of: /<(\/?)([a-z-]+)[^<>]*?(\/?)>/) {
      if match.output.1 == "/" {
        guard open.popLast() == match.output.2 else { return false }
      } else if match.output.3 != "/" {
        open.append(match.output.2)
      }
    }
    return open.isEmpty && !xml.replacing(/<[^<>]*>/, with: "").contains("<")
  }
}
