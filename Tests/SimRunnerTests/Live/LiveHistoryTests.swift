@testable import LiveView
import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools
@testable import Commands

/// Earlier instants and other futures of a live run.
@Suite struct LiveHistoryTests {
  private static func scenario() throws -> Scenario { try Scenario.load(Tool.scenario("tunnel-at-2k")) }

  /// The events of a run with what the story says of each.
  private static func events(_ scenario: Scenario) throws -> [(event: TraceEvent, story: [StoryLine])] {
    var teller = Storyteller(header: scenario.header)
    var events: [(TraceEvent, [StoryLine])] = []
    var options = RunOptions()
    options.onEvent = { event, line in events.append((event, teller.observe(event, line: line))) }
    _ = try ScenarioRun.run(scenario, options)
    return events
  }

  @Test func `an earlier state is the one that was shown then`() throws {
    let scenario = try Self.scenario()
    let events = try Self.events(scenario)
    try #require(events.count > 4 * LiveHistory.spacing)
    var history = LiveHistory()
    var state = LiveState(scenario)
    var shown: [(time: VirtualTime, distance: Double, sent: Int, story: Int)] = []
    for (index, entry) in events.enumerated() {
      history.add(entry.event, entry.story, before: state)
      state.observe(entry.event, story: entry.story)
      let isLast = index + 1 == events.count || events[index + 1].event.time > entry.event.time
      if isLast { shown.append((entry.event.time, state.watch.distance, state.sent, state.story.count)) }
    }
    for moment in shown {
      let earlier = try #require(history.state(at: moment.time))
      #expect(earlier.watch.distance == moment.distance && earlier.sent == moment.sent)
      #expect(earlier.story.count == moment.story)
    }
    let between = try #require(history.state(at: shown[10].time + .milliseconds(0)))
    #expect(between.sent == shown[10].sent)
    #expect(history.state(at: .start + .seconds(-1)) == nil)
  }

  @Test func `sentences are found in both directions`() throws {
    let scenario = try Self.scenario()
    var history = LiveHistory()
    let events = try Self.events(scenario)
    for entry in events { history.add(entry.event, entry.story, before: LiveState(scenario)) }
    let told = events.filter { !$0.story.isEmpty }.map(\.event.time)
    let middle = told[told.count / 2]
    let before = try #require(history.sentence(before: middle))
    #expect(before < middle && told.last { $0 < middle } == before)
    #expect(history.sentence(after: before) == middle)
    #expect(history.sentence(before: told[0]) == nil)
    #expect(try history.sentence(after: #require(told.last)) == nil)
  }

  @Test func `a branch shows both futures from the fault on`() throws {
    let at = VirtualTime.start + .seconds(120)
    let cut = try #require(LiveBranch.choices.first { $0.key == "c" })
    let branch = try LiveBranch(Self.scenario(), at: at, cut)
    let first = try #require(branch.steps.first { $0.change != .same })
    #expect(first.time >= at && branch.steps.allSatisfy { $0.time >= at })
    // The phone misses the watch in one of them only.
    #expect(
      branch.steps.contains {
        $0.before == nil && $0.after?.text.contains("liveness.disconnected") == true && $0.time < at + .seconds(30)
      })
    let lines = branch.lines(columns: 80, rows: 12)
    #expect(lines.count <= 12 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines[0] == "two futures from 2:00: as it is, or link cut for 20 s")
    #expect(lines[1] == "they first differ in a decision at \(first.time.text)")
    // Sentences, not fields; what only the second future has is marked, and equal rows are folded.
    #expect(lines.contains { $0.hasPrefix("+ ") && $0.contains("silent") }, "\(lines)")
    #expect(!lines.contains { $0.contains("=\"") || $0.contains("liveness.") })
    let wide = branch.lines(columns: 140, rows: 30)
    #expect(wide.allSatisfy { $0.count <= 140 } && wide.contains { $0.contains(" │ ") })
    #expect(wide.contains { $0.contains(" equal decisions") })
  }

  @Test(arguments: LiveBranch.choices.map(\.key))
  func `every choice of a branch is a fault that can be run`(key: Character) throws {
    var scenario = try Self.scenario().lasting(.seconds(90))
    scenario.expectations = []
    let choice = try #require(LiveBranch.choices.first { $0.key == key })
    let branch = try LiveBranch(scenario, at: .start + .seconds(40), choice)
    #expect(!branch.lines(columns: 20, rows: 3).isEmpty)
  }
}
