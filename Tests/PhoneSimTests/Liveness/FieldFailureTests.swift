import CoachProtocol
import Link
import PhoneSim
import Testing

/// What really went wrong between watches and phones, as far as liveness and belief can prevent it.
@Suite struct LivenessAndBeliefFieldFailureTests {
  @Test func `phantom-run: an old start and a run of zeros open nothing, during a run and after it`() {
    var ear = Ear()
    ear.deliver(.started(at: 100), at: 1)
    ear.hear(.running, at: 2, sentAt: 101)
    let start = ear.deliver(.started(Workouts.b, at: 50), at: 3)
    ear.hear(.running, at: 4, workout: Workouts.b, sentAt: 102, elapsed: 0)
    #expect(start.decisions.last == .recorded(.started(Workouts.b, at: 50)))
    ear.deliver(.ended(at: 110), at: 5)
    let afterwards = ear.deliver(.started(Workouts.c, at: 60), at: 6)
    ear.hear(.running, at: 7, workout: Workouts.b, sentAt: 120, elapsed: 0)
    ear.hear(.preparing, at: 8, workout: Workouts.c, sentAt: 121, elapsed: 0)
    #expect(afterwards.decisions.last == .recorded(.started(Workouts.c, at: 60)))
    #expect(ear.story("run.opened").count == 1)
    #expect(ear.story("run.refused").count == 5)
    #expect(ear.consumer.workoutId == Workouts.a)
    #expect(ear.consumer.state == .ended)
  }

  @Test func `late-pause: a pause that comes after the resume changes history only`() {
    var ear = Ear()
    ear.deliver(.started(at: 1), at: 1)
    for second in 2...9 { ear.hear(second < 5 ? .running : .paused, at: Double(second), sentAt: Int64(second)) }
    ear.hear(.running, at: 20, sentAt: 20)
    ear.deliver(.paused(at: 5), at: 21)
    ear.deliver(.resumed(at: 19), at: 22)
    #expect(ear.consumer.state == .running)
    #expect(ear.story("run.history") == ["21.0 run.history late", "22.0 run.history late"])
    #expect(
      ear.lines.filter { $0.name == "run.history" }.map { $0["sentAt"] } == [.int(5_000_000_000), .int(19_000_000_000)])
  }

  @Test func `resurrection: a snapshot in flight does not revive an ended run`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.deliver(.ended(at: 2), at: 3)
    let outcome = ear.hear(.running, at: 4, sentAt: 90)
    #expect(outcome.isFreshOfRun, "the script sees that the belief is ended")
    #expect(ear.consumer.state == .ended)
    #expect(ear.consumer.nextDeadline == nil)
    #expect(ear.story("run.state") == ["1.0 run.state running", "3.0 run.state ended"])
  }

  @Test func `false-alarm: neither a pause nor the time before the run counts as silence`() {
    var ear = Ear()
    ear.wait(until: 100)
    ear.hear(.preparing, at: 100)
    ear.wait(until: 150)
    ear.deliver(.started(at: 149), at: 150)
    ear.hear(.running, at: 159)
    ear.hear(.paused, at: 160)
    ear.wait(until: 400)
    ear.deliver(.resumed(at: 399), at: 400)
    ear.hear(.running, at: 409.5)
    ear.wait(until: 415)
    #expect(ear.story("liveness").isEmpty)
  }

  @Test func `missed-alarm: a trickle of duplicates and old packets is no sign of life`() {
    var ear = Ear()
    ear.hear(.running, at: 1, seq: 50)
    for step in 0..<20 {
      ear.hear(.running, at: 2 + Double(step), seq: UInt64(step.isMultiple(of: 2) ? 50 : 30 + step))
    }
    #expect(ear.story("liveness") == ["11.0 liveness.disconnected silence"])
  }

  @Test func `stuck-alarm: a duplicate comes back first, and the first fresh one clears`() {
    var ear = Ear()
    ear.hear(.running, at: 1, seq: 50)
    ear.wait(until: 20)
    ear.hear(.running, at: 21, seq: 50)
    #expect(ear.consumer.isWatchDisconnected)
    ear.hear(.running, at: 22, seq: 51)
    #expect(!ear.consumer.isWatchDisconnected)
    #expect(ear.story("liveness").last == "22.0 liveness.reconnected fresh")
  }

  @Test func `clock-skew: a watch whose clock is far behind is as fresh as any other`() {
    for skew in [-1_000_000, -90, 90, 1_000_000] as [Int64] {
      var ear = Ear()
      ear.deliver(.started(at: 1 + skew), at: 1)
      for second in 2...40 as ClosedRange<Int64> {
        #expect(ear.hear(.running, at: Double(second), sentAt: second + skew).isFreshOfRun == true)
      }
      ear.deliver(.paused(at: 41 + skew), at: 41)
      #expect(ear.consumer.state == .paused)
      #expect(ear.story("liveness").isEmpty)
      #expect(ear.story("run.history").isEmpty)
    }
  }

  @Test func `double-delivery: every event twice has the effect of once`() {
    let events: [RunUpdate] = [.started(at: 1), .paused(at: 5), .resumed(at: 8), .ended(at: 20)]
    var once = Ear()
    var twice = Ear()
    for (place, event) in events.enumerated() {
      once.deliver(event, at: Double(place * 3))
      twice.deliver(event, at: Double(place * 3))
      let again = twice.deliver(event, at: Double(place * 3))
      #expect(
        again.decisions.allSatisfy { if case .history = $0 { true } else { false } } && again.decisions.count == 1)
    }
    #expect(once.consumer == twice.consumer)
    #expect(twice.lines.filter { $0.name != "run.history" } == once.lines)
  }
}
