import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// The phone's end of the start handshake, moment by moment.
@Suite struct `The phone's start handshake` {
  private static let run = Identifier(high: 1, low: 1)
  private static let other = Identifier(high: 2, low: 2)

  private static func at(_ seconds: Double) -> VirtualTime { VirtualTime(nanoseconds: Int64(seconds * 1e9)) }

  /// A phone that asked at second 5.
  private static func asking() -> PhoneStartHandshake {
    var start = PhoneStartHandshake()
    #expect(start.start(run, at: at(5)) == [.ask(run, attempt: 1)])
    return start
  }

  /// A phone that gave its start up at second 25.
  private static func givenUp() -> PhoneStartHandshake {
    var start = asking()
    _ = start.fire(at: at(15))
    _ = start.fire(at: at(25))
    return start
  }

  @Test func `without an answer it asks once more after ten seconds, and gives up after ten more`() {
    var start = Self.asking()
    #expect(start.nextDeadline == Self.at(15))
    #expect(start.fire(at: Self.at(14.999)) == [])
    #expect(start.fire(at: Self.at(15)) == [.ask(Self.run, attempt: 2)])
    #expect(start.nextDeadline == Self.at(25))
    #expect(start.fire(at: Self.at(24.999)) == [])
    #expect(
      start.fire(at: Self.at(25)) == [.failed(Self.run, why: "no answer"), .cancel(Self.run), .track(Self.run)])
    #expect(start.nextDeadline == nil)
    #expect(start.fire(at: Self.at(99)) == [])
  }

  @Test(arguments: ["startAck", "snapshot", "workoutStarted"])
  func `any message of the watch about the run is an answer, and ends the wait`(word: String) {
    for isAskedTwice in [false, true] {
      var start = Self.asking()
      if isAskedTwice { _ = start.fire(at: Self.at(15)) }
      #expect(start.handleMessage(word, of: Self.other, saysEnded: false, at: Self.at(16)) == [])
      #expect(
        start.handleMessage(word, of: Self.run, saysEnded: false, at: Self.at(16)) == [
          .acknowledged(Self.run, word: word)
        ])
      #expect(start.nextDeadline == nil)
      #expect(start.handleMessage("startAck", of: Self.run, saysEnded: false, at: Self.at(17)) == [])
      #expect(!start.isListening)
    }
  }

  @Test func `a start that is declined is taken back, and tracked here unless the watch tracks another`() {
    for reason in StartDeclined.Reason.allCases {
      var start = Self.asking()
      #expect(start.handleDecline(Self.other, reason, at: Self.at(6)) == [])
      var wanted: [StartEffect] = [.declined(Self.run, reason), .cancel(Self.run)]
      if reason != .alreadyRunning { wanted.append(.track(Self.run)) }
      #expect(start.handleDecline(Self.run, reason, at: Self.at(6)) == wanted)
      #expect(start.nextDeadline == nil)
      #expect(start.handleDecline(Self.run, reason, at: Self.at(7)) == [])
    }
  }

  @Test func `a phone that was away asks when it is back, and gives up after 20 s`() {
    var start = Self.asking()
    #expect(start.fire(at: Self.at(24.9)) == [.ask(Self.run, attempt: 2)])
    #expect(start.nextDeadline == Self.at(34.9))
    var late = Self.asking()
    #expect(
      late.fire(at: Self.at(25)) == [.failed(Self.run, why: "the phone was away"), .cancel(Self.run), .track(Self.run)])
  }

  @Test func `a late message repeats the order, at the first one and then at most every ten seconds`() {
    var start = Self.givenUp()
    #expect(start.isListening)
    #expect(
      start.handleMessage("startAck", of: Self.run, saysEnded: false, at: Self.at(26)) == [
        .late(Self.run, word: "startAck")
      ])
    #expect(start.handleMessage("snapshot", of: Self.run, saysEnded: false, at: Self.at(35.9)) == [])
    #expect(
      start.handleMessage("snapshot", of: Self.run, saysEnded: false, at: Self.at(36))
        == [.late(Self.run, word: "snapshot"), .end(Self.run)])
    #expect(start.handleMessage("snapshot", of: Self.other, saysEnded: false, at: Self.at(50)) == [])
    #expect(start.handleMessage("snapshot", of: Self.run, saysEnded: true, at: Self.at(50)) == [])
    #expect(!start.isListening)
    #expect(start.handleMessage("workoutStarted", of: Self.run, saysEnded: false, at: Self.at(70)) == [])
  }

  @Test func `an end is repeated at every opportunity until the run has ended`() {
    var start = PhoneStartHandshake()
    #expect(start.end(Self.run, at: Self.at(5)) == [.end(Self.run)])
    #expect(start.handleMessage("snapshot", of: Self.run, saysEnded: false, at: Self.at(14)) == [])
    #expect(start.handleMessage("snapshot", of: Self.run, saysEnded: false, at: Self.at(15)) == [.end(Self.run)])
    #expect(start.handleReachable(at: Self.at(16)) == [.end(Self.run)])
    #expect(start.handleMessage("snapshot", of: Self.run, saysEnded: true, at: Self.at(17)) == [])
    #expect(start.handleReachable(at: Self.at(30)) == [])
    #expect(!start.isListening)
  }

  @Test func `what is taken back before an answer is given up`() {
    var start = Self.asking()
    #expect(start.cancel(at: Self.at(8)) == [.cancel(Self.run)])
    #expect(start.cancel(at: Self.at(8)) == [])
    #expect(start.nextDeadline == nil)
    #expect(
      start.handleMessage("startAck", of: Self.run, saysEnded: false, at: Self.at(9)) == [
        .late(Self.run, word: "startAck")
      ])
  }

  @Test func `the number of remembered runs is bounded`() {
    var start = Self.givenUp()
    for number in 0..<UInt64(PhoneStartHandshake.runsMax) {
      #expect(start.remembers(Self.run))
      _ = start.end(Identifier(high: 9, low: number), at: Self.at(30))
    }
    #expect(!start.remembers(Self.run))
    #expect(start.runs.count == PhoneStartHandshake.runsMax)
  }

  @Test func `what a store keeps of it is all of it`() throws {
    var records: [ConsumerRecord] = []
    func add(_ start: PhoneStartHandshake, _ belief: RunBelief = RunBelief()) {
      var record = ConsumerRecord(startedAt: .start)
      record.start = start
      record.belief = belief
      records.append(record)
    }
    add(PhoneStartHandshake())
    add(Self.asking())
    add(Self.givenUp())
    var tracking = Self.givenUp()
    tracking.track(Self.run, at: Self.at(25))
    var belief = RunBelief()
    belief.startWorkout(runId: Self.run) { _ in }
    belief.withdraw(Self.run)
    belief.trackOnPhone(Self.run) { _ in }
    add(tracking, belief)
    _ = tracking.handleMessage("snapshot", of: Self.run, saysEnded: false, at: Self.at(40))
    tracking.endTracker(at: Self.at(50))
    belief.endOnPhone(Self.run) { _ in }
    add(tracking, belief)
    for record in records {
      var read = ConsumerRecord(startedAt: .start)
      try read.readBelief(record.beliefText)
      #expect(read == record)
      #expect(read.start.isListening == record.start.isListening)
    }
    #expect(records[0].beliefText == "{}")
  }

  @Test(arguments: [
    #"{"start":{"count":-1}}"#, #"{"start":{}}"#, #"{"start":{"count":1,"asking":{"runId":"x"}}}"#,
    #"{"start":{"count":1,"runs":[{"runId":"00000000-0000-4000-8000-000000000001","fate":"lost"}]}}"#,
    #"{"start":[]}"#, #"{"begin":1}"#,
  ])
  func `a damaged store says so`(text: String) {
    var record = ConsumerRecord(startedAt: .start)
    #expect(throws: Diagnostics.self) { try record.readBelief(text) }
  }
}
