import Console
import Foundation
import Link
import PhoneSim
import Testing

@testable import Experiments
@testable import Simulator

@Suite struct InevitableTests {
  /// Five minutes in which a nemesis may cut the link: a cut of more than ten seconds fails the expectation.
  private static let text = """
    { scenario: "drawn cuts", duration: "5m", link: { profile: "ideal" },
      workout: { source: { model: { distance: 100000, pace: "5:00/km" } } },
      nemesis: { kinds: ["disconnect"], meanInterval: "4m", meanDuration: "15s" },
      expect: [{ never: "liveness.disconnected" }] }
    """

  private static func read(_ text: String) throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  /// Found once for all tests.
  private static let found = Result { try findFailures() }
  private static func failures() throws -> [(scenario: Scenario, fault: PlannedFault)] { try found.get() }

  /// Seeds of ``text`` that fail, with the one fault of their plan.
  private static func findFailures() throws -> [(scenario: Scenario, fault: PlannedFault)] {
    var found: [(Scenario, PlannedFault)] = []
    for seed in 900...1_000 as ClosedRange<UInt64> where found.count < 2 {
      var scenario = try read(text)
      scenario.seed = seed
      let plan = scenario.faultPlan
      guard plan.count == 1, !(try SeedRun(scenario).run(seed).line.hasPassed) else { continue }
      found.append((scenario, plan[0]))
    }
    return found
  }

  @Test func `a failure is averted by no more drawn faults until the cut behind it begins`() throws {
    for (scenario, fault) in try Self.failures() {
      var search = try #require(try InevitableSearch(scenario, target: nil))
      try search.findWaysOut()
      let way = try #require(search.waysOut.first { $0.intervention.name == "no more drawn faults" })
      // Ended early, the cut is over before the phone misses the watch.
      #expect(try #require(way.until) >= fault.begin)
      #expect(way.next <= VirtualTime(nanoseconds: max(0, search.finding.time)) || search.finding.time < 0)
      // The axis ends at the failure, every bar is as wide as the axis, and one that is open longer is longer.
      let lines = InevitableText(search: search).waysOut(columns: 120)
      let failure = StoryText.clock(VirtualTime(nanoseconds: search.finding.time))
      #expect(lines.first?.hasSuffix("×\(failure)") == true, "\(lines)")
      let bars = lines.dropFirst().map { line in line.filter { "━┫·".contains($0) }.count }
      #expect(Set(bars).count == 1 && lines.count == search.waysOut.count + 1)
      let open = zip(lines.dropFirst(), search.waysOut).map { ($0.filter { $0 == "━" }.count, $1.until ?? .start) }
      for (one, other) in zip(open, open.dropFirst()) where one.1 < other.1 { #expect(one.0 <= other.0) }
      #expect(InevitableText(search: search).waysOut(columns: 40).count == search.waysOut.count)
    }
  }

  @Test func `a failure without an instant has no way out`() throws {
    var scenario = try Self.read(
      Self.text.replacing("never: \"liveness.disconnected\"", with: "count: \"end\", exactly: 2"))
    scenario.seed = 3
    var search = try #require(try InevitableSearch(scenario, target: "expectation-1"))
    try search.findWaysOut()
    #expect(InevitableText(search: search).conclusion.contains("has no instant") == (search.finding.time < 0))
  }

  @Test func `a run that passes has nothing to find`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "s.json5", Self.text.replacing("never: \"liveness.disconnected\"", with: "count: \"end\", exactly: 1"))
    let child = try CommandChild.run(["inevitable", path, "--json"])
    #expect(child.status == 0)
    #expect(try child.object()["verdict"] as? String == "pass")
  }

  @Test func `the command shows the ways out and the story before the failure, and so does the JSON object`() throws {
    let (scenario, _) = try #require(try Self.failures().first)
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.text)
    let words = ["inevitable", path, "--seed", String(scenario.seed)]
    let child = try CommandChild.run(words)
    #expect(child.status == 1, "\(child.errors)")
    #expect(child.output.contains("no more drawn faults  "), "\(child.output)")
    let object = try CommandChild.run(words + ["--json"]).object()
    #expect(try #require(object["waysOut"] as? [Any]).count == Intervention.list(for: scenario).count)
    let conclusion = try #require(object["conclusion"] as? String)
    #expect(child.output.replacing("\n", with: " ").contains(conclusion.prefix(60)))
  }

  @Test(arguments: [
    ["--grain", "0"], ["--grain", "soon"], ["--seed", "-1"],
    ["--within", "0"], ["--within", "near"],
  ])
  func `bad numbers are refused`(words: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.text)
    let child = try CommandChild.call(["inevitable", path] + words)
    #expect(child.status == 2)
    #expect(child.errors.contains("\(words[0]): found"), "\(child.errors)")
  }
}
