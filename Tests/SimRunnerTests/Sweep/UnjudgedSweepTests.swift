import Foundation
import Testing

@testable import Experiments

/// What a sweep with `--nemesis` says about the expectations that it does not judge.
@Suite struct UnjudgedSweepTests {
  private static func scenario(_ name: String, _ rest: String) -> String {
    """
    { scenario: "\(name)", duration: "30s", link: { profile: "ideal" },
      workout: { source: { model: { distance: 10000, pace: "5:00/km" } } }, \(rest) }
    """
  }
  private static let two = """
    expect: [{ count: "fault.begin", atLeast: 1 }, { never: "link.down" }],
    sometimes: [{ event: "link.down", name: "a cut" }]
    """

  @Test func `the last line, the object and the page say what is not judged and why`() throws {
    let folder = try TemporaryFolder()
    let paths = [
      try folder.write("a.json5", Self.scenario("a", Self.two)),
      try folder.write("b.json5", Self.scenario("b", "expect: [{ never: \"link.down\" }]")),
      try folder.write("c.json5", Self.scenario("c", "nemesis: {}, expect: [{ never: \"node.killed\" }]")),
    ]
    let words = ["sweep"] + paths + ["--seeds", "2", "--jobs", "1", "--nemesis"]
    let text = try CommandChild.run(words + ["--out", folder.path("r.jsonl"), "--html", folder.path("page")])
    #expect(text.status == 0, "\(text.errors)")
    let reason = "--nemesis draws faults that the file does not have"
    let last = try #require(text.output.split(separator: "\n").last)
    #expect(last.hasSuffix("; 3 expectations and 1 situation of 2 scenarios not judged: \(reason)"), "\(last)")
    let page = try String(contentsOfFile: folder.path("page/index.html"), encoding: .utf8)
    #expect(page.contains("Not judged: \(reason)") && page.contains("fault.begin"), "\(page)")

    let object = try CommandChild.run(words + ["--json"]).object()
    let unjudged = try #require(object["notJudged"] as? [[String: Any]])
    #expect(unjudged.map { $0["scenario"] as? String } == ["a", "b"])
    let texts = try #require(unjudged.first?["expectations"] as? [String])
    #expect(texts == [#"{"count":"fault.begin","atLeast":1}"#, #"{"never":"link.down"}"#])
    #expect(unjudged.first?["situations"] as? [String] == ["a cut"] && unjudged.first?["why"] as? String == reason)

    // Without drawn faults all is judged.
    let judged = try CommandChild.run(["sweep", paths[1], "--seeds", "2", "--jobs", "1", "--json"]).object()
    #expect(judged["notJudged"] == nil)
  }

  @Test func `JUnit has a skipped case for each expectation that is not judged, and a case for each failure`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.json5", Self.scenario("a", Self.two))
    func junit(_ options: [String]) throws -> (status: Int32, text: String) {
      let words = ["sweep", path, "--seeds", "2", "--jobs", "1", "--no-shrink", "--keep-going"]
      let places = ["--failures", folder.path("failures"), "--out", folder.path("r.jsonl")]
      let child = try CommandChild.run(words + places + options + ["--junit", folder.path("j.xml")])
      return (child.status, try String(contentsOfFile: folder.path("j.xml"), encoding: .utf8))
    }
    let drawn = try junit(["--nemesis"])
    #expect(drawn.status == 0)
    #expect(drawn.text.contains("skipped=\"3\" tests=\"4\" failures=\"0\""), "\(drawn.text)")
    #expect(drawn.text.components(separatedBy: "<skipped message=\"not judged, as --nemesis draws").count == 4)
    let own = try junit([])
    #expect(own.status == 1)
    #expect(!own.text.contains("<skipped") && own.text.contains("name=\"a: not met: "), "\(own.text)")
    #expect(own.text.contains("<failure message=\"2 seeds, first 0: "), "\(own.text)")
    #expect(own.text.contains("name=\"a: a cut\""), "\(own.text)")
  }

  @Test func `the command that repeats a failure of drawn faults draws them again`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.json5", Self.scenario("a", "expect: []"))
    var report = SweepReport([try SweepSource(path, addingNemesis: true), try SweepSource(path)])
    for source in 0..<2 {
      let finding = SweepLine.Finding(invariant: "x", time: 0, detail: "y")
      let line = SweepLine(scenario: "a", seed: 7, hasPassed: false, violations: [finding])
      report.add(SweepPool.Outcome(source: source, line: line, circumstances: "\(source)"))
    }
    let commands = report.groups.map { report.repeatCommand(of: $0) }
    #expect(commands[0].contains(" sweep ") && commands[0].hasSuffix("--seeds 7-7 --nemesis"), "\(commands)")
  }

  @Test func `torture says that expectations are not judged`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.json5", Self.scenario("a", "expect: [{ never: \"node.killed\" }]"))
    let child = try CommandChild.run(["torture", path, "--kills", "1"])
    #expect(child.status == 0, "\(child)")
    #expect(child.output.hasSuffix("; 1 expectation not judged, as kills come at any moment\n"), "\(child.output)")
  }
}
