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

  @Test func `a failure becomes inevitable when the cut behind it has lasted too long, not when it begins`() throws {
    let failures = try Self.failures()
    try #require(failures.count == 2)
    for (scenario, fault) in failures {
      var search = try #require(try InevitableSearch(scenario, target: nil, futures: 20))
      try search.search()
      let (before, after) = try #require(search.noReturn)
      #expect(after.at - before.at <= .milliseconds(500))
      #expect(after.failed == after.runs && before.failed < before.runs, "\(search.curve)")
      // The phone misses the watch ten seconds after its last snapshot; until then a cut may end in time.
      let alarm = try #require(try Self.firstAlarm(of: scenario))
      #expect(before.at > fault.begin && alarm - before.at <= .seconds(4), "\(alarm): \(search.curve)")
      // Half of all cuts last for ten seconds.
      let begin = try #require(search.curve.last { $0.at < fault.begin })
      #expect(begin.share < 0.75, "\(search.curve)")
      #expect(search.curve == search.curve.sorted { $0.at < $1.at })
      #expect(search.runs <= 500)
    }
  }

  /// When the phone misses the watch first.
  private static func firstAlarm(of scenario: Scenario) throws -> VirtualTime? {
    var found: VirtualTime?
    var options = RunOptions()
    options.onEvent = { event, _ in
      if found == nil, event.name.text == "liveness.disconnected" { found = event.time }
    }
    _ = try ScenarioRun.run(scenario, options)
    return found
  }

  @Test func `a failure at another time is another one, unless any counts`() throws {
    var scenario = try Self.read(
      Self.text.replacing("expect: [{ never: \"liveness.disconnected\" }]", with: "expect: []")
        .replacing("meanInterval: \"4m\"", with: "meanInterval: \"40s\"")
        .replacing("\"disconnect\"", with: "\"clockSkew\""))
    scenario.plant([.clockSkew])
    for seed in 0..<50 as Range<UInt64> {
      scenario.seed = seed
      guard !(try SeedRun(scenario).run(seed).line.hasPassed) else { continue }
      func share(_ within: VirtualTime.Span?) throws -> Double {
        var search = try #require(try InevitableSearch(scenario, target: nil, within: within, futures: 10))
        try search.search()
        return try #require(search.curve.first).share
      }
      #expect(try share(.milliseconds(1)) < share(nil))
      return
    }
    Issue.record("no seed fails")
  }

  @Test func `what comes before a redraw is the same to the byte, and what comes after differs`() throws {
    var scenario = try Self.read(Self.text.replacing("ideal", with: "ble-running"))
    scenario.nemesis?.meanInterval = .seconds(10)
    let from = VirtualTime.start + .seconds(100)
    let original = try Self.lines(scenario, nil)
    let redrawn = try (0..<3).map { try Self.lines(scenario, Redraw(from: from, salt: $0)) }
    for other in redrawn {
      // The header names the whole plan, so it differs.
      let kept = original.dropFirst().prefix { Self.time($0) < from.nanoseconds }
      #expect(kept.count > 300)
      #expect(Array(other.dropFirst().prefix(kept.count)) == Array(kept))
      #expect(other != original)
    }
    #expect(redrawn[0] != redrawn[1] && redrawn[1] != redrawn[2])
  }

  @Test func `a redrawn run is the same in processes`() throws {
    var scenario = try Self.read(Self.text)
    scenario.seed = 77
    var options = RunOptions()
    options.redraw = Redraw(from: .start + .seconds(31), salt: 5)
    let digest = try ScenarioRun.run(scenario, options).traceDigest
    options.mode = .processes
    options.silenceMax = 60
    options.watchCommand = [Tool.path, "watch"]
    options.phoneCommand = [Tool.path, "phone"]
    #expect(digest != nil)
    #expect(try ScenarioRun.run(scenario, options).traceDigest == digest)
  }

  @Test func `a run that always fails is inevitable from the start`() throws {
    var scenario = try Self.read(
      Self.text.replacing("never: \"liveness.disconnected\"", with: "count: \"end\", exactly: 2"))
    scenario.seed = 3
    var search = try #require(try InevitableSearch(scenario, target: "expectation-1", futures: 2))
    try search.search()
    #expect(search.curve.allSatisfy { $0.share == 1 })
    #expect(InevitableText(search: search).conclusion.hasPrefix("inevitable from the start: 2 of 2 futures fail"))
  }

  @Test func `a run that passes has nothing to find`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "s.json5", Self.text.replacing("never: \"liveness.disconnected\"", with: "count: \"end\", exactly: 1"))
    let child = try CommandChild.run(["inevitable", path, "--json"])
    #expect(child.status == 0)
    #expect(try child.object()["verdict"] as? String == "pass")
  }

  @Test func `the command shows the curve and the story around the rise, and the JSON object has the same curve`()
    throws
  {
    let (scenario, fault) = try #require(try Self.failures().first)
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.text)
    let words = ["inevitable", path, "--seed", String(scenario.seed), "--futures", "4"]
    let child = try CommandChild.run(words)
    #expect(child.status == 1, "\(child.errors)")
    #expect(child.output.contains("inevitable from "))
    #expect(child.output.contains("(nemesis-1"), "\(child.output)")
    let object = try CommandChild.run(words + ["--json"]).object()
    #expect(try #require(object["from"] as? Int64) > fault.begin.nanoseconds)
    #expect(try #require(object["to"] as? Int64) <= #require(object["time"] as? Int64) + 1)
    let curve = try #require(object["curve"] as? [[String: Any]])
    #expect(curve.count >= 17 && curve.allSatisfy { $0["runs"] as? Int == 4 })
  }

  @Test func `a report has the run and the curve, and names the instant`() throws {
    let (scenario, _) = try #require(try Self.failures().first)
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.text)
    let words = ["inevitable", path, "--seed", String(scenario.seed), "--futures", "4", "--json"]
    let child = try CommandChild.run(words + ["--report", folder.path("r.html")])
    #expect(child.status == 1, "\(child.errors)")
    let page = try String(contentsOfFile: folder.path("r.html"), encoding: .utf8)
    let data = try #require(page.firstMatch(of: #/id="data">(.*?)<\/script>/#)?.1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    let curve = try #require(object["inevitable"] as? [String: Any])
    let points = try #require(curve["points"] as? [[Int64]])
    let printed = try child.object()
    #expect(points.count == (printed["curve"] as? [Any])?.count)
    #expect(points.allSatisfy { $0.count == 3 && $0[1] <= $0[2] })
    #expect(curve["from"] as? Int64 == (printed["from"] as? Int64).map { $0 / 1_000 })
    #expect((object["command"] as? String)?.contains("run ") == true && object["digest"] is String)
    #expect(try CommandChild.run(words + ["--report", "/nowhere/r.html"]).status == 2)
  }

  @Test func `the coarse grid has fewer futures, and both sides of the rise have all`() throws {
    let (scenario, _) = try #require(try Self.failures().first)
    var search = try #require(try InevitableSearch(scenario, target: nil, futures: 15))
    try search.search()
    let (before, after) = try #require(search.noReturn)
    #expect(before.runs == 15 && after.runs == 15 && search.curve.first?.runs == 15)
    #expect(search.curve.contains { $0.runs == 6 }, "\(search.curve)")
  }

  @Test(arguments: [
    ["--futures", "1"], ["--futures", "x"], ["--grain", "0"], ["--grain", "soon"], ["--seed", "-1"],
    ["--within", "0"], ["--within", "near"],
  ])
  func `bad numbers are refused`(words: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", Self.text)
    let child = try CommandChild.run(["inevitable", path] + words)
    #expect(child.status == 2)
    #expect(child.errors.contains("\(words[0]): found"), "\(child.errors)")
  }

  private static func lines(_ scenario: Scenario, _ redraw: Redraw?) throws -> [String] {
    var options = RunOptions()
    options.redraw = redraw
    var bytes: [UInt8] = []
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(scenario, options)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func time(_ line: String) -> Int64 {
    guard let at = line.range(of: "\"t\":") else { return .max }
    return Int64(line[at.upperBound...].prefix { $0.isNumber }) ?? .max
  }
}
