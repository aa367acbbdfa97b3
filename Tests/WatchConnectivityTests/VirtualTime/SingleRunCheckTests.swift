import Foundation
import LinkTestSupport
import Testing

/// Checks of apps that judge one run: what is owed, queues that are held, isolation.
@Suite(.serialized) struct `Checks of one run` {
  @Test func `a callback that holds its queue is a stall, and one that is shorter than allowed is none`() throws {
    func run(_ keys: String) throws -> ProbeRun {
      // Message 97 makes the phone's callback wait for a second.
      try ProbeRun(watch: ["0.5:message:97"], time: nil, keys: "checks: { noMainThreadStall: { \(keys) } },")
    }
    let bad = try run("")
    #expect(bad.status == 1 && bad.text.contains("app-noMainThreadStall is broken"), "\(bad.text)")
    #expect(
      bad.text.contains("the phone: session(_:didReceiveMessage:) held its queue for 1.000 s, from"), "\(bad.text)")
    #expect(try run("longerThan: \"1s\"").status == 0)
  }

  @Test func `an act that holds the main queue is a stall`() throws {
    let run = try ProbeRun(
      phone: ["0:onAct:sleep"], time: nil, phoneKeys: "acts: [{ at: \"2s\", do: \"sleep\", with: { seconds: 0.5 } }],",
      keys: "checks: { noMainThreadStall: { longerThan: \"400ms\" } },")
    #expect(run.status == 1, "\(run.text)")
    #expect(run.text.contains("the phone: the act sleep held its queue for 0.500 s, from 0:02"), "\(run.text)")
  }

  @Test func `a callback that never returns is a stall until the end, and what it keeps from being said is owed`()
    throws
  {
    // Message 100 never returns on the phone, whose own request fails behind it.
    let run = try ProbeRun(
      faults: "{ sendFails: { node: \"phone\", code: 7014, when: \"later\" } }",
      watch: ["1:message:100"], phone: ["0.5:try:1"], time: nil,
      keys: "checks: { noMainThreadStall: {}, owedIsSaid: {} },")
    #expect(run.status == 1, "\(run.text)")
    #expect(run.text.contains("session(_:didReceiveMessage:) holds its queue from"), "\(run.text)")
    #expect(run.text.contains("app-owedIsSaid is broken"), "\(run.text)")
    #expect(run.text.contains("and its error handler is not called until the run's end"), "\(run.text)")
  }

  @Test func `what is sent needs a fact of its outcome with an equal field, on the same device`() throws {
    func run(_ by: String) throws -> ProbeRun {
      try ProbeRun(
        watch: ["0.5:fact:asked", "1:fact:answered", "2:fact:asked"], phone: ["3:fact:answered"], time: nil,
        keys: "checks: { owedIsSaid: { sent: \"asked\", said: [\"answered\", \"gaveUp\"], by: \"\(by)\" } },")
    }
    let bad = try run("half")
    #expect(bad.status == 1, "\(bad.text)")
    #expect(bad.text.contains("the watch recorded asked half=0.5, expected answered or gaveUp with it"), "\(bad.text)")
    #expect(bad.events("violation").count == 1, "\(bad.events("violation"))")
    // A field that no fact has owes nothing.
    #expect(try run("other").status == 0)
  }

  @Test(arguments: [
    ("owedIsSaid: { sent: \"asked\" }", "expected `sent` and at least one name in `said`"),
    ("owedIsSaid: { sent: \"a b\", said: [\"c\"] }", "expected the name of a fact"),
    ("noMainThreadStall: { longerThan: \"0s\" }", "longerThan"),
    ("delegateIsolation: { facts: [\"a\"] }", "facts"),
  ])
  func `bad settings are refused`(text: String, message: String) throws {
    let run = try ProbeRun(time: nil, keys: "checks: { \(text) },")
    #expect(run.status == 2 && run.text.contains(message), "\(run.text)")
  }

  @Test(arguments: ["delegate", "handler"])
  func `a handler of the main actor traps on the session's queue, as on the devices`(mistake: String) throws {
    let run = try ProbeRun(
      watch: ["3:message:1"], time: nil, options: ["--phone-cmd", "\(ProbeRun.folder)/IsolationProbe \(mistake)"],
      keys: "checks: { delegateIsolation: {} },")
    #expect(run.status == 1, "\(run.text)")
    #expect(run.text.contains("the phone's program ended by signal"), "\(run.text)")
    #expect(run.text.contains("app-delegateIsolation is broken"), "\(run.text)")
    #expect(run.events("violation").first?.contains("\"invariant\":\"app-delegateIsolation\"") == true)
  }

  @Test func `handlers that hop to the main actor do not trap`() throws {
    let run = try ProbeRun(
      watch: ["3:message:1"], time: nil, options: ["--phone-cmd", "\(ProbeRun.folder)/IsolationProbe hops"],
      keys: "checks: { delegateIsolation: {}, noMainThreadStall: {} },")
    #expect(run.status == 0, "\(run.text)")
  }
}
