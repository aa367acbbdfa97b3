import Foundation
import Testing

@testable import Console

/// What users choose of the output: colours, quiet, JSON; and files that another command takes.
@Suite struct OutputChoiceTests {
  @Test(arguments: [
    ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
    (["FORCE_COLOR": "1"], false, true), (["FORCE_COLOR": "0"], true, false), (["CLICOLOR_FORCE": "1"], false, true),
    (["CLICOLOR_FORCE": "0"], false, false), (["FORCE_COLOR": "1", "NO_COLOR": "1"], true, false),
    (["TERM": "dumb"], true, false), (["TERM": "dumb", "FORCE_COLOR": "1"], true, true),
    (["CLICOLOR": "0"], true, false),
  ])
  func `variables decide about colours`(environment: [String: String], isTerminal: Bool, expected: Bool) {
    #expect(ColorChoice.hasColor(isTerminal: isTerminal, environment) == expected)
  }

  private static let files = [
    "good.json5": "{ scenario: \"good\", duration: \"10s\", link: { profile: \"ideal\" } }",
    "bad.json5":
      "{ scenario: \"bad\", duration: \"10s\", expect: [{ event: \"run.finished\", between: [\"1s\", \"2s\"] }] }",
  ]

  @Test func `forced colours reach a pipe`() throws {
    let plain = try Tool.run(["test", "good.json5"], files: Self.files)
    #expect(!plain.output.contains("\u{1B}["))
    let forced = try Tool.run(
      ["test", "good.json5"], files: Self.files,
      environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "", "FORCE_COLOR": ""])
    #expect(forced.output.hasPrefix("\u{1B}[32mpass\u{1B}[0m  good"), "\(forced.output)")
  }

  @Test func `quiet commands print what failed and nothing else`() throws {
    let good: [[String]] = [
      ["run", "good.json5", "--mode", "in-process"], ["test", "good.json5"],
      ["sweep", "good.json5", "--seeds", "3", "--out", "r.jsonl"],
    ]
    for words in good {
      let result = try Tool.run(words + ["--quiet"], files: Self.files)
      #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(words): \(result)")
    }
    let tested = try Tool.run(["test", "good.json5", "bad.json5", "--quiet"], files: Self.files)
    #expect(tested.status == 1 && tested.output.hasPrefix("FAIL  bad") && !tested.output.contains("pass  good"))
    let run = try Tool.run(["run", "bad.json5", "--mode", "in-process", "--quiet"], files: Self.files)
    #expect(run.status == 1 && run.output.hasPrefix("\nFAIL  ") && run.output.contains("not met: "))
  }

  @Test func `test prints one JSON object, and every scenario runs with the seed`() throws {
    let result = try Tool.run(["test", "good.json5", "bad.json5", "--json", "--seed", "77"], files: Self.files)
    #expect(result.status == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.output)")
    #expect(object["passed"] as? Int == 1 && object["failed"] as? Int == 1)
    let cases = try #require(object["scenarios"] as? [[String: Any]])
    #expect(cases.map { $0["verdict"] as? String } == ["pass", "fail"])
    #expect(cases.allSatisfy { $0["seed"] as? String == "77" })
    #expect((cases[1]["findings"] as? [String])?.joined().contains("--seed 77") == true)
    #expect(result.errors.contains("FAIL  bad"))
    let listed = try Tool.run(["test", "good.json5", "--json", "--list"], files: Self.files)
    #expect(listed.output.contains("\"scenario\":\"good\"") && listed.output.split(separator: "\n").count == 1)
  }

  @Test func `a file for another command names that command`() throws {
    let trace = Tool.root.appending(path: "traces/tunnel-short.jsonl").path()
    let workout = Tool.root.appending(path: "traces/lap.gpx").path()
    for (words, expected) in [
      (["run", trace], "found a trace, expected a scenario; to judge the trace: sim-runner check "),
      (["run", workout], "found a recorded workout, expected a scenario; to run the workout: sim-runner import "),
      (["run", "."], ".: error: found a folder, expected a scenario; every scenario in it: sim-runner test ."),
    ] {
      let result = try Tool.run(words)
      #expect(result.status == 2 && result.errors.contains(expected), "\(words): \(result.errors)")
    }
  }

  @Test func `a folder is validated with all that is in it`() throws {
    let result = try Tool.run(["validate", "."], files: Self.files.merging(["broken.json5": "{ scenario: 3 }"]) { $1 })
    #expect(result.status == 2)
    #expect(result.output.contains("./broken.json5:1:13: error:"), "\(result.output)")
    #expect(result.errors.contains("3 files: 1 error"), "\(result.errors)")
  }

  @Test func `a sweep without a terminal prints a line of progress now and then`() throws {
    let scenario =
      "{ scenario: \"long\", duration: \"20m\", workout: { source: { model: { distance: 3000, pace: \"5:00/km\" } } } }"
    let words = ["sweep", "s.json5", "--seeds", "0-23", "--out", "r.jsonl", "--progress"]
    let chatty = try Tool.run(words + ["0.001"], files: ["s.json5": scenario])
    #expect(chatty.status == 0)
    let line = #/[0-9,]+ of 24 seeds, [0-9,]+ a second, [0-9:]+ left/#
    #expect(chatty.errors.firstMatch(of: line) != nil, "\(chatty.errors)")
    let silent = try Tool.run(words + ["0"], files: ["s.json5": scenario])
    #expect(silent.errors.firstMatch(of: line) == nil, "\(silent.errors)")
  }
}
