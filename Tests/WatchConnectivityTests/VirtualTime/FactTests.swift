import Foundation
import Testing

/// What apps record, and what users do in them.
@Suite(.serialized) struct `Facts and acts` {
  private static let line = "\"line\":\"km\\u001b3\""

  @Test func `a fact is a line of the trace, at its instant, for expectations and the story`() throws {
    let run = try ProbeRun(
      expect: """
        { count: "app.spoke", where: { node: "watch", line: "km\\u001b3", isLive: true, none: null }, exactly: 1 },
        { never: "app.spoke", between: ["0s", "400ms"] },
        { event: "app.later", within: "1s", after: { event: "app.spoke", where: { half: 0.5 } } },
        """, watch: ["0.5:fact:spoke", "1:fact:later"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let fact = try #require(run.events("app.spoke").first)
    #expect(fact.hasPrefix("{\"t\":500000000,\"node\":\"watch\",\"event\":\"app.spoke\","), "\(fact)")
    #expect(fact.hasSuffix("\"half\":0.5,\"isLive\":true,\(Self.line),\"list\":[1,2],\"none\":null}"), "\(fact)")
    let story = "watch  its app: spoke, half 0.5, isLive true, line km\\u001B3, list [1,2], none null"
    #expect(run.text.contains(story), "\(run.text)")
    #expect(run.text.contains("facts     1 spoke, 1 later") || run.text.contains("1 spoke and 1 later"), "\(run.text)")
  }

  @Test func `a printed line is a fact, too, and no output`() throws {
    let run = try ProbeRun(
      expect: "{ count: \"app.hello\", where: { node: \"phone\", n: 3 }, exactly: 1 }",
      phone: ["0.5:print:hello{\"n\":3}".replacing("{", with: " {")].map { "'\($0)'" }, time: nil)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.events("app.hello").first?.hasPrefix("{\"t\":500000000,") == true, "\(run.events("app.hello"))")
    #expect(!run.text.contains("wristwire:"))
  }

  @Test func `a fact that cannot be is a finding, and the run goes on`() throws {
    let lines = [
      "strange\u{7}name", "finding", "half {\"n\":", "list [1]", "twice {\"a\":1,\"a\":2}", "taken {\"node\":1}",
      "endless {\"a\":\"\(String(repeating: "x", count: 20_000))\"}",
    ]
    let actions = lines.enumerated().map { "'0.\($0.offset + 1):print:\($0.element)'" }
    let run = try ProbeRun(
      expect: "{ count: \"app.good\", exactly: 1 }, { count: \"app.finding\", where: { kind: \"fact\" }, exactly: 8 }",
      watch: actions + ["1:fact:bad=name", "2:fact:good"], time: nil)
    #expect(run.status == 0, "\(run.text)")
    let findings = run.events("app.finding").joined(separator: "\n")
    for text in [
      "expected a letter, then letters, digits", "a line of the simulator's own", "expected a JSON object",
      "the fact \\\"twice\\\"", "not t, node, event", "expected at most 16384",
    ] { #expect(findings.contains(text), "\(text): \(findings)") }
  }

  @Test func `facts without end are dropped, and that is a finding`() throws {
    let run = try ProbeRun(
      expect: """
        { count: "app.many", exactly: 10000 },
        { count: "app.finding", where: { kind: "fact" }, exactly: 1 }
        """, watch: ["0.5:facts:12000"], time: nil)
    #expect(run.status == 0, "\(run.text)")
  }

  @Test func `facts are repeatable, also of apps that are killed`() throws {
    func trace() throws -> [Substring] {
      let run = try ProbeRun(
        faults: "{ at: \"2s\", kill: \"phone\", restartAfter: \"1s\" }",
        watch: ["0.5:fact:spoke", "'1:print:hello {\"n\":1}'"], phone: ["0.5:fact:spoke", "0.5:facts:20"], time: nil)
      #expect(run.status == 0, "\(run.text)")
      return Array(run.trace.dropFirst())
    }
    let first = try trace()
    #expect(first.filter { $0.contains("app.many") }.count == 40)
    #expect(try trace() == first)
  }

  @Test func `a fact before the session is touched is a line of its device, in either time`() throws {
    for time in [nil, "5x"] {
      let run = try ProbeRun(
        duration: "3s", expect: "{ count: \"app.first\", where: { node: \"watch\" }, exactly: 1 }",
        watch: ["0:factFirst"], phone: ["0:factFirst"], time: time)
      #expect(run.status == 0, "\(run.text)")
      #expect(
        run.events("app.first").allSatisfy { $0.contains("\"map\":{\"a\":{\"b\":[1]}}") }, "\(run.events("app.first"))")
    }
  }

  // MARK: Acts

  @Test func `an act reaches its handler on the main thread, also after a restart`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"3s\", kill: \"phone\", restartAfter: \"4s\" }",
      expect: "{ count: \"app.tapped\", where: { act: \"tapStart\", plan: 5 }, exactly: 3 }",
      phone: ["0:onAct:tapStart"], time: nil,
      phoneKeys: """
        acts: [{ at: "1s", do: "tapStart", with: { plan: 5 } }, { at: "4s", do: "tapStart", with: { plan: 5 } },
          { at: "9s", do: "tapStart", with: { plan: 5 } }],
        """)
    #expect(run.status == 0, "\(run.text)")
    let instants = run.events("app.act").map { $0.prefix { $0 != "," } }
    // The second one was done while the app was down: its user does it once it is back.
    #expect(instants == ["{\"t\":1000000000", "{\"t\":7000000000", "{\"t\":9000000000"], "\(run.trace)")
    #expect(run.text.contains("its user does tapStart with {\"plan\":5}"), "\(run.text)")
  }

  @Test func `an act can start the app, and one whose app stays down is dropped`() throws {
    let run = try ProbeRun(
      faults: "{ at: \"2s\", kill: \"phone\", restartAfter: \"8s\" }, { at: \"12s\", kill: \"phone\" }",
      expect: """
        { event: "node.restarted", where: { cause: "act", target: "phone" }, between: ["4s", "4s"] },
        { count: "app.tapped", exactly: 1 }, { count: "command.dropped", where: { kind: "late" }, exactly: 1 }
        """, phone: ["0:onAct:tapStart"], time: nil,
      phoneKeys: "acts: [{ at: \"4s\", do: \"tapStart\", launch: true }, { at: \"13s\", do: \"late\" }],")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test func `an act without a handler fails the run`() throws {
    let run = try ProbeRun(
      expect: "{ count: \"app.finding\", where: { kind: \"act\" }, exactly: 1 }", phone: ["0:onAct:other"], time: nil,
      phoneKeys: "acts: [{ at: \"1s\", do: \"tapStart\" }],")
    let finding = try #require(run.events("app.finding").first)
    #expect(finding.contains("no handler takes the act \\\"tapStart\\\""), "\(finding)")
    #expect(run.status == 1 && run.text.contains("app-actTaken is broken"), "\(run.text)")
    #expect(run.events("app.act").isEmpty)
  }

  @Test func `an act for a built-in node is refused`() throws {
    let run = try ProbeRun(
      time: nil, options: ["--phone-cmd", "\(ProbeRun.folder)/sim-runner phone"], usesProbeAsWatch: false,
      phoneKeys: "acts: [{ at: \"1s\", do: \"9tap\", with: 3 }],")
    #expect(run.status == 2, "\(run.text)")
    #expect(run.text.contains("phone.acts[0].do: found string \"9tap\", expected a letter"), "\(run.text)")
    #expect(run.text.contains("phone.acts[0].with: found number 3, expected an object"), "\(run.text)")
  }

  @Test func `in real time facts and acts arrive, too`() throws {
    let run = try ProbeRun(
      expect: "{ count: \"app.tapped\", exactly: 1 }, { count: \"app.spoke\", exactly: 1 }",
      phone: ["0:onAct:tapStart", "0.2:fact:spoke"], time: "5x",
      phoneKeys: "acts: [{ at: \"8s\", do: \"tapStart\" }],")
    #expect(run.status == 0, "\(run.text)")
  }
}
