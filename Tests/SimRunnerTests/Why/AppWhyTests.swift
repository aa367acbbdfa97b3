import Foundation
import Link
import Testing

@testable import Console
@testable import TraceTools

/// Why, and why not, in a run of two apps.
@Suite struct `Why an app` {
  private static let digest = "\"digest\":\"e3b0c44298fc1c14\""

  /// Two messages reach the phone at one instant, with a tap; a third fails, and one expectation is not met.
  private static let lines = [
    """
    {"trace":"wristwire","version":1,"scenario":"apps","seed":"3","startedAt":"2026-01-01T08:00:00Z","timeZone":"UTC",\
    "utcOffsets":[[0,0]],"duration":20000000000,"plan":{},"script":null,"memory":{},"faults":[],"build":"0.1.0",\
    "programs":{"watch":{"command":"w","virtualTime":{"version":1}},"phone":{"command":"p","virtualTime":{"version":1}}}}
    """,
    #"{"t":0,"node":"runner","event":"node.started","target":"watch","epoch":1}"#,
    #"{"t":0,"node":"runner","event":"node.started","target":"phone","epoch":1}"#,
    frame(time: 1_000, from: "watch", id: 1, seq: 1, to: "phone"),
    frame(time: 1_000, from: "watch", id: 2, seq: 2, to: "phone"),
    #"{"t":1005000000,"node":"link","event":"frame.delivered","id":1,"copy":0}"#,
    #"{"t":1005000000,"node":"link","event":"frame.delivered","id":2,"copy":0}"#,
    received("lap", seq: 1), received("pause", seq: 2),
    #"{"t":1005000000,"node":"phone","event":"app.act","action":"tap"}"#,
    #"{"t":1005000000,"node":"phone","event":"app.shown","n":1}"#,
    frame(time: 1_005, from: "phone", id: 3, seq: 1, to: "watch"),
    #"{"t":2000000000,"node":"phone","event":"app.ticked","n":1}"#,
    #"{"t":2000000000,"node":"phone","event":"app.shown","n":2}"#,
    #"{"t":3000000000,"node":"watch","event":"message.failed","epoch":1,"seq":3,"error":"notReachable","kind":"stop"}"#,
    #"{"t":20000000000,"node":"runner","event":"expectation","index":0,"expectation":{"never":"app.bad"},"passed":true,"lines":[]}"#,
    #"{"t":20000000000,"node":"runner","event":"expectation","index":1,"expectation":{"count":"app.stopped","exactly":1},"passed":false,"lines":[],"why":"0 of app.stopped, expected exactly 1"}"#,
    #"{"t":20000000000,"node":"runner","event":"end","verdict":"fail","steps":3}"#,
  ]

  private static func frame(time: Int, from: String, id: Int, seq: Int, to: String) -> String {
    "{\"t\":\(time)000000,\"node\":\"\(from)\",\"event\":\"frame.sent\",\"id\":\(id),\"to\":\"\(to)\",\"kind\":\"data\","
      + "\"channel\":\"message\",\"epoch\":1,\"seq\":\(seq),\"bytes\":4,\(digest)}"
  }

  private static func received(_ kind: String, seq: Int) -> String {
    "{\"t\":1005000000,\"node\":\"phone\",\"event\":\"message.received\",\"from\":\"watch\",\"kind\":\"\(kind)\","
      + "\"epoch\":1,\"seq\":\(seq),\(digest)}"
  }

  private func withTrace<Result>(
    _ lines: [String] = Self.lines, _ body: (String) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    let path = folder.path("apps.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    return try body(path)
  }

  private func answer(_ question: WhyQuestion, in lines: [String] = Self.lines) throws -> [String] {
    try withTrace(lines) { path in
      var answer = WhyAnswer(try RecordedTrace(path))
      try answer.ask(question)
      return answer.lines(isColored: false)
    }
  }

  @Test(arguments: [11, 12]) func `everything that came at the instant is a candidate`(line: Int) throws {
    let lines = try answer(.line(line))
    let candidates = lines.filter { $0.contains("one of 3 arrivals at this instant: phone ") }
    #expect(candidates.count == 3, "\(lines)")
    for part in ["\"pause\" (message 2) of the watch  line 9", "\"lap\" (message 1) of the watch  line 8", "line 10"] {
      #expect(candidates.contains { $0.contains(part) }, "\(part): \(lines)")
    }
    // Each with the frame that brought it.
    #expect(lines.contains { $0.contains("sends frame 1 to the phone: message 1, \"lap\"") }, "\(lines)")
    #expect(lines.contains { $0.contains("sends frame 2 to the phone: message 2, \"pause\"") }, "\(lines)")
  }

  @Test func `what an app does on its own timer has no invented cause`() throws {
    #expect(try answer(.line(14)).count == 2)
  }

  @Test func `a message comes from its own frame, not from the last one of the instant`() throws {
    let lines = try answer(.line(8))
    #expect(lines.count == 4 && lines[2].contains("delivers frame 1") && !lines.contains { $0.contains("frame 2") })
  }

  @Test func `an expectation that is not met answers for a violation that there is not`() throws {
    let lines = try answer(.violation(1))
    #expect(
      lines[0].hasPrefix("not met: Exactly once, the app reports “stopped”: 0 of app.stopped")
        && lines[0].hasSuffix(" (expectation 2)"),
      "\(lines[0])")
    #expect(try answer(.expectation(2)) == lines)
    #expect(lines.contains { $0.contains("what the apps recorded: app.shown (2) and app.ticked (1)") }, "\(lines)")
    #expect(lines.contains { $0.contains("the last that arrived there: phone receives \"pause\"") }, "\(lines)")
    #expect(lines.contains { $0.contains("it failed: watch its message \"stop\" fails") }, "\(lines)")
    #expect(try answer(.expectation(1)) == ["met: It never happens that the app reports “bad” (expectation 1)"])
    for (question, text) in [
      (WhyQuestion.violation(2), "--violation: found 2, but the trace has no violation; what failed: --expectation 2"),
      (.expectation(3), "--expectation: found 3, but the trace has 2 expectations"),
    ] {
      #expect {
        _ = try answer(question)
      } throws: { ($0 as? Failure)?.text == text }
    }
  }

  @Test func `a fact that never came names first the lost message that is called like it`() throws {
    let sent = [("ping", 4), ("stopped", 5)].map { kind, seq in
      #"{"t":3500000000,"node":"watch","event":"message.sent","kind":"\#(kind)","epoch":1,"seq":\#(seq)}"#
    }
    let lines = try answer(.expectation(2), in: Array(Self.lines.dropLast(3)) + sent + Array(Self.lines.suffix(3)))
    let fates = lines.filter { $0.contains("it failed: ") || $0.contains("it never arrived: ") }
    #expect(fates.count == 3, "\(lines)")
    #expect(fates.first?.contains("it failed: watch its message \"stop\" fails") == true, "\(lines)")
    #expect(fates.dropFirst().first?.contains("never arrived: watch sends \"stopped\" (message 5)") == true, "\(lines)")
    #expect(fates.last?.contains("never arrived: watch sends \"ping\" (message 4)") == true, "\(lines)")
  }

  @Test(arguments: ["workout.state", "transfer.queued", "snapshot.fresh", "run.state"])
  func `what never happened is explained in the apps' words`(name: String) throws {
    let lines = try answer(.never(name))
    #expect(lines[0] == "\(name) never happened" && !lines.contains { $0.contains("it needs") }, "\(lines)")
    #expect(lines.contains { $0.contains("what the apps recorded") }, "\(lines)")
  }

  @Test func `a family of events is shown, and one that is not there is refused with those that are`() throws {
    try withTrace { path in
      let messages = try CommandChild.call(["story", path, "--event", "message."])
      #expect(messages.status == 0 && messages.output.split(separator: "\n").count == 3, "\(messages.output)")
      #expect(messages.output.contains("phone  gets \"lap\""), "\(messages.output)")
      let frames = try CommandChild.call(["story", path, "--event", "frame.sent", "--node", "watch"])
      #expect(frames.output.contains("message 2, \"pause\""), "\(frames.output)")
      for family in ["transfer.", "script."] {
        let none = try CommandChild.call(["story", path, "--event", family])
        #expect(none.status == 2 && none.errors.contains("which the trace does not have; it has app.act, app.shown"))
      }
      let unknown = try CommandChild.call(["story", path, "--event", "foo."])
      #expect(unknown.status == 2 && unknown.errors.contains("expected an event, or a family such as message."))
    }
  }
}
