import CoachProtocol
import Link
import Testing
@testable import WatchSim

@Suite struct `Start handshake` {
  static let run = Identifier(high: 1, low: 1)
  static let other = Identifier(high: 2, low: 2)
  static let noon: Int64 = 1_776_000_000_000_000_000

  /// A start that was said at `noon`, by the phone's clock.
  static let start = StartWorkout(
    runId: run, runType: .outdoor, personality: "roast_coach", mode: .race, sentAt: PhoneTime(nanoseconds: noon))

  func situation(
    _ workoutId: Identifier? = nil, secondsLater: Double = 0, isAuthorised: Bool = true
  ) -> WatchStartHandshake.Situation {
    WatchStartHandshake.Situation(
      workoutId: workoutId, isAuthorised: isAuthorised,
      phoneClock: PhoneTime(nanoseconds: Self.noon + Int64(secondsLater * 1e9)))
  }

  let begun: [WatchStartHandshake.Effect] = [
    .begin(start), .accepted(runId: run), .reply(.startAck(.init(runId: run))),
  ]
  /// What a start comes to that never began, and was not declined before.
  func declined(_ reason: StartDeclined.Reason) -> [WatchStartHandshake.Effect] {
    [.settled(runId: Self.run)] + declinedAgain(reason)
  }
  /// The same for a run that is settled.
  func declinedAgain(_ reason: StartDeclined.Reason) -> [WatchStartHandshake.Effect] {
    [.declined(runId: Self.run, reason), .reply(.startDeclined(.init(runId: Self.run, reason: reason)))]
  }

  @Test func `a start is begun and acknowledged at once`() {
    var handshake = WatchStartHandshake()
    #expect(handshake.receive(.startWorkout(Self.start), in: situation()) == begun)
  }

  @Test func `a start for the run that is on changes nothing and is acknowledged again, at any age`() {
    var handshake = WatchStartHandshake()
    for age in [0.0, 31, 3_600] {
      let effects = handshake.receive(.startWorkout(Self.start), in: situation(Self.run, secondsLater: age))
      #expect(effects == [.accepted(runId: Self.run), .reply(.startAck(.init(runId: Self.run)))])
    }
  }

  @Test func `a start while another workout is on is declined`() {
    var handshake = WatchStartHandshake()
    #expect(handshake.receive(.startWorkout(Self.start), in: situation(Self.other)) == declined(.alreadyRunning))
  }

  @Test func `a start without the user's permission is declined`() {
    var handshake = WatchStartHandshake()
    #expect(
      handshake.receive(.startWorkout(Self.start), in: situation(isAuthorised: false)) == declined(.notAuthorised))
  }

  @Test func `a start is void thirty seconds after it was said`() {
    var handshake = WatchStartHandshake()
    #expect(handshake.receive(.startWorkout(Self.start), in: situation(secondsLater: 30)) == begun)
    #expect(handshake.receive(.startWorkout(Self.start), in: situation(secondsLater: 30.001)) == declined(.void))
  }

  @Test func `a time from the end of the world neither crashes nor starts a run`() {
    var handshake = WatchStartHandshake()
    var start = Self.start
    start.sentAt = PhoneTime(nanoseconds: .min)
    #expect(handshake.receive(.startWorkout(start), in: situation()) == declined(.void))
    start.sentAt = PhoneTime(nanoseconds: .max)
    var situation = situation()
    situation.phoneClock = PhoneTime(nanoseconds: .min)
    _ = handshake.receive(.startWorkout(start), in: situation)
  }

  @Test func `a start that is taken back ends and discards its run, and does not begin again`() {
    var handshake = WatchStartHandshake()
    #expect(handshake.receive(.startWorkout(Self.start), in: situation()) == begun)
    let cancel = AppMessage.cancelStart(.init(runId: Self.run))
    #expect(
      handshake.receive(cancel, in: situation(Self.run)) == [.settled(runId: Self.run), .end(isDiscarding: true)])
    #expect(handshake.receive(.startWorkout(Self.start), in: situation()) == declinedAgain(.void))
  }

  @Test func `taking back what never came, or another run, ends nothing`() {
    var handshake = WatchStartHandshake()
    let cancel = AppMessage.cancelStart(.init(runId: Self.run))
    #expect(handshake.receive(cancel, in: situation()) == [.settled(runId: Self.run)])
    #expect(handshake.receive(cancel, in: situation(Self.other)).isEmpty)
    // The start comes after its own cancellation.
    #expect(handshake.receive(.startWorkout(Self.start), in: situation()) == declinedAgain(.void))
  }

  @Test func `a late copy of a start does not begin a run that has ended`() {
    var handshake = WatchStartHandshake()
    let isNew = [handshake.settle(Self.run), handshake.settle(Self.run)]
    #expect(isNew == [true, false])
    #expect(handshake.receive(.startWorkout(Self.start), in: situation(secondsLater: 5)) == declinedAgain(.void))
  }

  @Test(arguments: StartDeclined.Reason.allCases)
  func `a start that was declined begins nothing later, whatever the clocks say by then`(
    reason: StartDeclined.Reason
  ) {
    var handshake = WatchStartHandshake()
    let start = AppMessage.startWorkout(Self.start)
    let before =
      switch reason {
      case .alreadyRunning: situation(Self.other)
      case .notAuthorised: situation(isAuthorised: false)
      case .void: situation(secondsLater: 31)
      }
    #expect(handshake.receive(start, in: before) == declined(reason))
    // Young, of no age at all, and said in a time to come, as after a clock was set back.
    for age in [5.0, 0, -1_800] {
      #expect(handshake.receive(start, in: situation(secondsLater: age)) == declinedAgain(.void), "\(age)")
    }
    // The phone asks once more where the answer was lost, with a new stamp.
    var second = Self.start
    second.sentAt = PhoneTime(nanoseconds: Self.noon + 10_000_000_000)
    #expect(handshake.receive(.startWorkout(second), in: situation(secondsLater: 10)) == declinedAgain(.void))
    // Another run is not meant.
    var next = Self.start
    next.runId = Self.other
    #expect(handshake.receive(.startWorkout(next), in: situation()).first == .begin(next))
  }

  @Test func `a declined start is declined again for the current obstacle`() {
    var handshake = WatchStartHandshake()
    let start = AppMessage.startWorkout(Self.start)
    #expect(handshake.receive(start, in: situation(Self.other)) == declined(.alreadyRunning))
    // Where the answer was lost: that another run is on is what the phone must hear.
    #expect(handshake.receive(start, in: situation(Self.other, secondsLater: 10)) == declinedAgain(.alreadyRunning))
    #expect(handshake.receive(start, in: situation(isAuthorised: false)) == declinedAgain(.notAuthorised))
    #expect(handshake.receive(start, in: situation(Self.other, secondsLater: 31)) == declinedAgain(.void))
    #expect(handshake.receive(start, in: situation()) == declinedAgain(.void))
  }

  @Test func `declined runs are remembered to a bound, the latest of them`() {
    var handshake = WatchStartHandshake()
    var settledCount = 0
    for number in 0..<10_000 as Range<UInt64> {
      var start = Self.start
      start.runId = Identifier(high: 9, low: number)
      let effects = handshake.receive(.startWorkout(start), in: situation(secondsLater: 31))
      if effects.first == .settled(runId: start.runId) { settledCount += 1 }
    }
    #expect(settledCount == 10_000)
    #expect("\(handshake)".utf8.count < 64 * 200)
    var last = Self.start
    last.runId = Identifier(high: 9, low: 9_999)
    let effects = handshake.receive(.startWorkout(last), in: situation())
    #expect(effects.first == .declined(runId: last.runId, .void))
  }

  @Test func `ended runs are remembered to a bound`() {
    var handshake = WatchStartHandshake()
    for number in 0..<10_000 as Range<UInt64> { _ = handshake.settle(Identifier(high: 9, low: number)) }
    _ = handshake.settle(Self.run)
    #expect(handshake.receive(.startWorkout(Self.start), in: situation()) == declinedAgain(.void))
    #expect("\(handshake)".utf8.count < 64 * 200)
  }

  @Test func `endWorkout ends the workout that is on`() {
    var handshake = WatchStartHandshake()
    #expect(handshake.receive(.endWorkout(.init()), in: situation(Self.run)) == [.end(isDiscarding: false)])
    let named = AppMessage.endWorkout(.init(workoutId: Self.run))
    #expect(handshake.receive(named, in: situation(Self.run)) == [.end(isDiscarding: false)])
    #expect(
      handshake.receive(named, in: situation(Self.other))
        == [.refused(kind: "endWorkout", why: "another workout is on")])
    #expect(handshake.receive(named, in: situation()) == [.refused(kind: "endWorkout", why: "no workout is on")])
  }

  @Test(arguments: HapticCue.Kind.allCases)
  func `a haptic is felt for ten seconds, and void from then on`(kind: HapticCue.Kind) {
    var handshake = WatchStartHandshake()
    let sentAt = PhoneTime(nanoseconds: Self.noon)
    let cue = AppMessage.hapticCue(HapticCue(kind, sentAt: sentAt))
    #expect(
      handshake.receive(cue, in: situation(secondsLater: 10)) == [.haptic(kind: kind.rawValue, message: nil)])
    #expect(
      handshake.receive(cue, in: situation(secondsLater: 10.001)) == [.hapticVoid(kind: kind.rawValue, sentAt: sentAt)])
  }

  @Test func `a watch that is looked for taps, unless the call is old`() {
    var handshake = WatchStartHandshake()
    let sentAt = PhoneTime(nanoseconds: Self.noon)
    let call = AppMessage.findWatch(FindWatch(sentAt: sentAt))
    #expect(handshake.receive(call, in: situation(secondsLater: 9)) == [.haptic(kind: "findWatch", message: nil)])
    #expect(
      handshake.receive(call, in: situation(secondsLater: 11)) == [.hapticVoid(kind: "findWatch", sentAt: sentAt)])
  }

  @Test func `a line that is spoken shows a badge and taps`() {
    var handshake = WatchStartHandshake()
    let notice = AppMessage.companionMessageDispatched(
      .init(messageId: "km1", sentAt: PhoneTime(nanoseconds: Self.noon)))
    #expect(
      handshake.receive(notice, in: situation())
        == [.haptic(kind: "companionMessageDispatched", message: "km1")])
  }

  @Test func `what is no command to the watch is refused`() {
    var handshake = WatchStartHandshake()
    let ended = AppMessage.workoutEnded(
      .init(workoutId: Self.run, healthKitWorkoutUUID: nil, sentAt: WatchTime(nanoseconds: 1)))
    #expect(
      handshake.receive(ended, in: situation(Self.run))
        == [.refused(kind: "workoutEnded", why: "not a command to the watch")])
    #expect(
      handshake.receive(.startAck(.init(runId: Self.run)), in: situation())
        == [.refused(kind: "startAck", why: "not a command to the watch")])
  }
}
