import Link
import LinkTransport
import Testing

@Suite struct `The conductor` {
  private static func seconds(_ seconds: Int64) -> VirtualTime { .start + .seconds(seconds) }
  private static func milliseconds(_ count: Int64) -> VirtualTime { .start + .milliseconds(count) }

  private static func line(_ name: TraceEvent.Name, _ role: NodeRole, _ now: VirtualTime) -> Turn.Item {
    .event(TraceEvent(name, at: now, on: role.place))
  }

  @Test func `at one instant faults come first, then commands, then arrivals, then deadlines, each watch before phone`()
  {
    var run = StubRun()
    run.watch.deadlines = [Self.milliseconds(995), Self.seconds(1)]
    run.phone.deadlines = [Self.milliseconds(995), Self.seconds(1)]
    run.watch.react = { _, input, now in
      input == nil && now == Self.milliseconds(995) ? [StubHost.frame(1), StubHost.frame(2)] : []
    }
    run.phone.react = { _, input, now in
      input == nil && now == Self.milliseconds(995) ? [StubHost.frame(3)] : []
    }
    run.commands = [(Self.seconds(1), .watch, "pause"), (Self.seconds(1), .phone, "mute")]
    run.faults = [
      PlannedFault(id: "off", end: Self.seconds(1), CorruptFault(probability: .never)),
      PlannedFault(id: "on", begin: Self.seconds(1), CorruptFault(probability: .never)),
      PlannedFault(id: "cut", begin: Self.seconds(1), end: Self.seconds(2), DisconnectFault()),
    ]
    _ = run.run()
    let words = run.diary.words
    let begin = words.firstIndex(of: "link: fault.end") ?? 0
    #expect(
      words[begin...].prefix(14) == [
        "link: fault.end", "link: fault.begin", "link: fault.begin", "link: link.down", "watch pause", "phone mute",
        // Under way when the link was cut.
        "link: frame.dropped", "link: frame.dropped", "link: frame.dropped", "watch timers", "phone timers",
        "link: link.up", "link: fault.end", "link: fault.end",
      ])
  }

  @Test func `arrivals come in the order of their sending, before the deadlines of their instant`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1), Self.milliseconds(1_005)]
    run.phone.deadlines = [Self.seconds(1), Self.milliseconds(1_005)]
    run.watch.react = { _, input, now in
      input == nil && now == Self.seconds(1) ? [StubHost.frame(1), StubHost.frame(2)] : []
    }
    run.phone.react = { _, input, now in
      input == nil && now == Self.seconds(1) ? [StubHost.frame(3), StubHost.frame(4)] : []
    }
    let outcome = run.run()
    let words = run.diary.words
    let sent = words.firstIndex(of: "watch timers") ?? 0
    #expect(
      words[sent...].prefix(16) == [
        "watch timers", "watch: frame.sent", "watch: frame.sent", "phone timers", "phone: frame.sent",
        "phone: frame.sent",
        // The inputs of one grant, then what became of each.
        "phone frame 1", "phone frame 2", "link: frame.delivered", "link: frame.delivered",
        "watch frame 3", "watch frame 4", "link: frame.delivered", "link: frame.delivered",
        "watch timers", "phone timers",
      ])
    #expect(outcome.lines("frame.sent").map { $0["id"] } == (1...4).map { .int($0) })
    #expect(outcome.frames == 4)
  }

  @Test func `several arrivals go in one grant, and each one's lines follow its own arrival`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? (1...3).map { StubHost.frame($0) } : [] }
    run.phone.react = { _, input, now in
      guard case .frame(let frame) = input else { return [] }
      // Nothing for the second; two orders for the third.
      let heard = Self.line("heard", .phone, now)
      return frame.seq.rawValue == 2 ? [] : frame.seq.rawValue == 3 ? [heard, StubHost.frame(9), heard] : [heard]
    }
    let outcome = run.run()
    let calls = run.diary.calls.filter { $0.role == .phone && $0.inputs.count > 1 }
    #expect(calls.count == 1 && calls.first?.inputs.count == 3 && calls.first?.fires == false)
    let names = outcome.lines.filter { $0.time == Self.milliseconds(1_005) }.map(\.name.text)
    #expect(
      names == [
        "frame.delivered", "heard", "frame.delivered", "frame.delivered", "heard", "frame.sent", "heard",
      ])
  }

  @Test func `what is dropped on the way does not shift what belongs to whom`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? (1...4).map { StubHost.frame($0, bytes: 44) } : [] }
    run.phone.react = { _, input, now in
      guard case .frame(let frame) = input else { return [] }
      return [.event(TraceEvent("heard", at: now, on: .phone, [.init("seq", .int(Int64(frame.seq.rawValue)))]))]
    }
    run.faults = [PlannedFault(id: "every", LossFault(.every(2)))]
    let lines = run.run().lines.filter { ["heard", "frame.delivered", "frame.dropped"].contains($0.name) }
    #expect(
      lines.map { "\($0.name.text) \(($0["seq"] ?? $0["id"])?.integer ?? 0)" } == [
        "frame.dropped 2", "frame.dropped 4", "frame.delivered 1", "heard 1", "frame.delivered 3", "heard 3",
      ])
  }

  @Test func `copies that are made when a frame leaves the queue are traced then`() {
    var run = StubRun()
    run.link = LinkProfile(latency: .milliseconds(5), bytesPerSecond: 1_000)
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? (1...2).map { StubHost.frame($0, bytes: 44) } : [] }
    run.faults = [PlannedFault(id: "d", begin: Self.milliseconds(1_150), DuplicateFault(probability: .always))]
    let outcome = run.run()
    #expect(outcome.times("frame.duplicated") == [Self.milliseconds(1_200)])
    #expect(
      outcome.times("frame.delivered") == [1_105, 1_205, 1_205].map { Self.milliseconds($0) })
  }

  @Test func `the sides learn of the link at the start, late of a cut, and late of its return`() {
    var run = StubRun()
    run.link = LinkProfile(
      latency: .milliseconds(5), supervision: .seconds(6), reconnect: LinkProfile.Reconnect(.seconds(2)))
    run.duration = .seconds(60)
    run.faults = [PlannedFault(id: "cut", begin: Self.seconds(10), end: Self.seconds(30), DisconnectFault())]
    let outcome = run.run()
    let told = run.diary.calls.filter { if case .link = $0.inputs.first { true } else { false } }
    #expect(told.map(\.role) == [.watch, .phone, .watch, .phone, .watch, .phone])
    #expect(told.map(\.at) == [0, 0, 16, 16, 32, 32].map { Self.seconds($0) })
    #expect(told.compactMap(\.inputs.first) == [true, true, false, false, true, true].map { .link(isUp: $0) })
    #expect(outcome.times("link.down") == [Self.seconds(10)] && outcome.times("link.up") == [Self.seconds(30)])
    #expect(outcome.lines("link.down").first?["cause"] == .string("cut"))
  }

  @Test func `a link that two faults cut is up again when both are over`() {
    var run = StubRun()
    run.faults = [
      PlannedFault(id: "a", begin: Self.seconds(1), end: Self.seconds(4), DisconnectFault()),
      PlannedFault(id: "b", begin: Self.seconds(2), end: Self.seconds(6), DisconnectFault()),
    ]
    let outcome = run.run()
    #expect(outcome.times("link.down") == [Self.seconds(1)])
    #expect(outcome.times("link.up") == [Self.seconds(6)])
    #expect(outcome.times("fault.end") == [Self.seconds(4), Self.seconds(6)])
  }

  // MARK: The end

  @Test func `a run heals at its duration, ends what is on, and asks the watch to end its workout`() {
    var run = StubRun()
    run.faults = [
      PlannedFault(id: "b", begin: Self.seconds(2), DisconnectFault()),
      PlannedFault(id: "a", LossFault(.independent(.always))),
      PlannedFault(id: "later", begin: Self.seconds(11), LossFault(.independent(.always))),
    ]
    run.commands = [(Self.seconds(11), .phone, "mute")]
    let outcome = run.run()
    #expect(outcome.end == Self.seconds(11), "one second of reconnecting after the healing")
    #expect(
      outcome.lines.filter { $0.time >= Self.seconds(10) }.map(\.name.text) == [
        "link.up", "fault.end", "fault.end", "healed", "end",
      ])
    #expect(outcome.lines("fault.end").map { $0["fault"] } == [.string("b"), .string("a")], "in plan order")
    let commands = run.diary.words.filter { $0 == "phone mute" || $0 == "watch end" }
    #expect(commands == ["watch end"])
  }

  @Test func `a run ends five seconds after its workout, and then no node is asked to end it`() {
    var run = StubRun()
    run.duration = .seconds(3_600)
    run.watch.deadlines = [Self.seconds(7), Self.seconds(8), Self.seconds(11)]
    run.watch.react = { watch, _, now in
      watch.isWorkoutOver = now >= Self.seconds(7)
      return []
    }
    let outcome = run.run()
    #expect(outcome.times("healed") == [Self.seconds(12)])
    #expect(outcome.end == Self.seconds(12))
    #expect(!run.diary.words.contains("watch end"))
  }

  @Test func `a workout that ends just before the duration does not put the end off`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(8)]
    run.watch.react = { watch, _, now in
      watch.isWorkoutOver = now >= Self.seconds(8)
      return []
    }
    #expect(run.run().times("healed") == [Self.seconds(10)])
  }

  @Test func `after the end the queues drain for ten minutes at most`() {
    var run = StubRun()
    run.phone.deadlines = (1...1_000).map { Self.seconds($0) }
    let outcome = run.run()
    #expect(outcome.times("healed") == [Self.seconds(10)])
    #expect(outcome.end == Self.seconds(610))
    var quiet = StubRun()
    quiet.phone.deadlines = [Self.seconds(9), Self.seconds(40)]
    #expect(quiet.run().end == Self.seconds(40), "no longer than something is pending")
  }

  @Test(arguments: [(6 * 60, 11 * 60 + 1), (295, 610), (3_000, 3_301)])
  func `frames that a fault has delayed by long have the queues drain until they are there`(delay: Int, end: Int) {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1)] : [] }
    run.phone.deadlines = (1...10_000).map { Self.seconds($0) }
    run.faults = [PlannedFault(id: "slow", end: Self.seconds(2), DelayFault(mean: .seconds(Int64(delay))))]
    let outcome = run.run()
    #expect(outcome.lines("frame.delivered").map(\.time) == [Self.milliseconds(Int64(delay) * 1_000 + 1_005)])
    #expect(outcome.end == Self.seconds(Int64(end)))
  }

  @Test func `every frame has its fate, also one that is in flight when the run ends`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1), StubHost.frame(2)] : [] }
    run.faults = [
      PlannedFault(id: "slow", ReorderFault(probability: .always, by: .seconds(3_000))),
      PlannedFault(id: "twice", DuplicateFault(probability: .always)),
    ]
    let outcome = run.run()
    let dropped = outcome.lines("frame.dropped")
    #expect(dropped.map { $0["cause"] } == [TraceValue](repeating: .string("nodeDown"), count: 4))
    #expect(dropped.map { $0["id"] } == [.int(1), .int(1), .int(2), .int(2)])
    #expect(outcome.lines.last?.name == "end")
    #expect(outcome.lines.last?["frames"] == .int(2))
  }

  @Test func `a node that asks for the same instant again and again ends the run as failed`() {
    var run = StubRun()
    run.phone.deadlines = [Self.seconds(1)]
    run.phone.react = { phone, input, now in
      if input == nil { phone.deadlines = [now] }
      return []
    }
    let outcome = run.run()
    #expect(outcome.failure?.role == .phone)
    #expect(outcome.end == Self.seconds(1))
    #expect(outcome.lines.suffix(2).map(\.name.text) == ["node.failed", "end"])
    #expect(outcome.lines.last?["verdict"] == .string("fail"))
  }

  @Test func `the trace begins with the starts of both nodes`() {
    let outcome = StubRun().run()
    #expect(outcome.lines.prefix(2).map(\.name.text) == ["node.started", "node.started"])
    #expect(outcome.lines.prefix(2).map { $0["target"] } == [.string("watch"), .string("phone")])
  }
}
