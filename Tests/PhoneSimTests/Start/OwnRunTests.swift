import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// What is believed of a run that the phone asked for and the watch did not begin.
@Suite struct `A run of the phone's own` {
  private let a = Workouts.a
  private let b = Workouts.b

  /// A belief in which the phone tracks `a`, and what was decided on the way.
  private func tracking(after words: RunUpdate...) -> (belief: RunBelief, decisions: [RunDecision]) {
    var belief = RunBelief()
    for word in words { _ = belief.take(word) }
    _ = belief.take(.startWorkout(a))
    belief.withdraw(a)
    var decisions: [RunDecision] = []
    belief.trackOnPhone(a) { decisions.append($0) }
    return (belief, decisions)
  }

  @Test func `is believed to be running by command, and ended by command`() {
    var (belief, decisions) = tracking()
    #expect(decisions == [.state(workoutId: a, from: .preparing, to: .running, cause: .command, sentAt: nil)])
    #expect(belief.state == .running && belief.isOn)
    decisions = []
    belief.endOnPhone(b) { decisions.append($0) }
    #expect(decisions == [])
    belief.endOnPhone(a) { decisions.append($0) }
    #expect(decisions == [.state(workoutId: a, from: .running, to: .ended, cause: .command, sentAt: nil)])
    #expect(belief.state == .ended && !belief.isOn && belief.workoutId == a)
    belief.endOnPhone(a) { decisions.append($0) }
    #expect(decisions.count == 1)
  }

  @Test func `ignores messages of the watch, which only gets the cancelled start`() {
    var (belief, _) = tracking()
    for word in [
      RunUpdate.snapshot(.preparing, a, at: 5), .started(a, at: 6), .paused(a, at: 7), .snapshot(.ended, a, at: 8),
      .ended(a, at: 8),
    ] {
      let hasRow = word.kind == .workoutStarted || word.kind == .workoutEnded
      #expect(
        belief.take(word) == [.refused(workoutId: a, why: .givenUp, sentAt: word.sentAt)]
          + (hasRow ? [.recorded(word)] : []))
    }
    #expect(belief.state == .running)
  }

  @Test func `refuses another workout while it is on, and lets a later start open one after it`() {
    var (belief, _) = tracking(after: .started(b, at: 1), .ended(b, at: 4))
    let c = Workouts.c
    #expect(
      belief.take(.started(c, at: 9))
        == [.refused(workoutId: c, why: .anotherIsOn, sentAt: watchTime(9)), .recorded(.started(c, at: 9))])
    belief.endOnPhone(a) { _ in }
    #expect(
      belief.take(.snapshot(.running, c, at: 19)) == [.refused(workoutId: c, why: .notAStart, sentAt: watchTime(19))])
    #expect(belief.take(.started(c, at: 21)).first == .opened(workoutId: c, sentAt: watchTime(21)))
    #expect(belief.workoutId == c)
  }

  @Test func `after it, without any run before it, only a start opens one`() {
    var (belief, _) = tracking()
    belief.endOnPhone(a) { _ in }
    #expect(
      belief.take(.snapshot(.running, b, at: 3)) == [.refused(workoutId: b, why: .notAStart, sentAt: watchTime(3))])
    #expect(belief.take(.started(b, at: 4)).first == .opened(workoutId: b, sentAt: watchTime(4)))
  }

  @Test func `is not begun where the watch's word came first`() {
    var belief = RunBelief()
    _ = belief.take(.startWorkout(a))
    _ = belief.take(.snapshot(.preparing, a, at: 2))
    belief.trackOnPhone(a) { _ in Issue.record("the watch has it") }
    belief.endOnPhone(a) { _ in Issue.record("the watch has it") }
    #expect(belief.state == .preparing && belief.isOn)
  }

  @Test func `a start while it is on changes nothing, and a later one starts another run`() {
    var (belief, _) = tracking()
    #expect(belief.take(.startWorkout(b)) == [])
    #expect(belief.workoutId == a)
    belief.endOnPhone(a) { _ in }
    #expect(belief.take(.startWorkout(a)) == [])
    #expect(
      belief.take(.startWorkout(b))
        == [.state(workoutId: b, from: nil, to: .preparing, cause: .command, sentAt: nil)])
  }

  @Test func `the number of remembered given-up starts is bounded`() {
    var belief = RunBelief()
    for number in 0..<UInt64(RunBelief.withdrawnMax + 5) { belief.withdraw(Identifier(high: 7, low: number)) }
    #expect(belief.withdrawn.count == RunBelief.withdrawnMax)
    #expect(belief.withdrawn.first == Identifier(high: 7, low: 5))
  }
}
