import Foundation
import Link
import Testing

@testable import Simulator
@testable import TraceTools
@testable import Console

@Suite struct `Why, and why not` {
  private func answer(_ trace: RecordedTrace, _ question: WhyQuestion) throws -> String {
    var answer = WhyAnswer(trace)
    try answer.ask(question)
    return answer.lines(isColored: false).joined(separator: "\n")
  }

  @Test func `a violation leads back to the decision, the frame, and the fault that lost it`() throws {
    let text = try answer(try PlantedRun.trace("late-pause"), .violation(1))
    #expect(
      text.hasPrefix("belief-is-newest is broken at 5:40.374: the phone believed a \"paused\" that is 100 s older"))
    for step in [
      "now believes that the workout is paused", "has handled \"workoutPaused\"", "delivers frame", "attempt 9",
      "queue-stuck", "queues \"workoutPaused\"",
    ] { #expect(text.contains(step), "\(step)") }
  }

  // Nothing here is planted in the words: each story is of a program with a bug, and must still read well and be true.
  @Test(arguments: PlantCatalog.all.map(\.name))
  func `the story and the causes of a known bug read without identifiers, raw fields and repetitions`(name: String)
    throws
  {
    let trace = try PlantedRun.trace(name)
    var texts = PlantedRun.story(trace).map(\.text)
    for (text, count) in Dictionary(grouping: texts, by: { $0 }).mapValues(\.count) where text.contains("is broken") {
      #expect(count < 3, "\(count) times: \(text)")
    }
    let violations = trace.events.count { $0.name.text == "violation" }
    for number in 1...min(violations, 5) {
      var why = WhyAnswer(trace)
      try why.ask(.violation(number))
      let lines = why.lines(isColored: false)
      #expect(lines.count > 1, "violation \(number) has no cause")
      texts += lines
    }
    for text in texts {
      #expect(!text.contains(/[0-9a-f]{8}-[0-9a-f]{4}-/), "an identifier: \(text)")
      #expect(!text.contains(/\b[0-9]{10,}\b/), "raw nanoseconds: \(text)")
      #expect(!text.contains(/\b[a-zA-Z]+=/), "a raw field: \(text)")
      #expect(!text.contains("expectation index"), "a verdict as a cause: \(text)")
    }
  }

  @Test func `what holds a frame back, kills a receiver or moves a clock is among the causes`() throws {
    for (name, steps) in [
      ("resurrection", ["slow-messages"]), ("stuck-alarm", ["old-packets", "nothing-new"]),
      ("clock-skew", ["the watch's clock is 90 s behind"]), ("reply-never", ["nodeDown", "phone its app crashes"]),
      ("half-file", ["its app is back", "its app crashes", "queues \"voiceNote\""]),
      ("zombie-session", ["watch its app crashes"]), ("silent-restart", ["link the link is cut", "its app is back"]),
      ("backward-stamps", ["the clock is right again", "the watch's clock is 60 s ahead", "its app crashes"]),
    ] {
      let text = try answer(try PlantedRun.trace(name), .violation(1))
      for step in steps { #expect(text.contains(step), "\(name): \(step) is missing in\n\(text)") }
    }
  }

  @Test func `a queue that does not empty says what waits where`() throws {
    let text = try answer(try PlantedRun.trace("queue-jam"), .violation(2))
    let says = "waits at the phone, which acknowledged it and never handled it"
    #expect(
      text.hasPrefix("queues-drain is broken at 3:00: the watch's \"workoutPaused\" (userInfo 3) \(says)"), "\(text)")
  }

  @Test func `lines of one name in a row do not cause each other`() throws {
    let text = try answer(try PlantedRun.trace("meals-uploaded"), .violation(1))
    #expect(text.components(separatedBy: "adds up").count == 2, "\(text)")
    #expect(text.components(separatedBy: "stores a meal").count <= 2, "\(text)")
  }

  @Test func `each cause is on an earlier line`() throws {
    let trace = try PlantedRun.trace("lost-end")
    let causal = CausalTrace(trace)
    var count = 0
    for line in 2..<trace.events.count + 2 {
      let causes = causal.causes(of: line)
      count += causes.count
      #expect(causes.allSatisfy { $0 < line && $0 >= 1 })
    }
    #expect(count > trace.events.count / 2)
  }

  private static let script = """
    { scenario: "asked", seed: 4, duration: "5m", startedAt: "2026-04-12T06:30:00Z", timeZone: "Europe/Berlin",
      link: { profile: "ideal" },
      workout: { source: { model: { distance: 600, pace: "5:00/km" } } },
      faults: [{ id: "tunnel", at: "100s", for: "40s", disconnect: {} }],
      script: { id: "asked", messages: [
        { id: "early", text: "One.", triggerSpec: { type: "distance", atMeters: 100 } },
        { id: "second", text: "Two.", triggerSpec: { type: "distance", atMeters: 105 } },
        { id: "deaf", text: "Three.", triggerSpec: { type: "time", atSeconds: 100 } },
        { id: "never", text: "Four.", triggerSpec: { type: "condition", expression: "distance > 5000 AND hr > 10" } },
        { id: "far", text: "Five.", triggerSpec: { type: "distance", atMeters: 9000 } },
      ] } }
    """

  private func asked() throws -> RecordedTrace {
    let (scenario, found) = Scenario.read(Array(Self.script.utf8), file: "asked.json5", folder: ".")
    #expect(!found.contains { $0.hasErrors }, "\(found.flatMap(\.lines))")
    return try PlantedRun.trace(scenario, "asked")
  }

  @Test func `a line of the script is held back by the window, a cut, or its condition`() throws {
    let trace = try asked()
    let second = try answer(trace, .message("second"))
    #expect(second.contains("(second, at 105 m) was spoken"), "\(second)")
    #expect(
      second.contains("due, but held back until") && second.contains("\"early\" was dispatched less than 30 s before"))
    let deaf = try answer(trace, .message("deaf"))
    #expect(deaf.contains("the phone received no snapshot: the link was cut from 1:40"), "\(deaf)")
    let never = try answer(trace, .message("never"))
    #expect(never.contains("never came due: its condition does not hold: distance "), "\(never)")
    #expect(never.contains(", needs > 5000 (nearest, at "))
    #expect(!never.contains("; hr"), "only what is missing is named")
    #expect(!(second + deaf + never).contains("no rule explains it"))
  }

  @Test func `of a line that plays once nothing more is said after it was dispatched`() throws {
    let trace = try PlantedRun.trace(Scenario.load(Tool.scenario("demo")), "demo")
    let halfway = try answer(trace, .message("halfway")).split(separator: "\n")
    // The phone still sleeps through a crash, a pause and bad reception.
    #expect(halfway.last?.contains("it plays once, and has been dispatched") == true, "\(halfway)")
    #expect(halfway.count { $0.contains("received no snapshot") } == 1, "\(halfway)")
  }

  @Test func `a cut that was over before is no cause of a silence`() throws {
    let trace = try PlantedRun.trace(Scenario.load(Tool.scenario("demo")), "demo")
    let second = try answer(trace, .never("liveness.disconnected"))
    #expect(second.contains("2 times") && second.contains("loss (crowd)") && !second.contains("tunnel"), "\(second)")
    #expect(try answer(trace, .at(.start + .seconds(604))).contains("the link is cut (tunnel"))
  }

  @Test func `a violation names no line twice, and last what came after it`() throws {
    let race = try answer(try PlantedRun.trace("race-no-signal"), .violation(1)).split(separator: "\n")
    #expect(Set(race.compactMap { $0.split(separator: " ").last }).count == race.count)
    let silent = try answer(try PlantedRun.trace("silent-restart"), .violation(1)).split(separator: "\n")
    #expect(silent[1].contains("its app is back after 2 s"), "\(silent)")
    #expect(silent.contains { $0.contains("3:03.053  phone accepts snapshot") }, "\(silent)")
  }

  @Test func `an event that never happened leads back to the last step that did`() throws {
    let trace = try asked()
    let text = try answer(trace, .never("script.expired"))
    #expect(text.hasPrefix("script.expired never happened"))
    #expect(text.contains("it needs snapshot.fresh, which happened"))
    #expect(text.contains("\"far\" (at 9 km) never came due: its point at 9000 m is ahead: the workout has reached"))
    #expect(try answer(trace, .never("snapshot")).contains("did happen"))
  }

  @Test func `a run ends with the lines that never came due`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.script.utf8).write(to: folder.appending(path: "a.json5"))
    let run = try Tool(["run", "a.json5", "--mode", "in-process", "--trace", "t.jsonl"], in: folder).finish()
    #expect(
      run.output.contains("not due   \"never\" (as distance > 5000 AND hr > 10) never came due"), "\(run.output)")
    #expect(run.output.contains("\"far\" (at 9 km) never came due") && !run.output.contains("\"early\" (at"))
    let at = try Tool(["why", "t.jsonl", "--at", "1:40", "--json"], in: folder).finish()
    #expect(at.status == 0)
    let steps = try JSONParser.parse(at.output, dialect: .json)["steps"]?.elements ?? []
    #expect(steps.contains { $0["text"]?.text?.contains("the link is cut") == true })
    for (words, said) in [
      (["why", "t.jsonl"], "expected one of --at"), (["why", "t.jsonl", "--line", "0"], "whole number from 1"),
      (["why", "t.jsonl", "--line", "999999"], "expected a line from 2"),
      (["why", "t.jsonl", "--message", "erly"], "did you mean \"early\"?"),
      (["why", "t.jsonl", "--at", "1:99"], "expected a clock"),
      (["why", "t.jsonl", "--violation", "1"], "the trace has no violation"),
      (["why", "t.jsonl", "--never", "snapshott"], "did you mean \"snapshot\"?"),
    ] {
      let result = try Tool(words, in: folder).finish()
      #expect(result.status == 2 && result.errors.contains(said), "\(words): \(result.errors)")
    }
  }
}
