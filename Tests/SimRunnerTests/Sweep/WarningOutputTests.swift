import Foundation
import Testing

/// Warnings about what could not matter, in everything that runs scenarios.
@Suite struct WarningOutputTests {
  /// The run is over before the fault, so nothing puts the expectation to the test.
  private static let vacuous = """
    { scenario: "late", duration: "2m", workout: { source: { model: { distance: 100, pace: "5:00/km" } } },
      link: { profile: "ideal" }, faults: [{ id: "cut", at: "100s", for: "5s", disconnect: {} }],
      expect: [{ event: "liveness.disconnected", within: "11s", after: { event: "link.down" } }] }
    """
  private static let first = "expect[0] held vacuously: no link.down happened"
  private static let second = "the fault \"cut\" never struck: it begins at 1:40"

  @Test func `test prints, counts and reports them`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("late.json5", Self.vacuous)
    let child = try CommandChild.run(["test", path, "--junit", folder.path("j.xml"), "--html", folder.path("page")])
    #expect(child.status == 0 && child.output.contains("warning: \(Self.first)\n"), "\(child)")
    #expect(child.output.contains("warning: \(Self.second)") && child.output.contains("1 of 1 passed, 2 warnings in "))
    let junit = try String(contentsOfFile: folder.path("j.xml"), encoding: .utf8)
    #expect(junit.contains("<property name=\"warning\" value=\"\(Self.first)\"/>"), "\(junit)")
    let page = try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8)
    #expect(page.contains("class=\"warning\"") && page.contains(Self.first))
    let object = try CommandChild.run(["test", path, "--json"]).object()
    let scenario = try #require((object["scenarios"] as? [[String: Any]])?.first)
    #expect((scenario["warnings"] as? [String])?.first == Self.first && scenario["verdict"] as? String == "pass")
    let strict = try CommandChild.run(["test", path, "--strict"])
    #expect(strict.status == 1 && strict.output.components(separatedBy: Self.first).count == 2, "\(strict.output)")
  }

  @Test func `GitHub gets an annotation and a section for each`() throws {
    let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"]
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.vacuous.utf8).write(to: folder.appending(path: "late.json5"))
    for words in [["test", "late.json5"], ["sweep", "late.json5", "--seeds", "2", "--out", "r.jsonl"]] {
      let result = try Tool(words, in: folder, environment: environment).finish()
      #expect(result.status == 0, "\(result)")
      #expect(result.errors.contains("::warning file=late.json5,title=late%3A warning::\(Self.first)\n"), "\(result)")
    }
    let summary = try String(contentsOf: folder.appending(path: "summary.md"), encoding: .utf8)
    #expect(summary.components(separatedBy: Self.first).count == 3, "\(summary)")
  }

  @Test(arguments: ["1", "3"])
  func `a sweep has those that hold in every seed, whatever the number of jobs`(jobs: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("late.json5", Self.vacuous)
    let words = ["sweep", path, "--seeds", "8", "--jobs", jobs]
    let all = try CommandChild.run(words + ["--out", folder.path("r.jsonl")])
    #expect(all.status == 0 && all.output.contains("8 of 8 seeds passed, 2 warnings in "), "\(all)")
    #expect(all.output.contains("warning: in every seed: \(Self.first)"))
    let object = try CommandChild.run(words + ["--json"]).object()
    let warnings = try #require(object["warnings"] as? [[String: Any]])
    #expect(warnings.map { $0["scenario"] as? String } == ["late", "late"])
    // A fault that strikes in some seeds is none.
    let some = try folder.write("some.json5", Self.vacuous.replacing("at: \"100s\"", with: "at: \"10s\""))
    let quiet = try CommandChild.run(["sweep", some, "--seeds", "4", "--jobs", jobs, "--out", folder.path("r.jsonl")])
    #expect(!quiet.output.contains("warning"), "\(quiet)")
  }
}
