import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

@Suite struct `several workouts in a scenario` {
  private static func text(_ workouts: String, rest: String = "") -> String {
    """
    { scenario: "several", seed: 7, duration: "20m", startedAt: "2026-04-12T06:30:00Z", timeZone: "Europe/Berlin",
      link: { profile: "ideal" }, workouts: [\(workouts)] \(rest) }
    """
  }

  private static let short = "source: { model: { distance: 100, pace: '5:00/km' } }"

  private func read(_ text: String) -> (Scenario, [String]) {
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    return (scenario, found.flatMap(\.lines))
  }

  /// The events of a run, judged.
  private func run(_ scenario: Scenario) throws -> (RunOutcome, [TraceEvent], [String]) {
    let text = TraceText()
    var watched = RunWarnings(scenario)
    var options = RunOptions()
    options.output = { text.append($0) }
    options.onEvent = { event, _ in watched.observe(event) }
    let outcome = try ScenarioRun.run(scenario, options)
    var events: [TraceEvent] = []
    text.forEachEvent { event, _ in events.append(event) }
    return (outcome, events, watched.finish(outcome.expectations).map(\.text))
  }

  @Test func `each begins at its time and is a separate run, and the scenario ends after the last`() throws {
    let (scenario, found) = read(
      Self.text("{ \(Self.short) }, { at: '2m', \(Self.short) }, { at: '4m', startedBy: 'phone', \(Self.short) }"))
    #expect(found.isEmpty, "\(found)")
    let (outcome, events, warnings) = try run(scenario)
    #expect(outcome.status == 0, "\(outcome.violations)")
    #expect(warnings.isEmpty, "\(warnings)")
    let begins = events.filter { $0.name == "workout.state" && $0["from"] == .null }
    #expect(begins.map { Int(($0.time - .start).seconds) } == [0, 120, 240])
    #expect(Set(begins.compactMap { $0.text("workoutId") }).count == 3)
    let opened = events.filter { $0.name == "run.opened" }.compactMap { $0.text("workoutId") }
    #expect(opened == begins.compactMap { $0.text("workoutId") })
    let saved = events.filter { $0.name == "health.saved" }
    #expect(saved.count == 3)
    let end = try #require(events.last { $0.name == "healed" })
    #expect(end.time == (try #require(saved.last)).time + .seconds(5))
  }

  @Test func `a later run does not continue the distance of the one before`() throws {
    let (scenario, _) = read(Self.text("{ \(Self.short) }, { at: '2m', \(Self.short) }"))
    let (_, events, _) = try run(scenario)
    let second = events.filter { $0.name == "snapshot" && $0.place == .watch && $0.time >= .start + .seconds(120) }
    #expect(second.first?["distance"]?.double == 0)
    #expect(second.compactMap { $0["distance"]?.double }.max().map { $0 < 110 } == true)
  }

  @Test func `a start while a workout is on is refused, and said so`() throws {
    let (scenario, _) = read(Self.text("{ \(Self.short) }, { at: '10s', \(Self.short) }, { at: '3m', \(Self.short) }"))
    let (outcome, events, _) = try run(scenario)
    #expect(outcome.status == 0)
    let refused = events.filter { $0.name == "command.refused" }
    #expect(refused.map { $0.text("why") } == ["a workout is on"])
    #expect(events.count { $0.name == "health.saved" } == 2)
  }

  @Test func `a watch that restarts between two runs, and within the second, continues with the right source`() throws {
    let faults =
      ", faults: [{ id: 'a', at: '60s', kill: 'watch', restartAfter: '10s' },"
      + " { id: 'b', at: '130s', kill: 'watch', restartAfter: '10s' }]"
    let longer = "source: { model: { distance: 200, pace: '5:00/km' } }"
    let (scenario, found) = read(Self.text("{ \(Self.short) }, { at: '2m', \(longer) }", rest: faults))
    #expect(found.isEmpty, "\(found)")
    let (outcome, events, _) = try run(scenario)
    #expect(outcome.status == 0, "\(outcome.violations)")
    let distances = events.filter { $0.name == "health.saved" }.compactMap { $0["distance"]?.double }
    #expect(distances.count == 2)
    #expect(distances.first.map { (100..<110).contains($0) } == true, "\(distances)")
    #expect(distances.last.map { (200..<210).contains($0) } == true, "\(distances)")
  }

  @Test(arguments: ["20m", "150s", "100s"])
  func `processes end with the same bytes as one process, also between two runs`(duration: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let longer = "source: { model: { distance: 300, pace: '5:00/km' } }"
    let text = Self.text("{ \(Self.short) }, { at: '2m', \(longer) }").replacing("20m", with: duration)
    try Data(text.utf8).write(to: folder.appending(path: "s.json5"))
    let digests = try RunOptions.Mode.allCases.map { mode in
      let result = try Tool(["run", "s.json5", "--json", "--mode", mode.rawValue], in: folder).finish()
      #expect(result.status == 0, "\(result.output)")
      return try JSONParser.parse(result.output, dialect: .json)["traceDigest"]?.text
    }
    #expect(digests[0] != nil && digests[0] == digests[1])
  }

  @Test func `the trace's header repeats them`() throws {
    let (scenario, _) = read(
      Self.text(
        "{ mode: 'free', \(Self.short), events: [{ at: '10s', do: 'pause' }, { at: '20s', do: 'resume' }] },"
          + " { at: '3m', startedBy: 'phone', preparing: '1s', \(Self.short) }"))
    let header = scenario.header
    let member = try #require(header.extras.first { $0.key == "workouts" })
    #expect(!header.extras.contains { $0.key == "workout" || $0.key == "phone" })
    let (again, found) = Scenario.read(
      JSONNode(
        .object([
          JSONMember("scenario", .string("several")), JSONMember("duration", .string("20m")), member,
        ])), file: "again", folder: ".")
    #expect(!found.contains { $0.hasErrors }, "\(found.flatMap(\.lines))")
    let nodes = [again, scenario].map { ValueSchema.workouts.write($0.workouts, .plain) }
    #expect(nodes[0] == nodes[1])
    #expect(again.phoneCommands.map(\.at) == scenario.phoneCommands.map(\.at))
    #expect(again.watchCommands.map(\.at) == scenario.watchCommands.map(\.at))
  }

  @Test(arguments: [
    ("{}, {}", "expected a later start than the workout's before it"),
    ("{ at: '5m' }, { at: '5m' }", "workouts[1].at: found"),
    ("{}, { at: '1m', mode: 'free' }", "expected it in workouts[0]"),
    ("", "workouts: found an empty array, expected at least one"),
    ("{ att: '1m' }", "did you mean \"at\"?"),
  ])
  func `what no scenario can mean is refused`(workouts: String, said: String) {
    let (_, found) = read(Self.text(workouts))
    #expect(found.contains { $0.contains(said) }, "\(found)")
  }

  @Test func `workout and workouts exclude one another`() {
    let (_, found) = read(Self.text("{}", rest: ", workout: {}"))
    #expect(found.contains { $0.contains("workout and workouts are alternatives") }, "\(found)")
  }

  @Test func `an event after the end is a warning, before the run and after it`() throws {
    // The model ends by itself: known to the file's reader.
    let (known, found) = read(
      "{ scenario: \"s\", workout: { \(Self.short), events: [{ at: '9m', do: 'pause' }] }, link: { profile: \"ideal\" } }"
    )
    #expect(found.contains { $0.contains("warning: \"pause\" at 9:00 never happens: the run ends at") }, "\(found)")
    #expect(try run(known).2.count == 1)
    // With a fault the end is known only afterwards.
    let (late, silent) = read(
      "{ scenario: \"s\", workout: { \(Self.short), events: [{ at: '9m', do: 'pause' }] }, link: { profile: \"ideal\" },"
        + " faults: [{ id: 'f', at: '5s', for: '1s', loss: { probability: 0.5 } }] }")
    #expect(silent.isEmpty, "\(silent)")
    let warnings = try run(late).2
    #expect(warnings.contains { $0.contains("pause at 9:00 never happened: the run ended at 0:") }, "\(warnings)")
  }
}
