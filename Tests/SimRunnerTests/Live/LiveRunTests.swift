import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools
@testable import Console

/// Orders at given times, as somebody might give them, without anybody who waits.
final class ScriptedControls: LiveControls {
  private var orders: [(at: VirtualTime, words: String)]
  private(set) var outcomes: [LiveOutcome] = []
  private(set) var plan: [PlannedFault] = []

  init(_ orders: [(seconds: Double, words: String)]) {
    self.orders = orders.map { (VirtualTime(nanoseconds: Int64($0.seconds * 1e9)), $0.words) }
  }

  func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
    guard let first = orders.first, first.at <= next else { return .advance }
    orders.removeFirst()
    guard let words = try? CommandWords.split(first.words, option: "test"),
      let command = try? ControlCommand(words, hasEdge: false)
    else { return .stop(at: now) }
    let order = LiveOrder(origin: .ctl, command: first.words, action: command.action ?? .record(""))
    return .order(order, at: max(first.at, VirtualTime(nanoseconds: now.nanoseconds + 1)))
  }

  func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {
    outcomes.append(outcome)
    self.plan = plan
  }
}

@Suite struct LiveRunTests {
  /// The lines of a run, without the header.
  private func lines(_ scenario: Scenario, _ controls: (any LiveControls)? = nil) throws -> [String] {
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.live = controls
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(scenario, options)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }

  private func scenario(_ text: String = TraceFixture.scenario(expect: "[]")) throws -> Scenario {
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: "/")
    try #require(!found.contains { $0.hasErrors }, "\(found)")
    return scenario
  }

  /// What happens, without the words on how it came about: a fault whose end was not known says so when it begins.
  private func deeds(_ lines: [String]) -> [String] {
    lines.filter { !$0.contains(#""event":"control""#) }.map { line in
      guard line.contains(#""event":"fault.begin""#), let end = line.range(of: #","params":"#) else { return line }
      return String(line[..<end.lowerBound])
    }
  }

  @Test func `a run without input from its viewer is the same as an unattended one`() throws {
    let scenario = try scenario()
    #expect(try lines(scenario, ScriptedControls([])) == lines(scenario))
  }

  @Test(arguments: [UInt64](1...4))
  func `what was ordered makes a scenario with the same deeds`(seed: UInt64) throws {
    var scenario = try scenario()
    scenario.seed = seed
    let controls = ScriptedControls([
      (10.25, "link down"), (31.5, "link up"), (40, "fault add loss --probability 0.4 --for 20s"),
      (41.125, "fault add delay --mean 300ms --jitter 100ms --direction watch-to-phone"),
      (45, "kill phone --restart-after 3s"), (65, "link down"), (75.5, "link up"), (100.001, "kill watch"),
      (110, "restart"), (125, "fault add duplicate --probability 0.5"),
      (126, "fault add '{ bandwidth: { bytesPerSecond: 900 }, for: \"20s\" }'"),
      (130, "fault add suspend phone --for 15s"),
      (150, "fault remove live-7"), (151, "mark here we are"),
    ])
    let first = try lines(scenario, controls)
    #expect(controls.outcomes.map(\.isRefused).count { $0 } == 0, "\(controls.outcomes)")
    #expect(first.count { $0.contains(#""event":"control""#) } == 14)
    var saved = scenario.settled
    saved.faults = controls.plan
    let text = SavedScenario.text(saved, in: "/")
    let again = try lines(try self.scenario(text))
    let (one, other) = (deeds(first), deeds(again))
    #expect(one.count == other.count && zip(one, other).allSatisfy { $0 == $1 })
    if let place = zip(one, other).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
      Issue.record("line \(place): \(one[place]) and \(other[place])")
    }
    // And it made a difference.
    #expect(deeds(try lines(scenario)) != one)
  }

  @Test func `a frame that waits in a narrow link meets a fault that is ordered meanwhile`() throws {
    // A snapshot takes longer than a second on its way into the air.
    let narrow = """
      { scenario: "narrow", seed: 1, duration: "2m", link: { latency: "20ms", bytesPerSecond: 400 },
        workout: { source: { model: { distance: 200, pace: "5:00/km" } } } }
      """
    var scenario = try scenario(narrow)
    let controls = ScriptedControls([(20.5, "fault add loss --probability 1 --for 8s")])
    let first = try lines(scenario, controls)
    scenario.faults = controls.plan
    #expect(deeds(first) == deeds(try lines(scenario)))
    #expect(first.contains { $0.contains(#""cause":"loss","fault":"live-1""#) })
  }

  @Test func `a trace of a run that was reached into is fed back, byte for byte`() throws {
    let controls = ScriptedControls([
      (10.25, "link down"), (20, "link down"), (31.5, "link up"), (40, "kill phone"), (55, "restart phone"),
      (60, "mark it is 'here'"), (70.125, "fault add loss --probability 0.4"),
    ])
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.live = controls
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(try scenario(), options)
    let replay = try WholeReplay.run(try RecordedTrace("t.jsonl", bytes), workout: nil)
    #expect(replay.isIdentical == true)
    #expect(replay.difference.isEmpty)
  }

  @Test func `an order that nothing follows is given again`() throws {
    let controls = ScriptedControls([(10.25, "link down"), (31.5, "link up"), (45.375, "kill phone")])
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.live = controls
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(try scenario(), options)
    // As a run that was stopped between two of its events ends: with what was ordered, and what it did.
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.contains(#""event":"node.killed""#) })
    let cut = lines[...place].joined(separator: "\n") + "\n"
    let replay = try WholeReplay.run(try RecordedTrace("t.jsonl", Array(cut.utf8)), workout: nil)
    #expect(replay.difference.isEmpty)
    #expect(replay.isIdentical == true)
  }

  @Test func `a command is a trace line with its effect, before its consequences`() throws {
    let controls = ScriptedControls([(10, "link down"), (12, "link down"), (20, "link up")])
    let lines = try lines(try scenario(), controls)
    let place = try lines.place(of: #""event":"control""#, #""t":10000000000"#)
    #expect(
      lines[place]
        == #"{"t":10000000000,"node":"runner","event":"control","by":"ctl","command":"link down","#
        + #""effect":"disconnect","fault":"live-1"}"#)
    #expect(lines[place + 1].contains(#""event":"fault.begin","fault":"live-1""#))
    #expect(lines[place + 2].contains(#""event":"link.down","cause":"live-1""#))
    let refused = try lines.place(of: #""event":"control""#, #""t":12000000000"#)
    #expect(lines[refused].hasSuffix(#""effect":"the link is cut already","refused":true}"#))
    #expect(!lines[refused + 1].contains("fault.begin"))
    let up = try lines.place(of: #""event":"control""#, #""t":20000000000"#)
    #expect(lines[up + 1].contains(#""event":"link.up""#) && lines[up + 2].contains(#""event":"fault.end""#))
  }

  @Test func `a planned fault can be ended early, and the plan says so`() throws {
    // The fixture's own cut lasts from 80 s to 100 s.
    let controls = ScriptedControls([(85, "link up")])
    let lines = try lines(try scenario(), controls)
    #expect(controls.outcomes.first?.isRefused == false)
    let up = try lines.place(of: #""event":"link.up""#)
    #expect(lines[up].hasPrefix(#"{"t":85000000000,"#))
    #expect(lines.count { $0.contains(#""event":"link.up""#) } == 1)
    #expect(controls.plan[0].end == .start + .seconds(85))
  }

  @Test(arguments: [
    "link up", "fault remove live-9", "restart", "restart phone",
  ])
  func `a command that cannot apply is refused, and the run continues`(words: String) throws {
    let scenario = try scenario()
    let controls = ScriptedControls([(10, words)])
    let lines = try lines(scenario, controls)
    #expect(controls.outcomes.map(\.isRefused) == [true])
    #expect(deeds(lines) == deeds(try self.lines(scenario)))
  }

  @Test func `after the run's end no fault begins`() throws {
    let scenario = try scenario()
    let healed = try #require(try lines(scenario).first { $0.contains(#""event":"healed""#) })
    let at = try #require(healed.dropFirst(5).split(separator: ",").first.flatMap { Double($0) }) / 1e9
    let controls = ScriptedControls([(at + 0.001, "link down")])
    let lines = try lines(scenario, controls)
    // The drain may be over before anybody could order anything.
    for outcome in controls.outcomes { #expect(outcome.isRefused) }
    #expect(lines.last?.contains(#""verdict":"pass""#) == true)
  }
}
