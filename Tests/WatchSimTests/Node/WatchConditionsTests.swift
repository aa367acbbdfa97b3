import CoachProtocol
import Link
import Testing
import WatchSim

/// What a device goes through, and what the watch makes of it.
@Suite struct `Watch, conditions` {
  static func pair(_ source: AnyMotionSource, startsAt: VirtualTime? = .start) -> WatchWithPhone {
    WatchWithPhone(WatchRig(source, startsAt: startsAt))
  }

  // MARK: Sleep

  @Test func `a suspended app publishes nothing, and measures what it missed when it resumes`() throws {
    var whole = Self.pair(evenRunner(400))
    whole.drive(through: .at(200))
    var pair = Self.pair(evenRunner(400))
    pair.drive(through: .at(30))
    pair.giveWatch(.condition(.suspended))
    pair.drive(through: .at(60.5))
    #expect(pair.watch.lines("snapshot").last?.time == .at(30))
    pair.giveWatch(.condition(.resumed))
    pair.drive(through: .at(60.5))
    #expect(pair.watch.lines("snapshot").last?.time == .at(60.5))
    #expect(pair.watch.lines("snapshot").last?["elapsed"]?.double == 57)
    pair.drive(through: .at(200))
    #expect(pair.watch.node?.health.workouts.first?.samples == whole.watch.node?.health.workouts.first?.samples)
    #expect(pair.events.map(\.kind) == [.workoutStarted, .workoutEnded])
  }

  @Test func `what the source did meanwhile is announced when the app resumes, and commands are refused`() {
    var pair = Self.pair(evenRunner(400, stops: [.init(atMeters: 80, forSeconds: 10)]))
    pair.drive(through: .at(20))
    pair.giveWatch(.condition(.suspended))
    pair.drive(through: .at(40))
    pair.giveWatch(.command(NodeCommand("pause")))
    #expect(pair.watch.lines.last?["why"]?.text == "the app sleeps")
    #expect(pair.events.map(\.kind) == [.workoutStarted])
    pair.giveWatch(.condition(.resumed))
    pair.drive(through: .at(41))
    #expect(pair.events.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed])
    let stamps = pair.watch.stamps
    #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `a start that came as a context during suspension is judged on resumption`() {
    for (sleeps, begins) in [(20.0, true), (40, false)] {
      var pair = Self.pair(evenRunner(), startsAt: nil)
      pair.drive(through: .at(1))
      pair.giveWatch(.condition(.suspended))
      let start = AppMessage.startWorkout(
        StartWorkout(
          runId: Identifier(high: 9, low: 9), runType: .outdoor, personality: "roast_coach", mode: .race,
          sentAt: PhoneTime(nanoseconds: WatchWithPhone.phoneClock(pair.now))))
      try? pair.phone { session, turn in
        try session.updateApplicationContext(start.encoded, in: &turn)
      }
      pair.drive(through: .at(1 + sleeps))
      #expect(pair.watch.lines("workout.state").isEmpty)
      pair.giveWatch(.condition(.resumed))
      pair.drive(through: .at(1 + sleeps))
      #expect(!pair.watch.lines("start.accepted").isEmpty == begins)
      #expect(pair.watch.lines("start.declined").first?["reason"]?.text == (begins ? nil : "void"))
    }
  }

  // MARK: What the session refuses

  enum Refusal: CaseIterable {
    case disk, peerInstalled
    var begins: NodeCondition { self == .disk ? .disk(isFull: true) : .peerInstalled(false) }
    var ends: NodeCondition { self == .disk ? .disk(isFull: false) : .peerInstalled(true) }
  }

  @Test(arguments: Refusal.allCases)
  func `events that cannot be queued are announced later, once and in order`(refusal: Refusal) {
    var pair = Self.pair(evenRunner(200, stops: [.init(atMeters: 80, forSeconds: 10)]))
    pair.drive(through: .at(10))
    pair.giveWatch(.condition(refusal.begins))
    pair.drive(through: .at(120))
    #expect(pair.watch.node?.isWorkoutOver == true)
    #expect(pair.watch.lines("health.saved").count == 1)
    #expect(pair.watch.queuedKinds == ["workoutStarted"])
    pair.giveWatch(.condition(refusal.ends))
    pair.drive(through: .at(121))
    #expect(pair.events.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded])
    // They carry the stamps of their snapshots, however late they come.
    let stamps = Set(pair.watch.stamps)
    #expect(pair.events.allSatisfy { stamps.contains($0.eventSentAt?.nanoseconds ?? 0) })
    pair.restartWatch()
    pair.drive(through: .at(140))
    #expect(pair.events.count == 4)
  }

  @Test(arguments: Refusal.allCases)
  func `an app that died with events unannounced announces them when it can`(refusal: Refusal) {
    for isStillOn in [false, true] {
      var pair = Self.pair(evenRunner(200, stops: [.init(atMeters: 80, forSeconds: 10)]))
      pair.drive(through: .at(10))
      pair.giveWatch(.condition(refusal.begins))
      pair.drive(through: .at(30))
      pair.restartWatch(isStillOn ? [refusal.begins] : [])
      pair.drive(through: .at(31))
      #expect(pair.events.count == (isStillOn ? 1 : 2))
      pair.giveWatch(.condition(refusal.ends))
      pair.drive(through: .at(120))
      #expect(pair.events.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded])
    }
  }

  // MARK: Clocks

  @Test func `a clock that is set back changes no duration, and no stamp goes back`() {
    var pair = Self.pair(evenRunner(400))
    pair.drive(through: .at(30.5))
    pair.giveWatch(.condition(.clock(offset: -90_000_000_000, driftPPM: 40)))
    pair.drive(through: .at(150))
    let said = pair.watch.lines("snapshot")
    #expect(
      said.filter { $0.time > .at(31) && $0.time < .at(100) }.allSatisfy { $0.time.nanoseconds % 1_000_000_000 == 0 })
    #expect(said.first { $0.time == .at(60) }?["elapsed"]?.double == 57)
    let stamps = pair.watch.stamps
    #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
    // One nanosecond a word, until the clock has come as far again.
    let at31 = said.first { $0.time == .at(31) }?["sentAt"]?.integer ?? 0
    #expect(said.first { $0.time == .at(41) }?["sentAt"]?.integer == at31 + 10)
  }

  // MARK: Probes

  @Test func `queued probes are handled, others are set aside, and a probe that wants a reply is answered`() throws {
    var pair = Self.pair(evenRunner())
    pair.drive(through: .at(1))
    let probe = AppMessage.probe(Probe(number: 3, filler: [1, 2, 3]))
    try pair.phone { session, turn in
      try session.transferUserInfo(probe.encoded, details: .init(), in: &turn)
      try session.transferUserInfo(
        AppMessage.workoutPaused(.init(workoutId: Identifier(high: 1, low: 1), sentAt: WatchTime(nanoseconds: 1)))
          .encoded, details: .init(), in: &turn)
      try session.transferUserInfo([1, 2, 3], details: .init(), in: &turn)
      try session.transferComplicationUserInfo(
        probe.encoded, clock: WatchWithPhone.phoneClock(turn.now), details: .init(), in: &turn)
      session.sendMessage(probe.encoded, kind: "probe", wantsReply: true, in: &turn)
    }
    pair.drive(through: .at(5))
    let delivered = pair.watch.lines("transfer.delivered")
    #expect(delivered.count == 2 && delivered.allSatisfy { $0["kind"]?.text == "probe" })
    #expect(delivered.compactMap { $0["complication"]?.boolean } == [true])
    #expect(pair.watch.lines("transfer.setAside").count == 2)
    #expect(pair.watch.lines("payload.undecodable").count == 1)
    #expect(pair.replies == [AppMessage.probe(Probe(number: 3)).encoded])
  }

  @Test func `commands drive the watch's own channels`() {
    var pair = Self.pair(evenRunner())
    pair.drive(through: .at(1))
    pair.giveWatch(.command(NodeCommand("transferUserInfo", arguments: #"{"count":3,"bytes":200}"#)))
    pair.giveWatch(.command(NodeCommand("transferFile", arguments: #"{"bytes":40000}"#)))
    pair.giveWatch(.command(NodeCommand("transferUserInfo", arguments: #"{"count":"three"}"#)))
    pair.drive(through: .at(20))
    #expect(pair.events.filter { $0.kind == .probe }.count == 3)
    #expect(pair.files.map(\.byteCount) == [40_000])
    #expect(pair.watch.lines("command.refused").count == 1)
  }
}
