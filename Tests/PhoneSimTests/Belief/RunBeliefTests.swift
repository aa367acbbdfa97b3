import CoachProtocol
import Link
import PhoneSim
import Testing

/// The rules about the belief, one by one.
@Suite struct RunBeliefTests {
  private let a = Workouts.a
  private let b = Workouts.b
  private let c = Workouts.c

  // MARK: The newest message

  @Test func `a newer word replaces the belief`() {
    var belief = RunBelief(after: .started(at: 1))
    #expect(
      belief.take(.paused(at: 5))
        == [.state(workoutId: a, from: .running, to: .paused, cause: .event, sentAt: watchTime(5))])
    #expect(
      belief.take(.snapshot(.running, at: 8))
        == [.state(workoutId: a, from: .paused, to: .running, cause: .snapshot, sentAt: watchTime(8))])
  }

  @Test func `a newer word that says the same is not recorded, but counts as the newest`() {
    var belief = RunBelief(after: .started(at: 1))
    #expect(belief.take(.snapshot(.running, at: 6)).isEmpty)
    #expect(
      belief.take(.paused(at: 5)) == [.history(workoutId: a, kind: .workoutPaused, sentAt: watchTime(5), why: .late)])
    #expect(belief.state == .running)
  }

  @Test func `an older snapshot changes nothing and leaves no line`() {
    var belief = RunBelief(after: .paused(at: 5))
    let before = belief
    #expect(belief.take(.snapshot(.running, at: 4)).isEmpty)
    #expect(belief == before)
  }

  @Test func `an older event changes nothing but the run's history, which has its own time`() {
    var belief = RunBelief(after: .started(at: 1), .snapshot(.running, at: 9))
    let before = belief
    #expect(
      belief.take(.paused(at: 3)) == [.history(workoutId: a, kind: .workoutPaused, sentAt: watchTime(3), why: .late)])
    #expect(belief == before)
  }

  @Test func `at equal times an event beats a snapshot that came before it`() {
    var belief = RunBelief(after: .snapshot(.running, at: 5))
    #expect(
      belief.take(.paused(at: 5))
        == [.state(workoutId: a, from: .running, to: .paused, cause: .event, sentAt: watchTime(5))])
  }

  @Test func `at equal times an event beats a snapshot that comes after it`() {
    var belief = RunBelief(after: .paused(at: 5))
    #expect(belief.take(.snapshot(.running, at: 5)).isEmpty)
    #expect(belief.state == .paused)
  }

  @Test func `an event that announces what its snapshot reported is neither late nor a change`() {
    var belief = RunBelief(after: .started(at: 1), .snapshot(.paused, at: 5))
    #expect(belief.take(.paused(at: 5)).isEmpty)
  }

  @Test func `the same event again is history and has no second effect`() {
    var belief = RunBelief(after: .started(at: 1), .paused(at: 5))
    let before = belief
    #expect(
      belief.take(.paused(at: 5))
        == [.history(workoutId: a, kind: .workoutPaused, sentAt: watchTime(5), why: .doubled)])
    #expect(
      belief.take(.started(at: 1))
        == [.history(workoutId: a, kind: .workoutStarted, sentAt: watchTime(1), why: .late)])
    #expect(belief == before)
  }

  // MARK: Beginning

  @Test func `a snapshot before any start opens a provisional run, and the start names it`() {
    var belief = RunBelief()
    #expect(
      belief.take(.snapshot(.preparing, at: 1)) == [
        .opened(workoutId: a, sentAt: watchTime(1)),
        .state(workoutId: a, from: nil, to: .preparing, cause: .snapshot, sentAt: watchTime(1)),
      ])
    #expect(belief.run?.isNamed == false)
    #expect(
      belief.take(.started(at: 4)) == [
        .named(workoutId: a, startedAt: watchTime(4), sentAt: watchTime(4)),
        .state(workoutId: a, from: .preparing, to: .running, cause: .event, sentAt: watchTime(4)),
      ])
    #expect(belief.run?.isNamed == true)
  }

  @Test func `a start that comes first opens and names at once`() {
    var belief = RunBelief()
    #expect(
      belief.take(.started(at: 4)) == [
        .opened(workoutId: a, sentAt: watchTime(4)),
        .named(workoutId: a, startedAt: watchTime(4), sentAt: watchTime(4)),
        .state(workoutId: a, from: nil, to: .running, cause: .event, sentAt: watchTime(4)),
      ])
  }

  @Test func `a start that comes late names the run, is history, and opens no second one`() {
    var belief = RunBelief(after: .snapshot(.running, at: 4), .snapshot(.running, at: 9))
    #expect(
      belief.take(.started(at: 4)) == [
        .named(workoutId: a, startedAt: watchTime(4), sentAt: watchTime(4)),
        .history(workoutId: a, kind: .workoutStarted, sentAt: watchTime(4), why: .late),
      ])
  }

  @Test func `a start that comes after the end still names its run, once`() {
    var belief = RunBelief(after: .snapshot(.running, at: 4), .snapshot(.ended, at: 9))
    #expect(
      belief.take(.started(at: 3)) == [
        .named(workoutId: a, startedAt: watchTime(3), sentAt: watchTime(3)),
        .history(workoutId: a, kind: .workoutStarted, sentAt: watchTime(3), why: .ended),
      ])
    #expect(
      belief.take(.started(at: 3))
        == [.history(workoutId: a, kind: .workoutStarted, sentAt: watchTime(3), why: .ended)])
    #expect(belief.state == .ended)
  }

  @Test func `an end before anything else opens, ends and finishes its run`() {
    var belief = RunBelief()
    #expect(
      belief.take(.ended(at: 7)) == [
        .opened(workoutId: a, sentAt: watchTime(7)),
        .state(workoutId: a, from: nil, to: .ended, cause: .event, sentAt: watchTime(7)),
        .finished(workoutId: a, healthKitWorkoutUUID: healthUUID(a), sentAt: watchTime(7)),
      ])
  }

  // MARK: The end

  @Test(arguments: [RunUpdate.ended(at: 2), .snapshot(.ended, at: 2)])
  func `an end is final even where its time is older than the newest message's`(end: RunUpdate) {
    var belief = RunBelief(after: .started(at: 1), .snapshot(.running, at: 9))
    let decisions = belief.take(end)
    #expect(
      decisions.first == .state(workoutId: a, from: .running, to: .ended, cause: end.cause, sentAt: watchTime(2)))
    #expect(belief.state == .ended)
  }

  @Test func `a snapshot ends the belief, and only the event finishes the run`() {
    var belief = RunBelief(after: .started(at: 1))
    #expect(
      belief.take(.snapshot(.ended, at: 9))
        == [.state(workoutId: a, from: .running, to: .ended, cause: .snapshot, sentAt: watchTime(9))])
    #expect(
      belief.take(.ended(at: 9))
        == [.finished(workoutId: a, healthKitWorkoutUUID: healthUUID(a), sentAt: watchTime(9))])
    #expect(
      belief.take(.ended(at: 9)) == [.history(workoutId: a, kind: .workoutEnded, sentAt: watchTime(9), why: .ended)])
  }

  @Test(arguments: [
    RunUpdate.snapshot(.running, at: 20), .snapshot(.ended, at: 9), .paused(at: 4), .resumed(at: 20), .ended(at: 9),
  ])
  func `after the end every word about the workout is history`(word: RunUpdate) {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(
      belief.take(word) == [.history(workoutId: a, kind: word.kind, sentAt: word.sentAt, why: .ended)])
    #expect(belief.state == .ended)
  }

  @Test func `an ended run can be finished while the next one is on`() {
    var belief = RunBelief(after: .snapshot(.running, at: 1), .snapshot(.ended, at: 9), .started(b, at: 12))
    #expect(
      belief.take(.ended(at: 9))
        == [.finished(workoutId: a, healthKitWorkoutUUID: healthUUID(a), sentAt: watchTime(9))])
    #expect(
      belief.take(.snapshot(.running, at: 8))
        == [.history(workoutId: a, kind: .snapshot, sentAt: watchTime(8), why: .ended)])
    #expect(belief.workoutId == b)
    #expect(belief.state == .running)
  }

  @Test func `an end without a UUID ends its run and finishes nothing`() {
    var belief = RunBelief(after: .started(at: 1))
    #expect(
      belief.take(.discarded(at: 9))
        == [.state(workoutId: a, from: .running, to: .ended, cause: .event, sentAt: watchTime(9))])
    #expect(
      belief.take(.discarded(at: 9))
        == [.history(workoutId: a, kind: .workoutEnded, sentAt: watchTime(9), why: .ended)])
    #expect(belief.run?.isFinished == false)
  }

  // MARK: The next run

  @Test func `after the end a later start of another workout opens a new run from nothing`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(
      belief.take(.started(b, at: 10)) == [
        .opened(workoutId: b, sentAt: watchTime(10)),
        .named(workoutId: b, startedAt: watchTime(10), sentAt: watchTime(10)),
        .state(workoutId: b, from: nil, to: .running, cause: .event, sentAt: watchTime(10)),
      ])
  }

  @Test(arguments: [Int64(3), 9])
  func `after the end a start that is not later than the ending message is refused, and leaves a row`(time: Int64) {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(
      belief.take(.started(b, at: time)) == [
        .refused(workoutId: b, why: .oldStart, sentAt: watchTime(time)), .recorded(.started(b, at: time)),
      ])
    #expect(belief.workoutId == a)
  }

  @Test func `it is the ending message's time that counts, not the newest message's`() {
    var belief = RunBelief(after: .started(at: 1), .snapshot(.running, at: 20), .ended(at: 9))
    #expect(belief.take(.started(b, at: 10)).first == .opened(workoutId: b, sentAt: watchTime(10)))
  }

  @Test(arguments: [
    RunUpdate.snapshot(.running, Workouts.b, at: 30), .paused(Workouts.b, at: 30), .ended(Workouts.b, at: 30),
  ])
  func `after the end no other word opens a run, and an end leaves a row`(word: RunUpdate) {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(
      belief.take(word) == [.refused(workoutId: b, why: .notAStart, sentAt: watchTime(30))]
        + (word.kind == .workoutEnded ? [.recorded(word)] : []))
    #expect(belief.state == .ended)
    #expect(belief.workoutId == a)
  }

  @Test func `a workout that was refused without a start opens when its start comes`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9), .snapshot(.preparing, b, at: 12))
    #expect(belief.take(.started(b, at: 15)).first == .opened(workoutId: b, sentAt: watchTime(15)))
  }

  // MARK: Other workouts

  @Test(arguments: [RunUpdate.snapshot(.running, Workouts.b, at: 30), .started(Workouts.b, at: 30)])
  func `a start of another workout or its zeros are refused while one is on, and nothing is ended`(word: RunUpdate) {
    var belief = RunBelief(after: .started(at: 1))
    #expect(
      belief.take(word) == [.refused(workoutId: b, why: .anotherIsOn, sentAt: watchTime(30))]
        + (word.kind == .workoutStarted ? [.recorded(word)] : []))
    #expect(belief.workoutId == a)
    #expect(belief.state == .running)
  }

  @Test func `every refused update is written, and the watch gets no order for any`() {
    var belief = RunBelief(after: .started(at: 1))
    for second in 30...51 as ClosedRange<Int64> {
      #expect(
        belief.take(.snapshot(.running, b, at: second))
          == [.refused(workoutId: b, why: .anotherIsOn, sentAt: watchTime(second))])
    }
  }

  @Test func `a counting snapshot of a workout that began later replaces the run, whose end then completes its row`() {
    var belief = RunBelief(after: .started(at: 1), .snapshot(.running, at: 9))
    #expect(
      belief.take(.counting(.running, b, at: 13, since: 12)) == [
        .state(workoutId: a, from: .running, to: .ended, cause: .snapshot, sentAt: watchTime(9)),
        .opened(workoutId: b, sentAt: watchTime(13)),
        .state(workoutId: b, from: nil, to: .running, cause: .snapshot, sentAt: watchTime(13)),
      ])
    let end = RunUpdate.ended(at: 10)
    #expect(
      belief.take(end)
        == [.recorded(end), .finished(workoutId: a, healthKitWorkoutUUID: healthUUID(a), sentAt: watchTime(10))])
    #expect(belief.take(end) == [.history(workoutId: a, kind: .workoutEnded, sentAt: watchTime(10), why: .ended)])
    #expect(
      belief.take(.started(b, at: 12)) == [
        .named(workoutId: b, startedAt: watchTime(12), sentAt: watchTime(12)),
        .history(workoutId: b, kind: .workoutStarted, sentAt: watchTime(12), why: .late),
      ])
    #expect(belief.workoutId == b && belief.state == .running)
  }

  @Test func `a counting snapshot of a workout that did not begin later replaces nothing`() {
    for began in [3, 9] as [Int64] {
      var belief = RunBelief(after: .started(at: 1), .snapshot(.running, at: 9))
      #expect(
        belief.take(.counting(.running, b, at: 30, since: began))
          == [.refused(workoutId: b, why: .anotherIsOn, sentAt: watchTime(30))])
      #expect(belief.workoutId == a)
    }
  }

  @Test func `after the end a counting snapshot of a later workout opens it before its start has come`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(
      belief.take(.counting(.running, b, at: 13, since: 12)).first == .opened(workoutId: b, sentAt: watchTime(13)))
    let named = RunDecision.named(workoutId: b, startedAt: watchTime(12), sentAt: watchTime(12))
    #expect(belief.take(.started(b, at: 12)).first == named)
  }

  @Test func `a foreign end is refused and leaves a row, and that workout never becomes the run`() {
    var belief = RunBelief(after: .started(at: 1))
    func refused(_ word: RunUpdate, _ why: RunDecision.Refusal) -> [RunDecision] {
      [.refused(workoutId: b, why: why, sentAt: word.sentAt), .recorded(word)]
    }
    let end = RunUpdate.ended(b, at: 30)
    let start = RunUpdate.started(b, at: 31)
    #expect(belief.take(end) == refused(end, .anotherIsOn))
    #expect(belief.take(start) == refused(start, .anotherIsOn))
    #expect(belief.state == .running)
    _ = belief.take(.ended(at: 40))
    let late = RunUpdate.started(b, at: 50)
    #expect(belief.take(late) == refused(late, .alreadyEnded))
    #expect(belief.take(.startWorkout(b)).isEmpty)
    #expect(belief.workoutId == a)
  }

  @Test func `invented workouts do not make the memory grow`() {
    var belief = RunBelief(after: .started(at: 1))
    for number in 0..<1000 as Range<UInt64> {
      let ghost = Identifier(high: 0xFF, low: number)
      #expect(belief.take(.snapshot(.running, ghost, at: 5)).count == 1)
    }
    var runs = RunBelief()
    for number in 0..<1000 as Range<UInt64> {
      let run = Identifier(high: 0xEE, low: number)
      _ = runs.take(.started(run, at: Int64(number) * 10))
      _ = runs.take(.ended(run, at: Int64(number) * 10 + 5))
    }
    // A run that was forgotten cannot come back: its start is older than the last end.
    let first = Identifier(high: 0xEE, low: 0)
    #expect(runs.take(.started(first, at: 0)).first == .refused(workoutId: first, why: .oldStart, sentAt: watchTime(0)))
    #expect(String(describing: belief).utf8.count < 10_000)
    #expect(String(describing: runs).utf8.count < 20_000)
  }

  @Test func `times at both ends of the clock do not overflow`() {
    var belief = RunBelief(after: .started(at: 1))
    for sentAt in [Int64.min, .max, 0] {
      let word = RunUpdate(workoutId: b, sentAt: WatchTime(nanoseconds: sentAt), content: .workoutPaused)
      #expect(belief.take(word).first == .refused(workoutId: b, why: .anotherIsOn, sentAt: word.sentAt))
    }
  }

  // MARK: The command

  @Test func `a start from the phone sets preparing where there is no run`() {
    var belief = RunBelief()
    #expect(
      belief.take(.startWorkout(a))
        == [.state(workoutId: a, from: nil, to: .preparing, cause: .command, sentAt: nil)])
    #expect(belief.workoutId == a)
    #expect(belief.take(.startWorkout(a)).isEmpty)
  }

  @Test func `a start from the phone changes nothing while a run is on`() {
    for word in [RunUpdate.snapshot(.preparing, at: 1), .started(at: 1), .paused(at: 1)] {
      var belief = RunBelief(after: word)
      let before = belief
      #expect(belief.take(.startWorkout(b)).isEmpty)
      #expect(belief == before)
    }
  }

  @Test func `a start from the phone after an ended run sets preparing, and its snapshots open the run`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(
      belief.take(.startWorkout(b))
        == [.state(workoutId: b, from: nil, to: .preparing, cause: .command, sentAt: nil)])
    #expect(
      belief.take(.snapshot(.preparing, b, at: 12)) == [.opened(workoutId: b, sentAt: watchTime(12))])
    #expect(
      belief.take(.snapshot(.running, b, at: 15))
        == [.state(workoutId: b, from: .preparing, to: .running, cause: .snapshot, sentAt: watchTime(15))])
  }

  @Test func `any message of the watch replaces what a command set, whatever its time`() {
    var belief = RunBelief()
    _ = belief.take(.startWorkout(a))
    #expect(
      belief.take(.started(at: -100)) == [
        .opened(workoutId: a, sentAt: watchTime(-100)),
        .named(workoutId: a, startedAt: watchTime(-100), sentAt: watchTime(-100)),
        .state(workoutId: a, from: .preparing, to: .running, cause: .event, sentAt: watchTime(-100)),
      ])
  }

  @Test func `a watch that runs another workout replaces the requested one`() {
    var belief = RunBelief()
    _ = belief.take(.startWorkout(a))
    #expect(belief.take(.snapshot(.running, b, at: 5)).first == .opened(workoutId: b, sentAt: watchTime(5)))
    #expect(belief.workoutId == b)
    #expect(belief.state == .running)
  }

  @Test func `a ghost's metrics do not replace a start that was asked for after an ended run`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    _ = belief.take(.startWorkout(b))
    #expect(
      belief.take(.snapshot(.running, c, at: 20)) == [.refused(workoutId: c, why: .notAStart, sentAt: watchTime(20))])
    #expect(belief.take(.snapshot(.running, at: 20)).count == 1)
    #expect(belief.workoutId == b)
    #expect(belief.take(.started(c, at: 21)).first == .opened(workoutId: c, sentAt: watchTime(21)))
  }

  @Test func `a start from the phone does not revive an ended workout`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    #expect(belief.take(.startWorkout(a)).isEmpty)
    #expect(belief.state == .ended)
  }

  @Test func `a second start of the phone before the watch's first message only changes the awaited run`() {
    var belief = RunBelief(after: .started(at: 1), .ended(at: 9))
    _ = belief.take(.startWorkout(b))
    #expect(belief.take(.startWorkout(c)).isEmpty)
    #expect(belief.take(.snapshot(.preparing, c, at: 12)) == [.opened(workoutId: c, sentAt: watchTime(12))])
  }

  // MARK: Lines

  @Test func `every decision but the order has its line, with the fields in order`() {
    let now = VirtualTime(nanoseconds: 7)
    func line(_ decision: RunDecision) -> String {
      guard let event = decision.traceEvent(at: now) else { return "-" }
      var text = event.name.text
      for field in event.fields {
        text += " \(field.key)="
        field.value.append(to: &text)
      }
      return text
    }
    let id = "\"00000000-0000-000a-0000-000000000001\""
    #expect(line(.opened(workoutId: a, sentAt: .init(nanoseconds: 3))) == "run.opened workoutId=\(id) sentAt=3")
    #expect(
      line(.named(workoutId: a, startedAt: .init(nanoseconds: 2), sentAt: .init(nanoseconds: 3)))
        == "run.named workoutId=\(id) sentAt=3")
    #expect(
      line(.state(workoutId: a, from: nil, to: .running, cause: .snapshot, sentAt: .init(nanoseconds: 3)))
        == "run.state workoutId=\(id) from=null to=\"running\" cause=\"snapshot\" sentAt=3")
    #expect(
      line(.state(workoutId: a, from: .ended, to: .preparing, cause: .command, sentAt: nil))
        == "run.state workoutId=\(id) from=\"ended\" to=\"preparing\" cause=\"command\" sentAt=null")
    #expect(
      line(.history(workoutId: a, kind: .workoutPaused, sentAt: .init(nanoseconds: 3), why: .late))
        == "run.history workoutId=\(id) kind=\"workoutPaused\" sentAt=3 why=\"late\"")
    #expect(
      line(.refused(workoutId: a, why: .anotherIsOn, sentAt: .init(nanoseconds: 3)))
        == "run.refused workoutId=\(id) why=\"another workout is on\" sentAt=3")
    #expect(
      line(.finished(workoutId: a, healthKitWorkoutUUID: a, sentAt: .init(nanoseconds: 3)))
        == "run.finished workoutId=\(id) healthKitWorkoutUUID=\(id) sentAt=3")
    let end = RunUpdate(
      workoutId: a, sentAt: .init(nanoseconds: 3), content: .workoutEnded(healthKitWorkoutUUID: nil))
    #expect(
      line(.recorded(end)) == "run.recorded workoutId=\(id) kind=\"workoutEnded\" sentAt=3")
    #expect(line(.orderWatchToEnd(workoutId: a)) == "-")
  }
}
