import EdgeSim
import Foundation
import Link
import PhoneSim
import Testing
import WatchSim

@testable import Experiments
@testable import Simulator

@Suite struct WayOutTests {
  private static let intervention = Intervention(
    name: "a cut", change: .fault("{ for: \"1s\", disconnect: {} }"), length: .seconds(1))

  @Test(arguments: [1, 250, 4_000, 9_999, 60_000] as [Int64])
  func `the last instant that averts a failure is found to the grain`(milliseconds: Int64) throws {
    let failure = VirtualTime.start + .seconds(60)
    let threshold = VirtualTime.start + .milliseconds(60_000 - milliseconds)
    let found = try WayOut(Self.intervention, before: failure, grain: .milliseconds(100)) { $0 <= threshold }
    let way = try #require(found)
    let until = try #require(way.until)
    #expect(until <= threshold && threshold < way.next)
    #expect(way.next - until <= .milliseconds(100))
  }

  @Test func `an intervention that averts nothing has no instant`() throws {
    let way = try WayOut(Self.intervention, before: .start + .seconds(60), grain: .seconds(1)) { _ in false }
    #expect(try #require(way).until == nil)
    #expect(try #require(way).next == .start)
    #expect(try WayOut(Self.intervention, before: .start, grain: .seconds(1)) { _ in nil } == nil)
  }

  /// Which interventions avert a known bug's failure in its own scenario until a second before it.
  @Test(arguments: [
    ("zombie-session", Plant.zombieSession, ["killing the watch's app", "killing the watch's app for good"]),
    ("stuck-alarm", .stuckAlarm, ["killing the phone's app", "killing the phone's app for good"]),
    (
      "phantom-run", .phantomRun,
      ["killing the phone's app for good", "killing the watch's app", "killing the watch's app for good"]
    ), ("fetched-since", .fetchedSince, ["losing the external service for good"]),
  ])
  func `the last way out is within a second of a wrong decision, and names where it is made`(
    name: String, plant: Plant, expected: [String]
  ) throws {
    var scenario = try Scenario.load(Tool.root.appending(path: "scenarios/field/\(name).json5").path)
    scenario.plant([plant])
    var search = try #require(try InevitableSearch(scenario, target: nil))
    try search.findWaysOut()
    let failure = VirtualTime(nanoseconds: search.finding.time)
    #expect(search.waysOut.map(\.intervention) == Intervention.list(for: scenario))
    let late = search.waysOut.filter { way in way.until.map { failure - $0 <= .seconds(1) } ?? false }
    #expect(late.map(\.intervention.name) == expected)
    let last = try #require(search.lastWayOut)
    #expect(last.next <= failure && expected.contains(last.intervention.name))
    let text = InevitableText(search: search).conclusion
    let isLast = expected.contains { text.hasPrefix("last way out: \($0) at ") }
    #expect(isLast || text.hasPrefix("decided by the external service"))
  }

  @Test(arguments: [("trust", 8, 200), ("field/fetched-since", 9, 200)] as [(String, Int, Int64)])
  func `an intervention changes nothing before its instant`(name: String, count: Int, seconds: Int64) throws {
    var scenario = try Scenario.load(Tool.root.appending(path: "scenarios/\(name).json5").path)
    scenario.seed = 44_100
    let instant = VirtualTime.start + .seconds(seconds)
    let original = try Self.events(scenario)
    #expect(Intervention.list(for: scenario).count == count)
    for intervention in Intervention.list(for: scenario) {
      let other = try Self.events(intervention.applied(to: scenario, at: instant))
      #expect(other.prefix { $0.time < instant }.map(\.line) == original.prefix { $0.time < instant }.map(\.line))
      #expect(other.map(\.line) != original.map(\.line), "\(intervention.name)")
    }
  }

  private static func events(_ scenario: Scenario) throws -> [(time: VirtualTime, line: String)] {
    var events: [(VirtualTime, String)] = []
    var options = RunOptions()
    options.showsPrograms = false
    options.onEvent = { event, line in events.append((event.time, "\(event)")) }
    _ = try ScenarioRun.run(scenario, options)
    return events
  }
}
