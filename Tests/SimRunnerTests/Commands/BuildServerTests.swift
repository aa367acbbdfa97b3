import Foundation
import Testing

@testable import Experiments

/// What build servers get: annotations, a job's summary, a code quality report, and the action that runs it all.
@Suite struct BuildServerTests {
  private static let files = [
    "good.json5": "{ scenario: \"good\", duration: \"10s\", link: { profile: \"ideal\" } }",
    "bad.json5": """
    { scenario: "bad | <b>", duration: "10s", expect: [
      { about: "The run ends", event: "run.finished", between: ["1s", "2s"] }] }
    """,
    "broken.json5": "{ scenario: }",
  ]

  private func folder() throws -> URL {
    let folder = try Tool.makeFolder()
    for (name, text) in Self.files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    return folder
  }

  @Test func `GitHub gets an annotation for each failure, and a summary with all scenarios`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"]
    let words = ["test", "good.json5", "bad.json5", "broken.json5"]
    for _ in 0..<2 {
      let result = try Tool(words, in: folder, environment: environment).finish()
      #expect(result.status == 2)
      let annotations = result.errors.split(separator: "\n").filter { $0.hasPrefix("::error ") }
      #expect(annotations.count == 2, "\(result.errors)")
      // At the expectation, with the reason; the trace's lines are on the job's page only.
      #expect(
        annotations[0].hasPrefix("::error file=bad.json5,line=2,col=3,title=bad | <b>%3A not met%3A The run ends"),
        "\(annotations)")
      #expect(annotations[0].contains("%0A") && !annotations[0].contains("around it"))
      #expect(annotations[1].hasPrefix("::error file=broken.json5,line=1,col=13,title="), "\(annotations)")
    }
    let summary = try String(contentsOf: folder.appending(path: "summary.md"), encoding: .utf8)
    #expect(summary.components(separatedBy: "## sim-runner test: 1 of 3 scenarios passed").count == 3)
    #expect(summary.contains("| FAIL | bad \\| &lt;b&gt; | 1 | not met: The run ends: no run."), "\(summary)")
    #expect(summary.contains("| pass | good | 1 | ") && summary.contains("| ERROR | broken.json5 |  | "), "\(summary)")
    #expect(!summary.contains("<b>"))
    // No other server reads them.
    let quiet = try Tool(words, in: folder, environment: ["GITHUB_ACTIONS": ""]).finish()
    #expect(!quiet.errors.contains("::error"))
  }

  @Test func `a summary that cannot be written is reported and changes no result`() throws {
    let result = try Tool.run(
      ["test", "good.json5"], files: Self.files,
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "/nowhere/s.md"])
    #expect(result.status == 0 && result.errors.contains("/nowhere/s.md: warning: the job's summary cannot be written"))
  }

  @Test func `a long list of findings is cut where GitHub cuts it`() {
    let finding = BuildFinding(
      file: "a,b:c", check: "x", title: "50%", text: String(repeating: "line\n", count: 10_000))
    let annotations = GitHubReport.annotations(Array(repeating: finding, count: 12))
    #expect(annotations.count == 11 && annotations[10].contains("and 2 more"))
    #expect(annotations[0].hasPrefix("::error file=a%2Cb%3Ac,title=50%25::line%0Aline"))
    let summary = GitHubReport.summary(Array(repeating: finding, count: 12), title: "t", table: [])
    #expect(summary.utf8.count <= GitHubReport.summaryMax + 100 && summary.contains("More findings than fit here"))
  }

  @Test func `the code quality report has what GitLab reads, and fingerprints that stay and differ`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    func report(_ words: [String]) throws -> [[String: Any]] {
      _ = try Tool(words + ["--code-quality", "q.json"], in: folder).finish()
      let data = try Data(contentsOf: folder.appending(path: "q.json"))
      return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }
    let entries = try report(["test", "good.json5", "bad.json5", "broken.json5"])
    #expect(entries.count == 2)
    for entry in entries {
      let location = try #require(entry["location"] as? [String: Any])
      #expect(location["path"] is String && (location["lines"] as? [String: Any])?["begin"] is Int)
      #expect(entry["severity"] as? String == "major" && (entry["fingerprint"] as? String)?.count == 64)
      #expect((entry["description"] as? String)?.isEmpty == false)
    }
    #expect(entries.map { $0["check_name"] as? String } == ["expectation", "scenario"])
    #expect((entries[0]["description"] as? String)?.contains(": no run.finished between 1s and 2s") == true)
    let prints = entries.compactMap { $0["fingerprint"] as? String }
    #expect(Set(prints).count == 2)
    let again = try report(["test", "good.json5", "bad.json5", "broken.json5"])
    #expect(again.compactMap { $0["fingerprint"] as? String } == prints)
    #expect(try report(["test", "good.json5"]).isEmpty)
    #expect(try report(["validate", "broken.json5"]).count == 1)
  }

  @Test func `a sweep reports each kind of failure`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = ["sweep", "bad.json5", "--seeds", "5", "--keep-going", "--no-shrink", "--out", "r.jsonl"]
    let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "s.md"]
    let result = try Tool(words + ["--code-quality", "q.json"], in: folder, environment: environment).finish()
    #expect(result.status == 1)
    #expect(result.errors.contains("::error file=bad.json5,line=2,col=3,title=not met"), "\(result.errors)")
    let data = try Data(contentsOf: folder.appending(path: "q.json"))
    #expect((try JSONSerialization.jsonObject(with: data) as? [Any])?.count == 1)
    let summary = try String(contentsOf: folder.appending(path: "s.md"), encoding: .utf8)
    #expect(summary.hasPrefix("## sim-runner sweep: 0 of 5 seeds passed"), "\(summary)")
  }

  @Test func `the action is well-formed, gives no input to a shell as code, and its script does what it says`() throws {
    let action = Tool.root.appending(path: "deploy/github-action")
    let text = try String(contentsOf: action.appending(path: "action.yml"), encoding: .utf8)
    for block in text.components(separatedBy: "run: ").dropFirst() {
      #expect(!(block.split(separator: "\n").first ?? "").contains("${{ inputs"))
    }
    let yaml =
      "import sys, yaml; d = yaml.safe_load(open(sys.argv[1])); print(d['runs']['using'], len(d['runs']['steps']))"
    if let python = Installed.path("python3"),
      let printed = try Installed.output(python, ["-c", yaml, action.appending(path: "action.yml").path()])
    {
      #expect(printed == "composite 3\n" || printed.isEmpty)
    }
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = action.appending(path: "run").path()
    let printed = try Installed.output(
      "/bin/bash",
      [
        "-c",
        "cd '\(folder.path())'; SIM_RUNNER='\(Tool.path)' SCENARIOS='good.json5 bad.json5' SEEDS=3 SWEEP=good.json5 "
          + "RESULTS=r '\(script)' >/dev/null 2>&1; echo $?; ls r; ls r/traces",
      ])
    #expect(printed == "1\njunit.xml\nsweep.jsonl\ntraces\nbad----b-.jsonl\ngood.jsonl\n", "\(printed ?? "")")
  }
}
