import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// The three together: the lines of the trace and their order.
@Suite struct LiveMetricsConsumerTests {
  @Test func `a fresh snapshot is recorded with all it says, then what follows from it`() {
    var ear = Ear()
    let outcome = ear.hear(.running, at: 2, seq: 9)
    #expect(outcome.isFreshOfRun)
    #expect(ear.story() == ["2.0 snapshot.fresh", "2.0 run.opened", "2.0 run.state running"])
    #expect(
      ear.lines.first?.fields.map(\.key)
        == ["epoch", "seq", "workoutId", "sentAt", "elapsed", "distance", "energyKcal", "state"])
    #expect(ear.lines.first?["seq"] == .int(9))
  }

  @Test func `a stale snapshot is recorded, and changes nothing else`() {
    var ear = Ear()
    ear.hear(.running, at: 2, seq: 9)
    let before = ear.consumer
    let late = ear.hear(.paused, at: 3, sentAt: 100, seq: 8)
    let duplicate = ear.hear(.paused, at: 4, sentAt: 100, seq: 9)
    let doubled = ear.hear(.paused, at: 5, sentAt: 100, seq: 7, isDuplicate: true)
    #expect(ear.consumer == before)
    #expect(late == .init() && duplicate == .init() && doubled == .init())
    #expect(
      ear.story("snapshot.stale")
        == ["3.0 snapshot.stale late", "4.0 snapshot.stale duplicate", "5.0 snapshot.stale duplicate"])
    #expect(ear.lines.last?.fields.map(\.key) == ["epoch", "seq", "why"])
  }

  @Test func `freshness depends on the timestamp, not on the kind of transfer`() {
    var ear = Ear()
    #expect(ear.hear(.running, at: 2, seq: 9, isDuplicate: true).isFreshOfRun == true)
  }

  @Test func `the indicator goes up ten seconds after the last fresh snapshot and comes down with the next`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.hear(.running, at: 2)
    ear.wait(until: 30)
    ear.hear(.running, at: 31)
    #expect(
      ear.story("liveness") == ["12.0 liveness.disconnected silence", "31.0 liveness.reconnected fresh"])
    let json = ear.lines.compactMap { $0["lastFresh"] }
    #expect(
      json == [
        .json(#"{"epoch":1,"seq":2,"t":2000000000}"#), .json(#"{"epoch":1,"seq":3,"t":31000000000}"#),
      ])
    #expect(ear.story().suffix(2) == ["31.0 snapshot.fresh", "31.0 liveness.reconnected fresh"])
  }

  @Test func `an arrival at the very instant of the deadline comes first`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.hear(.running, at: 11)
    ear.settle()
    ear.wait(until: 20)
    #expect(ear.story("liveness").isEmpty)
    #expect(ear.consumer.nextDeadline == Ear.time(21))
  }

  @Test func `without any snapshot there is no last fresh one to name`() {
    var ear = Ear()
    ear.deliver(.started(at: 1), at: 3)
    ear.wait(until: 20)
    #expect(ear.story("liveness") == ["13.0 liveness.disconnected silence"])
    #expect(ear.lines.last?["lastFresh"] == .null)
  }

  @Test func `an end by event takes the indicator down after the run's lines`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.wait(until: 20)
    ear.deliver(.ended(at: 15), at: 21)
    #expect(
      ear.story().suffix(3)
        == ["21.0 run.state ended", "21.0 run.finished", "21.0 liveness.reconnected ended"])
    ear.wait(until: 60)
    #expect(ear.story("liveness").count == 2)
  }

  @Test func `an end by snapshot takes the indicator down because it is fresh`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.wait(until: 20)
    ear.hear(.ended, at: 21)
    #expect(
      ear.story().suffix(3)
        == ["21.0 snapshot.fresh", "21.0 liveness.reconnected fresh", "21.0 run.state ended"])
  }

  @Test func `a resume by event restarts the count`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.hear(.paused, at: 5)
    ear.wait(until: 100)
    ear.deliver(.resumed(at: 99), at: 100)
    ear.wait(until: 130)
    #expect(ear.story("liveness") == ["110.0 liveness.disconnected silence"])
  }

  @Test func `a ghost's fresh snapshot is a sign of life, but not one of the run`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    let outcome = ear.hear(.running, at: 9, workout: Workouts.b)
    #expect(!outcome.isFreshOfRun)
    #expect(outcome.decisions.count == 1)
    #expect(ear.consumer.nextDeadline == Ear.time(19))
    #expect(ear.consumer.workoutId == Workouts.a)
  }

  @Test func `a command says preparing, in which no deadline runs`() {
    var ear = Ear()
    #expect(ear.command(Workouts.a, at: 1).decisions.count == 1)
    #expect(ear.story() == ["1.0 run.state preparing"])
    ear.wait(until: 60)
    #expect(ear.story("liveness").isEmpty)
    #expect(ear.hear(.preparing, at: 61).isFreshOfRun == true)
  }

  @Test func `a restarted phone continues from its record and counts from its own start`() {
    var ear = Ear()
    ear.hear(.running, at: 1, seq: 5)
    ear.restart(at: 8)
    #expect(ear.consumer.state == .running)
    #expect(ear.hear(.running, at: 9, seq: 5) == .init())
    ear.wait(until: 30)
    #expect(ear.story("liveness") == ["18.0 liveness.disconnected silence"])
    ear.restart(at: 40)
    ear.wait(until: 60)
    #expect(ear.story("liveness").count == 1, "it was up before the restart and is not put up twice")
    ear.hear(.running, at: 61, seq: 6)
    #expect(ear.story("liveness").last == "61.0 liveness.reconnected fresh")
    #expect(ear.story("run.opened").count == 1)
  }

  @Test func `a suspended phone does not take its own absence for the watch's`() {
    var ear = Ear()
    ear.hear(.running, at: 1)
    ear.resume(at: 100)
    ear.settle()
    #expect(ear.story("liveness").isEmpty)
    ear.wait(until: 120)
    #expect(ear.story("liveness") == ["110.0 liveness.disconnected silence"])
  }

  @Test func `without a recorder the decisions are the same and nothing is written`() {
    var loud = LiveMetricsConsumer(startedAt: .start)
    var quiet = loud
    var written = Turn(isRecording: true)
    var unwritten = Turn(isRecording: false)
    for second in 1...5 as ClosedRange<Int64> {
      let snapshot = LiveMetrics(
        workoutId: Workouts.a, sentAt: watchTime(second), elapsed: 0, distance: 0,
        state: second == 5 ? .ended : .running)
      written.now = VirtualTime(nanoseconds: second * 1_000_000_000)
      unwritten.now = written.now
      let stamp = (Epoch(1), SequenceNumber(UInt64(second)))
      let said = loud.receiveSnapshot(
        snapshot, epoch: stamp.0, seq: stamp.1, isDuplicateFromSession: false, in: &written)
      let unsaid = quiet.receiveSnapshot(
        snapshot, epoch: stamp.0, seq: stamp.1, isDuplicateFromSession: false, in: &unwritten)
      #expect(said == unsaid)
    }
    #expect(loud == quiet)
    #expect(written.items.count == 8 && unwritten.items.isEmpty)
  }
}
