import Link
import LinkTransport
import Testing

/// What the conductor does to nodes, and tells them, when their devices fail.
@Suite struct `The conductor and nodes that fail` {
  private static func seconds(_ seconds: Int64) -> VirtualTime { .start + .seconds(seconds) }
  private static func milliseconds(_ count: Int64) -> VirtualTime { .start + .milliseconds(count) }
  private static func line(_ name: TraceEvent.Name, _ role: NodeRole, _ now: VirtualTime) -> Turn.Item {
    .event(TraceEvent(name, at: now, on: role.place))
  }
  private static func fault(
    _ fault: some NodeFault, _ id: String = "f", at begin: Int64, until end: Int64? = nil
  ) -> PlannedFault { PlannedFault(id: id, begin: seconds(begin), end: end.map { seconds($0) }, fault) }

  /// Short words of what a run's runner and link said: time, event, and what tells them apart.
  private static func words(_ outcome: StubRun.Outcome, _ names: Set<String>) -> [String] {
    outcome.lines.filter { names.contains($0.name.text) }.map { line in
      let fields = ["target", "fault", "cause", "point", "epoch", "kind"].compactMap {
        line[$0]?.text ?? number(line[$0])
      }
      let time = Double(line.time.nanoseconds) / 1e9
      return ([time == time.rounded() ? "\(Int(time))" : "\(time)", line.name.text] + fields).joined(separator: " ")
    }
  }
  private static func number(_ value: TraceValue?) -> String? { value?.integer.map { String($0) } }
  private static let lives: Set = ["node.started", "node.killed", "node.suspended", "node.resumed"]

  /// The conditions and link states that a node received, with the time.
  private static func told(_ run: StubRun, _ role: NodeRole) -> [String] {
    run.diary.calls.filter { $0.role == role }.flatMap { call in
      call.inputs.compactMap { input in
        let second = Double(call.at.nanoseconds) / 1e9
        let time = second == second.rounded() ? "\(Int(second))" : "\(second)"
        return switch input {
        case .condition(let condition): "\(time) \(condition)"
        case .link(let isUp): "\(time) link \(isUp)"
        default: nil
        }
      }
    }
  }

  // MARK: Kill

  @Test func `a killed node is started again in the next epoch, and learns that the link is up`() {
    var run = StubRun()
    run.faults = [Self.fault(KillFault(.phone, restartAfter: .seconds(3)), at: 2)]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.begin", "fault.end"])) == [
        "0 node.started watch launch 1", "0 node.started phone launch 1", "2 fault.begin f kill",
        "2 node.killed phone kill", "5 node.started phone restart 2", "5 fault.end f kill",
      ])
    #expect(Self.told(run, .phone) == ["0 link true", "5 link true"])
    #expect(Self.told(run, .watch) == ["0 link true"], "supervision is longer")
    #expect(outcome.lines("fault.begin").allSatisfy { $0.place == .runner })
  }

  @Test func `a node that is not restarted stays down to the end, and the run does not wait for its work`() {
    var run = StubRun()
    run.phone.deadlines = (1...1_000).map { Self.seconds($0) }
    run.commands = [(Self.seconds(4), .phone, "mute"), (Self.seconds(5), .watch, "pause")]
    run.faults = [Self.fault(KillFault(.phone), at: 2)]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.end", "command.dropped", "healed"])).dropFirst(2) == [
        "2 node.killed phone kill", "4 command.dropped phone mute", "10 fault.end f kill", "10 healed",
      ])
    #expect(outcome.lines("command.dropped").first?["why"] == .string("the phone is down"))
    #expect(run.diary.words.contains("watch pause") && run.diary.words.contains("watch end"))
    #expect(outcome.end == Self.seconds(10))
  }

  @Test func `a dead watch is not asked to end its workout`() {
    var run = StubRun()
    run.faults = [Self.fault(KillFault(.watch), at: 2)]
    let outcome = run.run()
    #expect(Self.words(outcome, ["command.dropped"]) == ["10 command.dropped watch end"])
    #expect(!run.diary.words.contains("watch end"))
  }

  @Test func `the other side learns of a death after the supervision time, and of the return at once`() {
    var run = StubRun()
    run.link = LinkProfile(latency: .milliseconds(5), supervision: .seconds(2))
    run.duration = .seconds(30)
    run.faults = [
      Self.fault(KillFault(.phone, restartAfter: .milliseconds(1_999)), "short", at: 2),
      Self.fault(KillFault(.phone, restartAfter: .seconds(2)), "exact", at: 10),
      Self.fault(KillFault(.phone, restartAfter: .seconds(5)), "long", at: 20),
    ]
    let outcome = run.run()
    #expect(
      Self.told(run, .watch) == [
        "0 link true", "22 peer(isRunning: false)", "25 peer(isRunning: true)",
      ])
    // The restarted node hears of it before the other side.
    let words = run.diary.words
    let start = words.lastIndex(of: "phone is started") ?? 0
    let told = words.lastIndex { $0.hasPrefix("watch peer") } ?? 0
    #expect(start < told && outcome.lines("node.started").count == 5)
  }

  @Test func `a node that starts learns in a fixed order what holds`() {
    var run = StubRun()
    run.link = LinkProfile(latency: .milliseconds(5), supervision: .seconds(1))
    run.duration = .seconds(60)
    run.faults = [
      Self.fault(NotInstalledFault(.watch), "hidden", at: 1),
      Self.fault(DiskFullFault(.phone), "full", at: 5, until: 30),
      Self.fault(ClockSkewFault(.phone, offset: .seconds(-90), driftPPM: 1_000), "skew", at: 3, until: 40),
      Self.fault(KillFault(.phone, restartAfter: .seconds(10)), "kill", at: 4),
      Self.fault(KillFault(.watch, restartAfter: .seconds(20)), "watch", at: 2),
    ]
    _ = run.run()
    #expect(
      Self.told(run, .phone) == [
        "0 link true", "1 peerInstalled(false)", "3 clock(offset: -90000000000, driftPPM: 1000.0)",
        "3 peer(isRunning: false)",
        // 11 s at a thousandth are 11 ms.
        "14 clock(offset: -89989000000, driftPPM: 1000.0)", "14 disk(isFull: true)", "14 peerInstalled(false)",
        "14 peer(isRunning: false)", "14 link true", "22 peer(isRunning: true)", "30 disk(isFull: false)",
        "40 clock(offset: 0, driftPPM: 0.0)", "60 peerInstalled(true)",
      ])
    // The watch is down when the phone dies, and up when it has learnt of it and of its return.
    #expect(Self.told(run, .watch) == ["0 link true", "22 link true"])
  }

  @Test func `a node that starts in a cut learns that the link is down`() {
    var run = StubRun()
    run.link = LinkProfile(latency: .milliseconds(5), supervision: .seconds(1))
    run.faults = [
      PlannedFault(id: "cut", begin: Self.seconds(1), end: Self.seconds(7), DisconnectFault()),
      Self.fault(KillFault(.phone, restartAfter: .seconds(1)), at: 4),
    ]
    _ = run.run()
    #expect(Self.told(run, .phone).prefix(3) == ["0 link true", "2 link false", "5 link false"])
  }

  @Test func `of several kills a node is up when the last reason is gone`() {
    var run = StubRun()
    run.duration = .seconds(60)
    run.faults = [
      Self.fault(KillFault(.phone, restartAfter: .seconds(10)), "a", at: 2),
      Self.fault(KillFault(.phone, restartAfter: .seconds(2)), "b", at: 3),
      Self.fault(RebootFault(.phone, unlockAfter: .seconds(10)), "c", at: 4),
      Self.fault(KillFault(.phone, restartAfter: .zero), "d", at: 20),
    ]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.end"])).dropFirst(2) == [
        "2 node.killed phone kill", "5 fault.end b kill", "12 fault.end a kill", "14 node.started phone restart 2",
        "14 fault.end c reboot", "20 node.killed phone kill", "20 node.started phone restart 3", "20 fault.end d kill",
      ])
  }

  @Test func `no node is restarted once the run heals`() {
    var run = StubRun()
    run.faults = [Self.fault(KillFault(.phone, restartAfter: .seconds(1)), at: 9)]
    run.watch.deadlines = [Self.seconds(300)]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["healed", "fault.end"])).suffix(3) == [
        "9 node.killed phone kill", "10 fault.end f kill", "10 healed",
      ])
    #expect(outcome.end == Self.seconds(300))
  }

  @Test func `frames that arrive at a node that is down are dropped, and the fault is named`() {
    var run = StubRun()
    run.watch.deadlines = (1...9).map { Self.seconds($0) }
    run.watch.react = { _, input, now in input == nil ? [StubHost.frame(UInt64(now.nanoseconds / 1_000_000_000))] : [] }
    run.faults = [
      Self.fault(KillFault(.phone, restartAfter: .seconds(4)), "a", at: 3),
      Self.fault(KillFault(.phone, restartAfter: .seconds(5)), "b", at: 4),
    ]
    let outcome = run.run()
    #expect(
      Self.words(outcome, ["frame.dropped"]) == [3, 4, 5, 6].map { "\($0).005 frame.dropped a nodeDown" }
        + [7, 8].map { "\($0).005 frame.dropped b nodeDown" })
    #expect(
      run.diary.words.filter { $0.hasPrefix("phone frame") } == ["phone frame 1", "phone frame 2", "phone frame 9"])
  }

  @Test func `at one instant a kill comes before the node's arrivals and deadlines, and a restart before commands`() {
    var run = StubRun()
    run.phone.deadlines = [Self.seconds(2), Self.seconds(3)]
    run.watch.deadlines = [Self.milliseconds(1_995)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1)] : [] }
    run.faults = [Self.fault(KillFault(.phone, restartAfter: .seconds(1)), at: 2)]
    run.commands = [(Self.seconds(3), .phone, "mute")]
    let words = Array(run.run().lines.isEmpty ? [] : run.diary.words)
    let begin = words.firstIndex(of: "runner: fault.begin") ?? 0
    #expect(
      words[begin...].prefix(11) == [
        "runner: fault.begin", "phone is killed", "runner: node.killed", "link: frame.dropped", "phone is started",
        "runner: node.started", "phone armed []", "phone link up", "runner: fault.end", "phone mute", "phone timers",
      ])
  }

  // MARK: Crash points

  @Test func `a crash point fires when it is first passed at or after the fault's begin`() {
    var run = StubRun()
    run.phone.deadlines = (1...6).map { Self.seconds($0) }
    run.phone.react = { _, input, now in
      input == nil
        ? [
          Self.line("before", .phone, now), .crashPoint(.inboxAcked), .crashPoint(.inboxCommitted),
          Self.line("after", .phone, now),
        ]
        : []
    }
    run.faults = [Self.fault(KillFault(.phone, restartAfter: .milliseconds(500), point: .inboxCommitted), at: 3)]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["before", "after", "fault.begin", "fault.end"])).dropFirst(2) == [
        "1 before", "1 after", "2 before", "2 after", "3 fault.begin f kill", "3 before",
        "3 node.killed phone kill inbox.committed", "3.5 node.started phone restart 2", "3.5 fault.end f kill",
        "4 before", "4 after", "5 before", "5 after", "6 before", "6 after",
      ])
  }

  @Test func `a crash point that is never passed never fires, and its fault ends`() {
    var run = StubRun()
    run.faults = [
      Self.fault(KillFault(.phone, point: .fileChunk), "open", at: 1),
      Self.fault(KillFault(.watch, restartAfter: .seconds(1), point: .fileChunk), "bounded", at: 2, until: 4),
    ]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.end"])).dropFirst(2) == [
        "4 fault.end bounded kill", "10 fault.end open kill",
      ])
    #expect(
      run.diary.words.filter { $0.contains("armed") } == [
        "phone armed [\"file.chunk\"]", "watch armed [\"file.chunk\"]", "watch armed []", "phone armed []",
      ])
  }

  @Test func `several faults may wait for one point, and others for another`() {
    var run = StubRun()
    run.phone.deadlines = (1...8).map { Self.seconds($0) }
    run.phone.react = { _, input, now in
      guard input == nil else { return [] }
      return now < Self.seconds(4) ? [.crashPoint(.inboxCommitted)] : [.crashPoint(.fileChunk)]
    }
    run.faults = [
      Self.fault(KillFault(.phone, restartAfter: .milliseconds(1_500), point: .fileChunk), "chunk", at: 1),
      Self.fault(KillFault(.phone, restartAfter: .milliseconds(300), point: .inboxCommitted), "a", at: 1),
      Self.fault(KillFault(.phone, restartAfter: .milliseconds(1_300), point: .inboxCommitted), "b", at: 1),
      Self.fault(KillFault(.phone, restartAfter: .milliseconds(100), point: .inboxCommitted), "later", at: 3),
    ]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.end"])).dropFirst(2) == [
        "1 node.killed phone kill inbox.committed", "1.3 fault.end a kill", "2.3 node.started phone restart 2",
        "2.3 fault.end b kill", "3 node.killed phone kill inbox.committed", "3.1 node.started phone restart 3",
        "3.1 fault.end later kill", "4 node.killed phone kill file.chunk", "5.5 node.started phone restart 4",
        "5.5 fault.end chunk kill",
      ])
  }

  @Test func `arrivals behind the one at which a node stops find it down`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? (1...4).map { StubHost.frame($0) } : [] }
    run.phone.react = { _, input, now in
      guard case .frame(let frame) = input else { return [] }
      let heard = Self.line("heard", .phone, now)
      return frame.seq.rawValue == 2
        ? [StubHost.frame(20), .crashPoint(.inboxCommitted), heard, StubHost.frame(21)] : [heard]
    }
    run.faults = [Self.fault(KillFault(.phone, point: .inboxCommitted), at: 0)]
    let outcome = run.run()
    let at = Self.milliseconds(1_005)
    #expect(
      outcome.lines.filter { $0.time == at }.map { "\($0.name.text) \(Self.number($0["id"]) ?? "")" } == [
        "frame.delivered 1", "heard ", "frame.delivered 2", "frame.sent 5", "node.killed ", "frame.dropped 3",
        "frame.dropped 4",
      ])
    #expect(
      outcome.lines("frame.dropped").allSatisfy { $0["cause"] == .string("nodeDown") && $0["fault"] == .string("f") })
  }

  @Test func `a node that stops without a word has still had the arrival at which it stopped`() {
    var run = StubRun()
    run.watch.deadlines = [Self.seconds(1)]
    run.watch.react = { _, input, _ in input == nil ? (1...3).map { StubHost.frame($0) } : [] }
    run.phone.react = { _, input, _ in
      if case .frame(let frame) = input, frame.seq.rawValue == 2 { [.crashPoint(.inboxCommitted)] } else { [] }
    }
    run.faults = [Self.fault(KillFault(.phone, point: .inboxCommitted), at: 0)]
    let names = run.run().lines.filter { $0.time == Self.milliseconds(1_005) }.map(\.name.text)
    #expect(names == ["frame.delivered", "frame.delivered", "node.killed", "frame.dropped"])
  }

  @Test func `a node may die of the very word that it starts with`() {
    var run = StubRun()
    run.phone.react = { _, input, now in
      input == .link(isUp: true) && now > .start ? [.crashPoint(.handlerCommitted)] : []
    }
    run.faults = [
      Self.fault(KillFault(.phone, restartAfter: .seconds(1)), "a", at: 1),
      Self.fault(KillFault(.phone, restartAfter: .zero, point: .handlerCommitted), "b", at: 0),
    ]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.end"])).dropFirst(2) == [
        "1 node.killed phone kill", "2 node.started phone restart 2", "2 node.killed phone kill handler.committed",
        "2 fault.end a kill", "2 node.started phone restart 3", "2 fault.end b kill",
      ])
  }

  // MARK: Sleep

  private static func sleeper(_ fault: SuspendFault, until end: Int64? = 30) -> StubRun {
    var run = StubRun()
    run.link = LinkProfile(latency: .milliseconds(5), supervision: .seconds(2))
    run.duration = .seconds(60)
    run.faults = [Self.fault(fault, at: 2, until: end)]
    return run
  }

  @Test func `a message wakes a phone that sleeps, for ten seconds after the last input`() {
    var run = Self.sleeper(SuspendFault(.phone))
    run.watch.deadlines = [Self.seconds(5), Self.seconds(9)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1)] : [] }
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["frame.delivered", "fault.end"])).dropFirst(2) == [
        "2 node.suspended phone suspend", "5.005 node.resumed phone message", "5.005 frame.delivered",
        "9.005 frame.delivered", "19.005 node.suspended phone idle", "30 node.resumed phone ended",
        "30 fault.end f suspend",
      ])
    #expect(
      Self.told(run, .phone) == ["0 link true", "2 suspended", "5.005 resumed", "19.005 suspended", "30 resumed"])
    #expect(Self.told(run, .watch) == ["0 link true"], "it can be woken, so it is not missed")
  }

  @Test func `a watch that sleeps is not woken by messages, but takes what is queued`() {
    var run = Self.sleeper(SuspendFault(.watch))
    run.phone.deadlines = [Self.seconds(5)]
    run.phone.react = { _, input, _ in
      guard input == nil else { return [] }
      let kinds: [(Frame.Kind, Channel)] = [
        (.data, .message), (.data, .userInfo), (.reply, .message), (.hello, .message), (.ack, .message),
        (.chunk, .file),
      ]
      return kinds.map { .frame(Frame(kind: $0, channel: $1, epoch: Epoch(1), seq: SequenceNumber(1))) }
    }
    let outcome = run.run()
    #expect(
      outcome.lines.filter { $0.time == Self.milliseconds(5_005) }.map {
        "\($0.name.text) \(Self.number($0["id"]) ?? "")"
      } == [
        "frame.dropped 1", "frame.delivered 2", "frame.dropped 3", "frame.delivered 4", "frame.delivered 5",
        "frame.delivered 6",
      ])
    #expect(
      outcome.lines("frame.dropped").allSatisfy { $0["cause"] == .string("suspended") && $0["fault"] == .string("f") })
    #expect(
      Self.words(outcome, Self.lives).dropFirst(2) == ["2 node.suspended watch suspend", "30 node.resumed watch ended"])
    #expect(Self.told(run, .phone) == ["0 link true", "4 peer(isRunning: false)", "30 peer(isRunning: true)"])
  }

  @Test func `a command wakes a sleeping runner`() {
    var run = Self.sleeper(SuspendFault(.watch))
    run.commands = [(Self.seconds(7), .watch, "pause"), (Self.seconds(12), .watch, "resume")]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives).dropFirst(2) == [
        "2 node.suspended watch suspend", "7 node.resumed watch command", "22 node.suspended watch idle",
        "30 node.resumed watch ended",
      ])
    #expect(
      run.diary.words.filter { $0.hasPrefix("watch ") }.prefix(5) == [
        "watch link up", "watch suspended", "watch resumed", "watch pause", "watch resume",
      ])
    // Back at 7 s, gone again at 22 s.
    #expect(
      Self.told(run, .phone) == [
        "0 link true", "4 peer(isRunning: false)", "7 peer(isRunning: true)", "24 peer(isRunning: false)",
        "30 peer(isRunning: true)",
      ])
  }

  @Test func `of several faults that have an app sleep the last one lets it go`() {
    var run = Self.sleeper(SuspendFault(.phone), until: 20)
    run.faults.append(Self.fault(SuspendFault(.phone, wakes: false), "deep", at: 10, until: 40))
    run.watch.deadlines = [Self.seconds(15)]
    run.watch.react = { _, input, _ in input == nil ? [StubHost.frame(1)] : [] }
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["frame.dropped"])).dropFirst(2) == [
        "2 node.suspended phone suspend", "15.005 frame.dropped deep suspended", "40 node.resumed phone ended",
      ])
    #expect(Self.told(run, .watch) == ["0 link true", "12 peer(isRunning: false)", "40 peer(isRunning: true)"])
  }

  @Test func `an app that is started while a fault has it sleep is awake for ten seconds`() {
    var run = Self.sleeper(SuspendFault(.phone))
    run.faults.append(Self.fault(KillFault(.phone, restartAfter: .seconds(4)), "kill", at: 5))
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives).dropFirst(2) == [
        "2 node.suspended phone suspend", "5 node.killed phone kill", "9 node.started phone restart 2",
        "19 node.suspended phone idle", "30 node.resumed phone ended",
      ])
    #expect(Self.told(run, .watch) == ["0 link true", "7 peer(isRunning: false)", "9 peer(isRunning: true)"])
  }

  @Test func `a fault that ends while its sleeper is dead wakes no node`() {
    var run = Self.sleeper(SuspendFault(.phone), until: 6)
    run.faults.append(Self.fault(KillFault(.phone, restartAfter: .seconds(4)), "kill", at: 5))
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives).dropFirst(2) == [
        "2 node.suspended phone suspend", "5 node.killed phone kill", "9 node.started phone restart 2",
      ])
    #expect(Self.told(run, .phone) == ["0 link true", "2 suspended", "9 link true"])
  }

  // MARK: Clock, disk, app

  @Test func `the skews of a clock add up, and each takes its part away`() {
    var run = StubRun()
    run.duration = .seconds(100)
    run.faults = [
      Self.fault(ClockSkewFault(.watch, offset: .seconds(-90), driftPPM: 100), "a", at: 10, until: 40),
      Self.fault(ClockSkewFault(.watch, offset: .seconds(3_600)), "b", at: 20, until: 50),
      Self.fault(ClockSkewFault(.watch, driftPPM: -50), "c", at: 30),
    ]
    _ = run.run()
    #expect(
      Self.told(run, .watch) == [
        "0 link true", "10 clock(offset: -90000000000, driftPPM: 100.0)",
        "20 clock(offset: 3510001000000, driftPPM: 100.0)", "30 clock(offset: 3510002000000, driftPPM: 50.0)",
        "40 clock(offset: 3599999500000, driftPPM: -50.0)", "50 clock(offset: -1000000, driftPPM: -50.0)",
        "100 clock(offset: 0, driftPPM: 0.0)",
      ])
  }

  /// Thousands of large skews must not overflow.
  @Test func `skews without end are bounded`() {
    var run = StubRun()
    run.faults = (0..<2_600).map {
      PlannedFault(id: "\($0)", ClockSkewFault(.phone, offset: .seconds(3_600_000), driftPPM: -500_000))
    }
    _ = run.run()
    guard
      case .condition(.clock(let offset, let driftPPM))? = run.diary.calls.filter({ $0.role == .phone })[2_599].inputs
        .first
    else {
      Issue.record("no clock")
      return
    }
    #expect(offset == 315_360_000_000_000_000 && driftPPM == -990_000)
  }

  @Test func `a disk is full, and an app missing, while any fault says so`() {
    var run = StubRun()
    run.duration = .seconds(60)
    run.faults = [
      Self.fault(DiskFullFault(.phone), "a", at: 5, until: 20),
      Self.fault(DiskFullFault(.phone), "b", at: 10, until: 30),
      Self.fault(NotInstalledFault(.phone), "c", at: 6, until: 21),
      Self.fault(NotInstalledFault(.phone), "d", at: 11, until: 31),
    ]
    _ = run.run()
    #expect(Self.told(run, .phone) == ["0 link true", "5 disk(isFull: true)", "30 disk(isFull: false)"])
    #expect(Self.told(run, .watch) == ["0 link true", "6 peerInstalled(false)", "31 peerInstalled(true)"])
  }

  @Test func `healing rights clocks, empties disks and wakes sleepers before the run is healed`() {
    var run = StubRun()
    run.faults = [
      Self.fault(SuspendFault(.phone), "s", at: 2), Self.fault(DiskFullFault(.watch), "d", at: 3),
      Self.fault(ClockSkewFault(.phone, offset: .seconds(1)), "c", at: 4),
    ]
    let outcome = run.run()
    #expect(
      Self.words(outcome, Self.lives.union(["fault.end", "healed"])).suffix(5) == [
        "10 node.resumed phone ended", "10 fault.end s suspend", "10 fault.end d diskFull", "10 fault.end c clockSkew",
        "10 healed",
      ])
    #expect(Self.told(run, .phone).suffix(2) == ["10 resumed", "10 clock(offset: 0, driftPPM: 0.0)"])
    #expect(Self.told(run, .watch).last == "10 disk(isFull: false)")
  }
}
