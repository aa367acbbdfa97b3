import Console
import Foundation
import Link
import LinkTestSupport
import PairScreen
import Simulator
import Testing

/// Touches on the page become entries of the scenario.
@Suite struct `Pair document` {
  private static let folder = PackageRoot.url.appending(path: "scenarios").path

  private static func document(_ name: String) throws -> PairDocument {
    try PairDocument(try Scenario.load("\(folder)/\(name).json5"), folder: folder)
  }

  private static func fault(_ json: String) throws -> [JSONMember] {
    guard case .object(let members) = try JSONParser.parse(json, dialect: .json5).value else { return [] }
    return members
  }

  private static func instant(_ seconds: Double) -> VirtualTime { VirtualTime(nanoseconds: Int64(seconds * 1e9)) }

  /// All bytes of a run's trace.
  private static func trace(of scenario: Scenario) throws -> [UInt8] {
    var options = RunOptions()
    var bytes: [UInt8] = []
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(scenario, options)
    return bytes
  }

  /// What hands may do in a run: each kind of touch, at odd instants.
  private static func touched(_ document: PairDocument) throws -> PairDocument {
    var document = document
    try document.begin(try fault("{ disconnect: {} }"), at: instant(70.123), text: "cut")
    try document.end("touch-1", at: instant(95.5), text: "restored")
    try document.begin(try fault("{ loss: { probability: 0.3 } }"), at: instant(120.007), text: "loss")
    try document.begin(try fault("{ kill: 'phone' }"), at: instant(150), text: "killed")
    try document.end("touch-3", at: instant(171.25), text: "restarted")
    try document.add(try fault("{ do: 'pause' }"), on: .watch, at: instant(200.001), text: "pause")
    try document.add(try fault("{ do: 'resume' }"), on: .watch, at: instant(230.5), text: "resume")
    try document.add(try fault("{ do: 'mute' }"), on: .phone, at: instant(240.125), text: "mute")
    try document.begin(try fault("{ clockSkew: { node: 'watch', offset: 90 } }"), at: instant(250.9), text: "clock")
    return document
  }

  @Test(arguments: ["demo", "competition-day", "nemesis", "athlete"])
  func `the saved file repeats the page's run byte for byte`(name: String) throws {
    let document = try Self.touched(try Self.document(name))
    let shown = try Self.trace(of: document.scenario)
    let file = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID().uuidString).json5")
    defer { try? FileManager.default.removeItem(at: file) }
    try SavedScenario.write(document.scenario, to: file.path)
    let repeated = try Self.trace(of: try Scenario.load(file.path))
    #expect(Digest.text(Digest.sha256(shown)) == Digest.text(Digest.sha256(repeated)))
    #expect(shown.count > 100_000)
  }

  @Test func `a run without touches is that of the scenario`() throws {
    let scenario = try Scenario.load("\(Self.folder)/demo.json5")
    let document = try PairDocument(scenario, folder: Self.folder)
    #expect(try Self.trace(of: scenario) == Self.trace(of: document.scenario))
  }

  @Test func `a touch changes nothing before it`() throws {
    let document = try Self.document("demo")
    var touched = document
    try touched.begin(try Self.fault("{ kill: 'watch', restartAfter: 5 }"), at: Self.instant(300.5), text: "killed")
    let before = try RecordedTrace("before", try Self.trace(of: document.scenario)).events
    let after = try RecordedTrace("after", try Self.trace(of: touched.scenario)).events
    let count = before.prefix { $0.time < Self.instant(300.5) }.count
    #expect(count > 900)
    #expect(before.prefix(count) == after.prefix(count))
    #expect(before[count] != after[count])
  }

  @Test func `undo takes the last touch back`() throws {
    let document = try Self.document("demo")
    var touched = try Self.touched(document)
    while try touched.undo() {}
    #expect(touched.node == document.node)
    #expect(try Self.trace(of: touched.scenario) == Self.trace(of: document.scenario))
  }

  @Test func `another workout starts after the last`() throws {
    var document = try Self.document("demo")
    try document.startWorkout(at: Self.instant(1_531))
    #expect(document.scenario.workouts.count == 2)
    let events = try RecordedTrace("again", try Self.trace(of: document.scenario)).events
    let starts = events.filter { event in
      if case .workoutState(let change) = event.body { return change.from == nil }
      return false
    }
    #expect(starts.map(\.time) == [.start, Self.instant(1_531)])
  }

  @Test func `what is no fault of this scenario is refused with what was found`() throws {
    var document = try Self.document("demo")
    func text(_ json: String) throws -> String {
      let members = try Self.fault(json)
      do throws(Failure) {
        try document.begin(members, at: .start, text: "")
        return ""
      } catch { return error.text }
    }
    #expect(try text("{ los: { probability: 0.3 } }").contains("los"))
    #expect(try text("{ loss: { probability: 3 } }").contains("3"))
    #expect(try text("{ at: 5, disconnect: {} }").contains("neither"))
    #expect(throws: Failure.self) { try document.end("nobody", at: Self.instant(5), text: "") }
    #expect(document.touches.isEmpty)
  }
}
