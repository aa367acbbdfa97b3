import Foundation
import Testing

/// Names of what apps send, and sends that fail.
@Suite(.serialized) struct `Names and failures of sends` {
  @Test func `a path into the payload names messages, contexts and transfers on both sides`() throws {
    let run = try ProbeRun(
      expect: """
        { count: "message.received", where: { node: "phone", kind: "7" }, exactly: 1 },
        { count: "transfer.queued", where: { node: "watch", kind: "1" }, exactly: 1 },
        { count: "transfer.delivered", where: { node: "phone", kind: "1" }, exactly: 1 },
        { count: "transfer.finished", where: { node: "watch", kind: "1" }, exactly: 1 },
        { count: "context.set", where: { node: "watch", kind: "5" }, exactly: 1 },
        { count: "context.received", where: { node: "phone", kind: "5" }, exactly: 1 },
        """, watch: ["0.5:message:7", "0.6:infos:2", "0.7:context:5"], time: nil, keys: "payload: { name: \"$.n\" },")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test func `without a path, what a payload says itself is its name`() throws {
    let run = try ProbeRun(
      expect: """
        { count: "message.sent", where: { node: "watch", kind: "n" }, exactly: 1 },
        { count: "message.received", where: { node: "phone", kind: "n" }, exactly: 1 },
        { count: "transfer.delivered", where: { node: "phone", kind: "n" }, exactly: 1 },
        { count: "message.received", where: { node: "phone", kind: "lap" }, exactly: 1 },
        { count: "message.received", where: { node: "phone", kind: "named raw" }, exactly: 1 },
        """,
      watch: ["0:decoder", "0.5:message:7", "0.6:infos:1", "0.7:data:{\"lap\":{}}", "0.8:data:raw"].map { "'\($0)'" },
      phone: ["0:decoder"], time: nil)
    #expect(run.status == 0, "\(run.text)")
  }

  @Test func `a restarted app's transfers keep their names`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"1s\", for: \"4s\", disconnect: {} }, { at: \"2s\", kill: \"watch\", restartAfter: \"1s\" }",
      // The restarted app queues it once more.
      expect: "{ count: \"transfer.finished\", where: { node: \"watch\", kind: \"0\" }, exactly: 2 }",
      watch: ["1.5:infos:1"], time: nil, keys: "payload: { name: \"$.n\" },")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test func `data is named by its JSON, or by the app's own decoder, and one that throws is a finding`() throws {
    let run = try ProbeRun(
      expect: """
        { count: "message.received", where: { kind: "json" }, exactly: 1 },
        { count: "message.received", where: { kind: "named raw" }, exactly: 1 },
        { count: "message.received", where: { kind: "data" }, exactly: 1 },
        { count: "app.finding", where: { kind: "decoder", node: "watch" }, exactly: 1 },
        """, watch: ["0:decoder", "0.5:data:{\"n\":\"json\"}", "0.6:data:raw", "0.7:data:bad"].map { "'\($0)'" },
      phone: ["0:decoder"], time: nil, keys: "payload: { name: \"$.n\" },")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test(arguments: ["", "kind", "$", "$.", "$..a", "$[", "$[-1]", "$['a]", "$.a b["])
  func `a path that is none is refused`(path: String) throws {
    let run = try ProbeRun(time: nil, keys: "payload: { name: \(String(reflecting: path)) },")
    #expect(run.status == 2 && run.text.contains("payload.name: found"), "\(run.text)")
    #expect(run.text.contains("expected a path such as $.kind"), "\(run.text)")
  }

  @Test func `sends fail at the call, on the channels that are named`() throws {
    let run = try ProbeRun(
      faults:
        "{ sendFails: { node: \"watch\", code: 7017, channels: [\"message\", \"userInfo\", \"applicationContext\", \"file\"] } }",
      expect: """
        { count: "message.refused", where: { node: "watch", error: "transferTimedOut" }, exactly: 1 },
        { count: "transfer.refused", where: { node: "watch" }, exactly: 2 }, { never: "transfer.queued" },
        { never: "context.set" },
        """, watch: ["0.5:try:7", "0.6:infos:1", "0.7:file:100", "0.8:context:1"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.watch.contains("error 7017"), "\(run.watch)")
    #expect(run.watch.contains("fileError 7017"), "\(run.watch)")
  }

  @Test func `sends fail later, and some of many`() throws {
    let run = try ProbeRun(
      faults: "{ sendFails: { node: \"watch\", code: 7014, when: \"later\" }, for: \"2s\" }",
      expect:
        "{ event: \"message.failed\", where: { node: \"watch\", error: \"deliveryFailed\" }, between: [\"6s\", \"6s\"] }",
      watch: ["1:try:7", "3:try:8"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.watch.filter { $0.hasPrefix("error") } == ["error 7014"])
    #expect(run.phone.filter { $0.hasPrefix("message") } == ["message 8"])
    let some = try ProbeRun(
      faults: "{ sendFails: { node: \"watch\", probability: 0.3, channels: [\"userInfo\"] } }",
      watch: ["0.5:infos:50"], time: nil)
    #expect(some.status == 0, "\(some.text)")
    #expect((5...30).contains(some.events("transfer.refused").count), "\(some.events("transfer.refused").count)")
  }

  @Test func `user infos and files fail later, and only didFinish says so, also after a restart`() throws {
    let fault =
      "{ sendFails: { node: \"watch\", code: 7014, when: \"later\", channels: [\"userInfo\", \"file\"] }, for: \"2s\" }"
    let never = "{ never: \"transfer.delivered\" }"
    let run = try ProbeRun(
      faults: fault, expect: never, watch: ["1:infos:2", "1.5:file:100", "2.5:owed"], phone: ["7:owed"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let said = ["owed 2 1", "infoError 7014", "infoError 7014", "fileError 7014"]
    #expect(run.watch.filter { $0.contains("Error") || $0.hasPrefix("owed") } == said, "\(run.watch)")
    // The second start queues both again, without the fault.
    let again = try ProbeRun(
      faults: "\(fault), { at: \"3s\", kill: \"watch\", restartAfter: \"1s\" }",
      expect: "{ count: \"transfer.delivered\", where: { node: \"phone\" }, exactly: 2 }",
      watch: ["1:infos:1", "1.5:file:100"], time: nil)
    #expect(again.status == 0, "\(again.text)")
    let told = again.watch.filter { !$0.hasPrefix("reachable") }.prefix(4)
    #expect(told == ["activated 2", "activated 2", "infoError 7014", "fileError 7014"], "\(again.watch)")
    let mixed = try ProbeRun(
      faults: fault, expect: "{ count: \"transfer.delivered\", where: { node: \"phone\" }, exactly: 3 }",
      watch: ["1:infos:2", "3:infos:2", "3.5:file:100"], time: nil)
    #expect(mixed.status == 0, "\(mixed.text)")
  }

  @Test(arguments: [
    ("node: \"watch\", code: 7000", "expected one of 7007"), ("code: 7014", "node"),
    ("node: \"watch\", probability: 0", "probability"), ("node: \"watch\", channels: []", "empty array"),
    (
      "node: \"watch\", channels: [\"applicationContext\"], when: \"later\"",
      "expected it for message, userInfo and file"
    ),
    ("node: \"watch\", rate: 1", "rate"),
  ])
  func `bad parameters are refused`(text: String, message: String) throws {
    let run = try ProbeRun(faults: "{ sendFails: { \(text) } }", time: nil)
    #expect(run.status == 2 && run.text.contains(message), "\(run.text)")
  }

  @Test func `it is refused for a built-in node`() throws {
    let run = try ProbeRun(faults: "{ sendFails: { node: \"watch\" } }", time: nil, usesProbeAsWatch: false)
    #expect(run.status == 2 && run.text.contains("found sendFails for the built-in watch"), "\(run.text)")
  }
}
