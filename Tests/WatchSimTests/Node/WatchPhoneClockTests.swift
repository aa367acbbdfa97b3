import CoachProtocol
import Link
import Testing

@testable import WatchSim

/// By which clock the watch judges how old a command is.
@Suite struct `Watch, the phone's clock` {
  static let second: Int64 = 1_000_000_000
  /// By how many seconds a clock is wrong.
  static let offsets: [Int64] = [0, -1_800, 1_800]

  static func clock(_ seconds: Int64, driftPPM: Double = 0) -> NodeCondition {
    .clock(offset: seconds * second, driftPPM: driftPPM)
  }

  /// A start that was said `age` seconds ago.
  static func start(_ pair: WatchWithPhone, age: Int64, run: Identifier = Identifier(high: 9, low: 1)) -> AppMessage {
    .startWorkout(
      StartWorkout(
        runId: run, runType: .outdoor, personality: "roast_coach", mode: .race,
        sentAt: PhoneTime(nanoseconds: pair.phoneClock - age * second)))
  }

  static func sendContext(_ message: AppMessage, _ pair: inout WatchWithPhone) throws {
    try pair.phone { session, turn in
      try session.updateApplicationContext(message.encoded, in: &turn)
    }
  }

  /// Whether taps of 9 s and of 11 s are distinguished.
  static func judgesRight(_ pair: inout WatchWithPhone) -> Bool {
    let before = (pair.watch.lines("haptic").count, pair.watch.lines("haptic.void").count)
    for age in [9, 11] {
      let sentAt = PhoneTime(nanoseconds: pair.phoneClock - Int64(age) * second)
      pair.send(.hapticCue(.init(.kmMilestone, sentAt: sentAt)))
    }
    pair.drive(through: pair.now + .milliseconds(500))
    return pair.watch.lines("haptic").count == before.0 + 1 && pair.watch.lines("haptic.void").count == before.1 + 1
  }

  /// Sets the watch's clock, as the conductor does at a start: a clock that is right is not told.
  static func conditions(_ seconds: Int64) -> [NodeCondition] { seconds == 0 ? [] : [clock(seconds)] }

  @Test(arguments: offsets, offsets)
  func `a clock that is wrong before the hello, or after it, changes no age`(before: Int64, after: Int64) {
    var pair = `Watch, conditions`.pair(evenRunner(), startsAt: nil)
    pair.giveWatch(.condition(Self.clock(before)))
    pair.drive(through: .at(1))
    #expect(Self.judgesRight(&pair))
    pair.giveWatch(.condition(Self.clock(after)))
    #expect(Self.judgesRight(&pair))
    pair.giveWatch(.condition(Self.clock(0)))
    #expect(Self.judgesRight(&pair))
    for (age, isVoid) in [(Int64(40), true), (20, false)] {
      pair.send(Self.start(pair, age: age, run: Identifier(high: 9, low: UInt64(age))))
      pair.drive(through: pair.now + .seconds(1))
      #expect(pair.watch.lines("start.declined").count == 1, "\(age)")
      #expect(pair.watch.lines("start.accepted").isEmpty == isVoid, "\(age)")
    }
  }

  /// The clock at the hello, then until the app dies, then from its next start on: a skew that begins before the hello
  /// or after it, ends or begins while the app is down, or lasts.
  @Test(arguments: offsets.flatMap { hello in offsets.flatMap { later in offsets.map { [hello, later, $0] } } })
  func `a restarted app judges correctly before the next hello, whatever its clock`(clock: [Int64])
    throws
  {
    for (age, isVoid) in [(Int64(1), false), (28, false), (40, true), (1_900, true)] {
      var pair = `Watch, conditions`.pair(evenRunner(), startsAt: nil)
      for condition in Self.conditions(clock[0]) { pair.giveWatch(.condition(condition)) }
      pair.drive(through: .at(1))
      if clock[1] != clock[0] { pair.giveWatch(.condition(Self.clock(clock[1]))) }
      // The context of the start arrives, and the app dies before it has seen it.
      try Self.sendContext(Self.start(pair, age: age), &pair)
      pair.watch.armed = .contextCommitted
      pair.drive(through: .at(2))
      #expect(pair.watch.node == nil)
      pair.link(isUp: false)
      // Two starts in a row: none counts anything once more.
      pair.watch.start(at: pair.now, Self.conditions(clock[2]))
      pair.restartWatch(Self.conditions(clock[2]))
      #expect(pair.watch.lines("start.declined").isEmpty == !isVoid, "\(age)")
      #expect(pair.watch.lines("start.accepted").isEmpty == isVoid, "\(age)")
      let phoneClock = try #require(pair.watch.store.record.phoneClock?.reading(at: pair.now).nanoseconds)
      // The hello was under way for so long.
      #expect(pair.phoneClock - phoneClock == WatchWithPhone.latency.nanoseconds)
      pair.link(isUp: true)
      pair.drive(through: .at(3))
      #expect(Self.judgesRight(&pair))
    }
  }

  @Test(arguments: [-400_000.0, 400_000])
  func `a clock that drifted, and was set right, has changed no age`(driftPPM: Double) {
    var pair = `Watch, conditions`.pair(evenRunner(), startsAt: nil)
    pair.drive(through: .at(1))
    pair.giveWatch(.condition(Self.clock(0, driftPPM: driftPPM)))
    pair.drive(through: .at(200))
    #expect(Self.judgesRight(&pair))
    pair.giveWatch(.condition(Self.clock(0)))
    #expect(Self.judgesRight(&pair))
  }

  @Test(arguments: [-1_800, 1_800] as [Int64])
  func `a phone's clock that is wrong at the hello changes no age, one that is set later does until the next`(
    seconds: Int64
  ) {
    var wrong = WatchWithPhone(WatchRig(evenRunner(), startsAt: nil), phoneOffset: seconds * Self.second)
    wrong.drive(through: .at(1))
    #expect(Self.judgesRight(&wrong))
    wrong.link(isUp: false)
    wrong.restartWatch(Self.conditions(-seconds))
    wrong.link(isUp: true)
    wrong.drive(through: .at(2))
    #expect(Self.judgesRight(&wrong))

    var set = `Watch, conditions`.pair(evenRunner(), startsAt: nil)
    set.drive(through: .at(1))
    set.phoneOffset = seconds * Self.second
    #expect(!Self.judgesRight(&set))
    set.restartPhone()
    set.drive(through: .at(3))
    #expect(Self.judgesRight(&set))
  }

  @Test func `a phone that never said hello is believed to go by the watch's clock`() throws {
    var rig = WatchRig(evenRunner(), startsAt: nil)
    rig.give(.condition(Self.clock(90)), at: .at(1))
    #expect(rig.store.record.phoneClock == nil)
    var turn = Turn(isRecording: true)
    var node = try #require(rig.node)
    for (age, name) in [(Int64(9), "haptic"), (11, "haptic.void")] {
      turn.items.removeAll()
      let sentAt = PhoneTime(nanoseconds: WatchRig.startedAt + (91 - age) * Self.second)
      turn.now = .at(1)
      node.obey(.hapticCue(.init(.kmMilestone, sentAt: sentAt)), in: &turn)
      let names = turn.items.compactMap { if case .event(let event) = $0 { event.name.text } else { nil } }
      #expect(names == [name])
    }
  }

  @Test func `a hello from the end of the world is held within bounds`() {
    typealias Case = (difference: Int64, watchClock: Int64, startedAt: Int64)
    let cases: [Case] = [
      (.max, 5, .max - Self.second), (.min, -5, .min), (.min, 5, .min), (1 << 62, .max, .max - Self.second),
      (-Self.second, 5 * Self.second, 3 * Self.second),
    ]
    for (difference, watchClock, startedAt) in cases {
      let clock = PhoneClockEstimate(difference: difference, watchClock: watchClock, at: .at(1))
      #expect(clock.startedAt.nanoseconds == startedAt)
      #expect(clock.reading(at: .distantFuture) >= clock.startedAt)
    }
  }

  @Test(arguments: [true, false])
  func `what was taken back outlives the app`(isTakenBack: Bool) throws {
    var pair = `Watch, conditions`.pair(evenRunner(), startsAt: nil)
    pair.drive(through: .at(1))
    let taken = Identifier(high: 9, low: 1)
    if isTakenBack { pair.send(.cancelStart(CancelStart(runId: taken))) }
    pair.drive(through: .at(2))
    try Self.sendContext(Self.start(pair, age: 0, run: taken), &pair)
    pair.watch.armed = .contextCommitted
    pair.drive(through: .at(3))
    #expect(pair.watch.node == nil)
    pair.link(isUp: false)
    pair.restartWatch()
    pair.drive(through: .at(4))
    // Nothing but the store knows that this run was taken back.
    #expect(pair.watch.lines("start.declined").map { $0["runId"] } == (isTakenBack ? [taken.traceValue] : []))
    #expect(pair.watch.lines("workout.state").isEmpty == isTakenBack)
  }

  @Test func `a start that was declined is declined by the next start of the app, too, though it is young again`()
    throws
  {
    var pair = WatchWithPhone(WatchRig(evenRunner(), startsAt: nil), phoneOffset: 1_800 * Self.second)
    pair.drive(through: .at(1))
    let run = Identifier(high: 9, low: 1)
    try Self.sendContext(Self.start(pair, age: 40, run: run), &pair)
    pair.drive(through: .at(2))
    #expect(pair.watch.lines("start.declined").count == 1)
    // The phone's clock is set right, and its next start reports it. A restarted app gets the context again.
    pair.phoneOffset = 0
    pair.restartPhone()
    pair.drive(through: .at(3))
    pair.link(isUp: false)
    pair.restartWatch()
    pair.drive(through: .at(4))
    #expect(pair.watch.lines("start.declined").map { $0["runId"] } == [run.traceValue, run.traceValue])
    #expect(pair.watch.lines("start.declined").allSatisfy { $0["reason"]?.text == "void" })
    #expect(pair.watch.lines("workout.state").isEmpty)
    #expect(pair.watch.store.record.settled.runs == [run])
  }
}
