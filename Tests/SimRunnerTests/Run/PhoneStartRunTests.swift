import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// Runs that the phone starts: in memory, with databases on disk, and in processes that are really killed.
@Suite(.serialized) struct `Runs started by the phone` {
  private static func scenario(
    at: String = "20s", faults: String = "", phone: String = "", more: String = "", distance: Int = 300
  ) -> String {
    """
    {
      scenario: "start", seed: 3, duration: "4m", link: { profile: "ble-still" }, plan: { distance: 300, time: "90s" },
      workout: {
        startedBy: "phone", at: "\(at)", source: { model: { distance: \(distance), pace: "5:00/km" } },
      },
      phone: { events: [\(phone)] }, faults: [\(faults)], \(more)
    }
    """
  }

  /// The link is cut from second 5 on, for so long.
  private static func cut(_ seconds: Int) -> String { "{ at: 5, for: \(seconds), disconnect: {} }," }

  /// What happens to starts, trackers and the belief, a word each, after the run gave the same bytes wherever it ran.
  private static func tell(_ text: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write("scenario.json5", text)
    let scenario = try Scenario.load(path)
    final class Box { var lines: [TraceEvent] = [] }
    let box = Box()
    var options = RunOptions()
    options.onEvent = { event, _ in box.lines.append(event) }
    let outcome = try ScenarioRun.run(scenario, options)
    #expect(outcome.violations.map { "\($0.invariant): \($0.detail)" } == [])
    var onDisk = RunOptions()
    onDisk.stateFolder = folder.url.appending(path: "state").path()
    #expect(try ScenarioRun.run(scenario, onDisk).traceDigest == outcome.traceDigest)
    let result = try Tool.run(["run", path, "--json", "--mode", "processes"])
    let object = try JSONParser.parse(result.output, dialect: .json)
    #expect(object["traceDigest"]?.text == outcome.traceDigest, "\(result.errors.suffix(2000))")
    return box.lines.compactMap(word)
  }

  private static func word(_ event: TraceEvent) -> String? {
    let time = Double(event.time.nanoseconds / 10_000_000) / 100
    func text(_ keys: String...) -> String {
      (["\(time)", event.name.text] + keys.compactMap { event[$0]?.text ?? event[$0]?.integer.map { "\($0)" } })
        .joined(separator: " ")
    }
    switch event.name.text {
    case "start.asked": return text("channel", "attempt", "error")
    case "start.acked", "start.late": return text("word")
    case "start.failed": return text("why")
    case "start.declined" where event.place == .phone: return text("reason")
    case "start.cancelled", "tracker.started", "tracker.ended", "run.finished": return text()
    case "run.state": return event["cause"]?.text == "command" ? text("to") : nil
    case "workout.state": return ["preparing", "ended"].contains(event["to"]?.text) ? text("to") : nil
    default: return nil
    }
  }

  /// The words without their times.
  private static func timeless(_ words: [String]) -> [String] {
    words.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
  }

  // MARK: The watch is there

  @Test func `a phone without any watch tracks the run, and owes nothing that cannot arrive`() throws {
    let phone = "{ at: \"100s\", do: \"endWorkout\" }"
    let words = try Self.tell(Self.scenario(phone: phone).replacing("ble-still", with: "none"))
    #expect(words.contains { $0.contains("tracker.ended") })
  }

  @Test func `what became of a start, and the phone's own tracker, can be looked at`() throws {
    let folder = try TemporaryFolder()
    let phone = "{ at: \"100s\", do: \"endWorkout\" }"
    let path = try folder.write("own.json5", Self.scenario(faults: Self.cut(60), phone: phone))
    let state = folder.url.appending(path: "state").path()
    #expect(try Tool.run(["run", path, "--json", "--mode", "in-process", "--state-dir", state]).status == 0)
    let look = try JSONParser.parse(Tool.run(["inspect", state, "--json"]).output, dialect: .json)
    let text = String(decoding: JSONWriter.compact(look), as: UTF8.self)
    #expect(text.contains("\"fate\":\"givenUp\""))
    #expect(text.contains("\"startedAt\":40,\"endedAt\":100}"))
  }

  @Test func `a watch that can be reached begins the run, and the phone ends it`() throws {
    let words = try Self.tell(Self.scenario(phone: "{ at: 60, do: 'endWorkout' }", distance: 3_000))
    #expect(
      Self.timeless(words) == [
        "run.state preparing", "start.asked message 1", "workout.state preparing", "start.acked startAck",
        "workout.state ended", "run.finished",
      ])
    #expect(words[1].hasPrefix("20.0 ") && words[4].hasPrefix("60."))
  }

  @Test func `a watch that comes into reach in time begins it from the context`() throws {
    let words = try Self.tell(Self.scenario(faults: Self.cut(22)))
    #expect(
      Self.timeless(words.dropLast(2)) == [
        "run.state preparing", "start.asked applicationContext 1", "workout.state preparing", "start.acked startAck",
      ])
  }

  @Test func `the script is asked of the edge for such a run, too`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scenario.json5", Self.scenario(more: "edge: {}"))
    var names: [String] = []
    var options = RunOptions()
    options.onEvent = { event, _ in
      if event.name == "script.loaded" { names.append("loaded \(event["source"]?.text ?? "")") }
      if event.name == "script.dispatch" { names.append("dispatch") }
    }
    let outcome = try ScenarioRun.run(try Scenario.load(path), options)
    #expect(outcome.status == 0)
    #expect(names.first == "loaded edge" && names.contains("dispatch"))
  }

  // MARK: It is not

  @Test func `without an answer the phone says so and tracks the run itself`() throws {
    let words = try Self.tell(Self.scenario(faults: Self.cut(60), phone: "{ at: 120, do: 'endWorkout' }"))
    #expect(
      words == [
        "20.0 run.state preparing", "20.0 start.asked applicationContext 1", "30.0 start.asked applicationContext 2",
        "40.0 start.failed no answer", "40.0 start.cancelled", "40.0 tracker.started", "40.0 run.state running",
        "120.0 tracker.ended", "120.0 run.state ended",
      ])
  }

  @Test func `without an end the phone's own run ends with the scenario`() throws {
    let words = try Self.tell(Self.scenario(faults: Self.cut(60)))
    #expect(words.suffix(2) == ["240.0 tracker.ended", "240.0 run.state ended"])
  }

  @Test func `a watch whose answers are lost is ordered to give the run up, and its metrics feed nothing`() throws {
    let words = try Self.tell(
      Self.scenario(
        faults: """
          { at: 19, for: 40, direction: "watch-to-phone", loss: { probability: 1 } },
          { at: 38, for: 21, direction: "phone-to-watch", loss: { probability: 1 } },
          """, phone: "{ at: 120, do: 'endWorkout' }", distance: 3_000))
    #expect(
      Self.timeless(words) == [
        "run.state preparing", "start.asked message 1", "workout.state preparing", "start.asked message 2",
        "start.failed no answer", "start.cancelled", "tracker.started", "run.state running", "start.late snapshot",
        "workout.state ended", "tracker.ended", "run.state ended",
      ])
  }

  @Test func `a watch that runs already declines, and its run becomes the phone's`() throws {
    let text = """
      {
        scenario: "start", seed: 3, duration: "4m", link: { profile: "ble-still" },
        workout: { at: "20s", source: { model: { distance: 300, pace: "5:00/km" } } },
        phone: { events: [{ at: 30, do: "startWorkout" }] },
        faults: [{ at: 5, for: 26, disconnect: {} }],
      }
      """
    let words = try Self.tell(text)
    #expect(
      Self.timeless(words) == [
        "workout.state preparing", "run.state preparing", "start.asked applicationContext 1",
        "start.declined alreadyRunning", "start.cancelled", "workout.state ended", "run.finished",
      ])
  }

  @Test func `an end before any answer takes the start back`() throws {
    let words = try Self.tell(Self.scenario(faults: Self.cut(60), phone: "{ at: 25, do: 'endWorkout' }"))
    #expect(
      words == [
        "20.0 run.state preparing", "20.0 start.asked applicationContext 1", "25.0 start.cancelled",
        "25.0 run.state ended",
      ])
  }

  @Test func `the watch carries out an end that comes after its answer and before the run's first message`() throws {
    let words = try Self.tell(
      Self.scenario(
        faults: "{ at: '20.115s', for: 20, direction: 'watch-to-phone', loss: { probability: 1 } }",
        phone: "{ at: 30, do: 'endWorkout' }", distance: 3_000))
    #expect(
      Self.timeless(words) == [
        "run.state preparing", "start.asked message 1", "workout.state preparing", "start.acked startAck",
        "workout.state ended", "run.finished",
      ])
    #expect(words[4].hasPrefix("30."))
  }

  @Test func `an end that cannot reach the watch is sent when it can`() throws {
    let words = try Self.tell(
      Self.scenario(
        faults: "{ at: 40, for: 60, disconnect: {} }", phone: "{ at: 60, do: 'endWorkout' }", distance: 3_000))
    let ended = try #require(words.first { $0.hasSuffix("workout.state ended") })
    #expect(ended.hasPrefix("101."), "\(words)")
  }

  // MARK: The phone dies

  @Test func `a phone that dies between its asking and the answer knows the run by the watch's next word`() throws {
    let words = try Self.tell(
      Self.scenario(faults: "{ at: '20.02s', kill: 'phone', restartAfter: '4s' }", distance: 3_000))
    #expect(
      Self.timeless(words).prefix(4) == [
        "run.state preparing", "start.asked message 1", "workout.state preparing", "start.acked workoutStarted",
      ])
    #expect(words[3].hasPrefix("24.") || words[3].hasPrefix("25."))
  }

  @Test func `one that is back too late to ask at its time asks at once, and one that is back later gives up`() throws {
    let soon = try Self.tell(
      Self.scenario(
        faults: Self.cut(90) + "{ at: 22, kill: 'phone', restartAfter: '13s' }", phone: "{ at: 120, do: 'endWorkout' }")
    )
    #expect(
      soon.dropFirst(2) == [
        "35.0 start.asked applicationContext 2", "45.0 start.failed no answer", "45.0 start.cancelled",
        "45.0 tracker.started", "45.0 run.state running", "120.0 tracker.ended", "120.0 run.state ended",
      ])
    let late = try Self.tell(
      Self.scenario(
        faults: Self.cut(90) + "{ at: 22, kill: 'phone', restartAfter: '30s' }", phone: "{ at: 120, do: 'endWorkout' }")
    )
    #expect(
      late.dropFirst(2) == [
        "52.0 start.failed the phone was away", "52.0 start.cancelled", "52.0 tracker.started",
        "52.0 run.state running", "120.0 tracker.ended", "120.0 run.state ended",
      ])
  }

  @Test func `a phone that dies while it tracks the run continues to track it`() throws {
    let words = try Self.tell(
      Self.scenario(
        faults: Self.cut(60) + "{ at: 80, kill: 'phone', restartAfter: '10s' }",
        phone: "{ at: 70, do: 'startWorkout' }, { at: 120, do: 'endWorkout' }"))
    #expect(words.suffix(2) == ["120.0 tracker.ended", "120.0 run.state ended"])
    #expect(words.count { $0.hasSuffix("tracker.started") } == 1)
  }

  @Test func `sleeping phones ask when they are woken`() throws {
    let words = try Self.tell(
      Self.scenario(
        faults: Self.cut(90) + "{ at: 25, for: 12, suspend: 'phone', wake: false }",
        phone: "{ at: 120, do: 'endWorkout' }"))
    #expect(words[2] == "37.0 start.asked applicationContext 2" && words[3] == "47.0 start.failed no answer")
  }

  // MARK: Scenarios

  @Test func `the header says who starts it, and only where it is the phone`() throws {
    let folder = try TemporaryFolder()
    let scenario = try Scenario.load(try folder.write("s.json5", Self.scenario()))
    #expect(scenario.startsByPhone && scenario.workout.startedBy == .phone)
    var bytes: [UInt8] = []
    scenario.header.append(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""startedBy":"phone""#))
    let other = Scenario()
    #expect(!other.startsByPhone)
    bytes = []
    other.header.append(to: &bytes)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("startedBy"))
  }

  @Test(arguments: [
    "workout: { startedBy: \"edge\" }", "phone: { events: [{ at: 1, do: \"startWorkout\", now: true }] }",
    "phone: { events: [{ do: \"endWorkout\" }] }", "workout: { events: [{ at: 1, do: \"startWorkout\" }] }",
  ])
  func `what is wrong with it is said`(keys: String) {
    let (_, diagnostics) = Scenario.read(Array("{ scenario: \"x\", \(keys) }".utf8), file: "s.json5", folder: "/")
    #expect(diagnostics.contains { $0.hasErrors })
  }

  // MARK: What is asked about the phone's own run

  @Test func `a restarted phone does not query the health store for its own run, and reports no distance`() throws {
    let phone = """
      { at: 70, do: "record", seconds: 4, says: "How far is it?" }, { at: 100, do: "endWorkout" },
      { at: 101, do: "history" }, { at: 104, do: "history" }
      """
    let kill = "{ at: 102, kill: 'phone', restartAfter: 1 }"
    let text = Self.scenario(faults: Self.cut(60) + kill, phone: phone, more: "edge: {}, health: {}")
    #expect(try Self.tell(text).contains { $0.contains("tracker.ended") })
    let folder = try TemporaryFolder()
    var lines: [TraceEvent] = []
    var options = RunOptions()
    options.onEvent = { event, _ in lines.append(event) }
    _ = try ScenarioRun.run(try Scenario.load(folder.write("own.json5", text)), options)
    func words(_ name: TraceEvent.Name, _ key: String) -> [String] {
      lines.filter { $0.name == name }.compactMap { $0[key]?.text }
    }
    // The list of all workouts is requested when it is shown, and nothing outside of it.
    #expect(words("health.requested", "of") == ["all", "all", "all"])
    #expect(!lines.contains { $0.name == "health.absent" })
    // The row is there before the restart and after it, and stays a stub.
    #expect(lines.filter { $0.name == "history.shown" }.map { $0["stubs"]?.integer } == [1, 1])
    let answers = lines.filter { $0.name == "ai.reply" && $0["kind"]?.text == "chatReply" }.map {
      $0["text"]?.text ?? ""
    }
    #expect(answers.count == 1 && answers.allSatisfy { $0.contains("I cannot measure how far you are") })
    // The line that says it tells how long the run is on, names no snapshot, and makes up no distance.
    let began = try #require(lines.first { $0.name == "tracker.started" }?.time)
    let spoken = lines.filter { $0.name == "script.dispatch" }
    #expect(spoken.map { $0.fields.map(\.key) } == [["message", "trigger", "priority", "elapsed"]])
    #expect(spoken.map { $0["elapsed"]?.double } == spoken.map { ($0.time - began).seconds })
  }
}
