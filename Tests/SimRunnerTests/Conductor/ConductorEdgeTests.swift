import Link
import LinkTransport
import Testing

/// A run with a third node and a second link.
@Suite struct ConductorEdgeTests {
  private static func milliseconds(_ count: Int64) -> VirtualTime { .start + .milliseconds(count) }
  private static func seconds(_ count: Int64) -> VirtualTime { .start + .seconds(count) }

  private static func run() -> StubRun {
    var run = StubRun()
    run.edge = StubHost(role: .edge, diary: run.diary)
    return run
  }

  private static func fault(
    _ id: String, at begin: Int64, to end: Int64, direction: Direction? = nil, _ body: PlannedFault.Body
  ) -> PlannedFault {
    PlannedFault(
      id: id, begin: seconds(begin), end: seconds(end), direction: direction, onUplink: true, body)
  }

  @Test func `a request goes to the edge and its answer to the phone, over the uplink, counted with all other frames`()
  {
    var run = Self.run()
    run.uplink = LinkProfile(latency: .milliseconds(60))
    run.watch.deadlines = [Self.seconds(1)]
    run.phone.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1)] : [] }
    run.phone.react = { _, input, _ in input == nil ? [StubHost.http(1, bytes: 10)] : [] }
    run.edge?.react = { _, input, _ in
      if case .frame = input { [StubHost.http(1, kind: .reply, bytes: 20)] } else { [] }
    }
    let outcome = run.run()
    let sent = outcome.lines("frame.sent")
    #expect(sent.map(\.place) == [.watch, .phone, .edge])
    #expect(sent.map { $0["to"] } == [.string("phone"), .string("edge"), .string("phone")])
    #expect(sent.map { $0["id"] } == [.int(1), .int(2), .int(3)])
    #expect(sent.map { $0["channel"] } == [.string("message"), .string("http"), .string("http")])
    #expect(sent[1]["transfer"] == Identifier(high: 1, low: 1).traceValue)
    let delivered = outcome.lines("frame.delivered")
    #expect(delivered.map(\.place) == [.link, .uplink, .uplink])
    #expect(delivered.map(\.time) == [1_005, 1_060, 1_120].map { Self.milliseconds($0) })
    #expect(outcome.lines("node.started").map { $0["target"] } == ["watch", "phone", "edge"].map { .string($0) })
    #expect(outcome.frames == 3 && outcome.failure == nil)
  }

  @Test func `arrivals of both links at one instant come in the order of their sending, deadlines of the edge last`() {
    var run = Self.run()
    for role in [\StubRun.watch, \.phone] {
      run[keyPath: role].deadlines = [Self.seconds(1), Self.milliseconds(1_005)]
    }
    run.edge?.deadlines = [Self.seconds(1), Self.milliseconds(1_005)]
    run.watch.react = { _, input, now in
      input == nil && now == Self.seconds(1) ? [StubHost.frame(1), StubHost.frame(2)] : []
    }
    run.phone.react = { _, input, now in
      input == nil && now == Self.seconds(1) ? [StubHost.http(3), StubHost.frame(4)] : []
    }
    run.edge?.react = { _, input, now in
      input == nil && now == Self.seconds(1) ? [StubHost.http(5, kind: .reply)] : []
    }
    let outcome = run.run()
    #expect(outcome.lines("frame.delivered").map { $0["id"] } == (1...5).map { .int($0) })
    #expect(outcome.lines("frame.delivered").map(\.place) == [.link, .link, .uplink, .link, .uplink])
    let words = run.diary.words
    let end = (words.lastIndex(of: "edge timers") ?? 0) - 2
    #expect(words[end...].prefix(3) == ["watch timers", "phone timers", "edge timers"])
  }

  @Test func `the phone alone learns of the uplink, at the start, late of a cut, and late of its return`() {
    var run = Self.run()
    run.uplink = LinkProfile(
      latency: .milliseconds(5), supervision: .seconds(6), reconnect: LinkProfile.Reconnect(.seconds(2)))
    run.duration = .seconds(60)
    run.faults = [
      Self.fault("long", at: 10, to: 30, .world(DisconnectFault())),
      Self.fault("short", at: 40, to: 45, .world(DisconnectFault())),
    ]
    let outcome = run.run()
    let heard = run.diary.calls.filter { $0.inputs.contains { if case .uplink = $0 { true } else { false } } }
    #expect(heard.allSatisfy { $0.role == .phone })
    #expect(heard.map(\.at) == [0, 16, 32].map { Self.seconds($0) })
    #expect(heard.map(\.inputs) == [[.uplink(isUp: true)], [.uplink(isUp: false)], [.uplink(isUp: true)]])
    #expect(outcome.lines("link.down").map(\.place) == [.uplink, .uplink])
    #expect(outcome.times("link.up") == [Self.seconds(30), Self.seconds(45)])
    #expect(outcome.lines("fault.begin").allSatisfy { $0.place == .uplink })
    // The watch-phone link knows nothing of it.
    #expect(!run.diary.words.contains("watch link down"))
  }

  @Test func `a fault of one link leaves the other alone`() {
    var run = Self.run()
    run.watch.deadlines = [Self.seconds(1)]
    run.phone.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1)] : [] }
    run.phone.react = { _, input, _ in input == nil ? [StubHost.http(1), StubHost.frame(2)] : [] }
    run.faults = [Self.fault("all", at: 0, to: 5, .frame(LossFault(.independent(.always))))]
    let lost = run.run()
    #expect(lost.lines("frame.dropped").map { $0["id"] } == [.int(2)])
    #expect(lost.lines("frame.dropped").map(\.place) == [.uplink])
    run.faults = [PlannedFault(id: "all", end: Self.seconds(5), LossFault(.independent(.always)))]
    #expect(run.run().lines("frame.dropped").map { $0["id"] } == [.int(1), .int(3)])
  }

  @Test func `a fault of one direction leaves the other alone`() {
    var run = Self.run()
    run.phone.deadlines = [Self.seconds(1)]
    run.phone.react = { _, input, _ in input == nil ? [StubHost.http(1)] : [] }
    run.edge?.react = { _, input, _ in if case .frame = input { [StubHost.http(1, kind: .reply)] } else { [] } }
    run.faults = [
      Self.fault("back", at: 0, to: 5, direction: .edgeToPhone, .frame(LossFault(.independent(.always))))
    ]
    let outcome = run.run()
    #expect(outcome.lines("frame.delivered").map { $0["id"] } == [.int(1)])
    #expect(outcome.lines("frame.dropped").map { $0["id"] } == [.int(2)])
  }

  @Test func `an answer to a phone that is down is dropped, and a restarted phone knows of the uplink`() {
    var run = Self.run()
    run.duration = .seconds(20)
    run.uplink = LinkProfile(latency: .seconds(2))
    run.phone.deadlines = [Self.seconds(1)]
    run.phone.react = { _, input, _ in input == nil ? [StubHost.http(1)] : [] }
    run.edge?.react = { _, input, _ in if case .frame = input { [StubHost.http(1, kind: .reply)] } else { [] } }
    run.faults = [
      PlannedFault(id: "k", begin: Self.seconds(4), KillFault(.phone, restartAfter: .seconds(3)))
    ]
    let outcome = run.run()
    let dropped = outcome.lines("frame.dropped")
    #expect(dropped.map { $0["cause"] } == [.string("nodeDown")] && dropped.map(\.place) == [.uplink])
    let start = run.diary.words.firstIndex(of: "phone is started") ?? 0
    #expect(run.diary.words[start...].contains("phone uplink up"))
  }

  @Test func `without an uplink every request is dropped, and the phone gets no notice`() {
    var run = Self.run()
    run.uplink = LinkProfile(latency: .milliseconds(5), exists: false)
    run.phone.deadlines = [Self.seconds(1)]
    run.phone.react = { _, input, _ in input == nil ? [StubHost.http(1)] : [] }
    let outcome = run.run()
    #expect(outcome.lines("frame.dropped").map { $0["cause"] } == [.string("disconnected")])
    #expect(!run.diary.words.contains { $0.hasPrefix("phone uplink") })
  }

  @Test func `what no link can carry ends the run`() {
    let cases: [(NodeRole, Turn.Item, Bool)] = [
      (.watch, StubHost.http(1), true), (.edge, StubHost.frame(1), true), (.phone, StubHost.http(1), false),
    ]
    for (role, item, hasEdge) in cases {
      var run = hasEdge ? Self.run() : StubRun()
      let react: (inout StubHost, NodeInput?, VirtualTime) -> [Turn.Item] = { _, input, _ in
        input == nil ? [item] : []
      }
      switch role {
      case .watch: (run.watch.deadlines, run.watch.react) = ([Self.seconds(1)], react)
      case .phone: (run.phone.deadlines, run.phone.react) = ([Self.seconds(1)], react)
      case .edge:
        run.edge?.deadlines = [Self.seconds(1)]
        run.edge?.react = react
      }
      let outcome = run.run()
      #expect(outcome.failure?.role == role, "\(role)")
      #expect(outcome.lines("frame.sent").isEmpty)
    }
  }

  @Test func `requests that are never answered hold the end no longer than queues do`() {
    var run = Self.run()
    run.phone.deadlines = [Self.seconds(1)]
    run.phone.react = { host, input, now in
      guard input == nil else { return [] }
      host.deadlines.append(now + .seconds(8))
      return [StubHost.http(1)]
    }
    let outcome = run.run()
    #expect(outcome.failure == nil && outcome.end <= Self.seconds(610) && outcome.end > Self.seconds(600))
  }

  @Test func `a run without an edge has no line of one`() {
    let run = StubRun()
    let outcome = run.run()
    #expect(!outcome.lines.contains { $0.place == .edge || $0.place == .uplink })
    #expect(outcome.lines("node.started").count == 2)
  }
}
