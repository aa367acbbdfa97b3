import CoachProtocol
import Link
import Testing
import WatchSim

@Suite struct `Workout host` {
  @Test func `publishes one snapshot at every whole second from the beginning of preparing`() {
    var rig = HostRig(evenRunner())
    rig.drive(through: .at(60))
    #expect(rig.published.map(\.time) == (0...60).map { .start + .seconds($0) })
  }

  @Test func `is preparing for three seconds, with nothing elapsed, and then runs`() {
    var rig = HostRig(evenRunner())
    rig.drive(through: .at(4))
    #expect(rig.snapshots.map(\.state) == [.preparing, .preparing, .preparing, .running, .running])
    #expect(rig.snapshots.map(\.elapsed) == [0, 0, 0, 0, 1])
    #expect(rig.snapshots.map(\.distance) == [0, 0, 0, 0, 4])
  }

  @Test func `a change of state between two seconds is published at once, and the whole seconds stay`() {
    var rig = HostRig(evenRunner())
    rig.order(.pause, at: .at(10.25))
    rig.order(.resume, at: .at(12.75))
    rig.drive(through: .at(14))
    let late = rig.published.filter { $0.time >= .at(10) }
    #expect(late.map(\.time) == [.at(10), .at(10.25), .at(11), .at(12), .at(12.75), .at(13), .at(14)])
    #expect(late.map(\.metrics.state) == [.running, .paused, .paused, .paused, .running, .running, .running])
    #expect(late.map(\.metrics.elapsed) == [7, 7.25, 7.25, 7.25, 7.25, 7.5, 8.5])
  }

  @Test func `a change of state on a whole second publishes one snapshot, with the new state`() {
    var rig = HostRig(evenRunner())
    rig.order(.pause, at: .at(10))
    rig.order(.resume, at: .at(12))
    rig.order(.end, at: .at(14))
    #expect(rig.published.map(\.time) == (0...14).map { .start + .seconds($0) })
    #expect(rig.snapshots[10].state == .paused)
    #expect(rig.snapshots[12].state == .running)
    #expect(rig.snapshots[14].state == .ended)
  }

  @Test func `preparing that ends between two seconds publishes at that moment`() {
    var rig = HostRig(evenRunner(), preparing: .milliseconds(1_500))
    rig.drive(through: .at(3))
    #expect(rig.published.map(\.time) == [.at(0), .at(1), .at(1.5), .at(2), .at(3)])
    #expect(rig.snapshots.map(\.elapsed) == [0, 0, 0, 0.5, 1.5])
  }

  @Test func `preparing that takes no time publishes one snapshot at second zero`() {
    var rig = HostRig(evenRunner(), preparing: .zero)
    rig.drive(through: .at(0))
    #expect(rig.snapshots.map(\.state) == [.running])
    #expect(rig.changes.map(\.to) == [.preparing, .running])
  }

  @Test func `the ended snapshot is the last thing published`() {
    var rig = HostRig(evenRunner())
    rig.order(.end, at: .at(20.5))
    rig.driveToEnd()
    #expect(rig.host.nextDeadline == nil)
    #expect(rig.snapshots.last?.state == .ended)
    #expect(rig.snapshots.count(where: { $0.state == .ended }) == 1)
    #expect(rig.published.last?.time == .at(20.5))
  }

  @Test func `events go out in order, each with the stamp of the snapshot that reports the state`() {
    var rig = HostRig(evenRunner())
    rig.order(.pause, at: .at(10))
    rig.order(.resume, at: .at(11.5))
    rig.order(.end, at: .at(20))
    #expect(rig.announcements.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded])
    let stamps = [3.0, 10, 11.5, 20].map { moment in
      rig.published.first { $0.time == .at(moment) }?.metrics.sentAt
    }
    #expect(rig.announcements.map(\.eventSentAt) == stamps)
  }

  @Test func `workoutStarted says when it was said`() throws {
    var rig = HostRig(evenRunner())
    rig.drive(through: .at(3))
    guard case .workoutStarted(let started) = try #require(rig.announcements.first) else {
      Issue.record("\(rig.announcements)")
      return
    }
    #expect(started.startedAt == started.sentAt)
    #expect(started.sentAt == rig.clock(.at(3)))
    #expect(started.workoutId == HostRig.workoutId)
  }

  @Test func `the end of a workout and its announcement come together, the workout first`() throws {
    var rig = HostRig(evenRunner())
    rig.order(.end, at: .at(20))
    let last = rig.said.suffix(4).map(\.effect)
    guard case .stateChanged(.running, .ended, .scenario) = last[0], case .publish = last[1],
      case .finished(let workout) = last[2], case .stepped(let step) = last[3], step.kind == .ended,
      case .workoutEnded(let ended) = rig.announcements.last
    else {
      Issue.record("\(last)")
      return
    }
    #expect(ended.healthKitWorkoutUUID == workout.healthKitWorkoutUUID)
    #expect(workout.endedAt == ended.sentAt)
    #expect(rig.said.suffix(4).allSatisfy { $0.time == .at(20) })
  }

  @Test func `stamps never go back when the clock is set back`() {
    var rig = HostRig(evenRunner())
    rig.drive(through: .at(10))
    rig.skew = -90_000_000_000
    rig.drive(through: .at(20))
    let stamps = rig.snapshots.map(\.sentAt.nanoseconds)
    #expect(stamps[10] == HostRig.clockAtStart + 10_000_000_000)
    #expect(stamps[11] == stamps[10] + 1)
    #expect(stamps[20] == stamps[10] + 10)
  }

  @Test func `stamps follow a clock that is set forward`() {
    var rig = HostRig(evenRunner())
    rig.drive(through: .at(10))
    rig.skew = 90_000_000_000
    rig.drive(through: .at(11))
    #expect(rig.snapshots[11].sentAt.nanoseconds == HostRig.clockAtStart + 101_000_000_000)
  }

  @Test func `the model's workout ends at the first whole second at or past its distance`() {
    var rig = HostRig(evenRunner(102))
    rig.driveToEnd()
    #expect(rig.published.last?.time == .at(3 + 26))
    #expect(rig.snapshots.last?.distance == 104)
    #expect(rig.changes.last?.cause == .source)
    #expect(rig.snapshots.count == 30)
  }

  @Test func `a workout of the exact distance of a second ends in that second`() {
    var rig = HostRig(evenRunner(100))
    rig.driveToEnd()
    #expect(rig.published.last?.time == .at(3 + 25))
    #expect(rig.snapshots.last?.distance == 100)
  }

  @Test func `a stop of the runner pauses the workout and ends by itself`() {
    var rig = HostRig(evenRunner(400, stops: [.init(atMeters: 40, forSeconds: 5)]))
    rig.driveToEnd()
    #expect(rig.changes.map(\.to) == [.preparing, .running, .paused, .running, .ended])
    #expect(rig.changes.map(\.cause) == [.scenario, .scenario, .source, .source, .source])
    #expect(rig.published.filter { $0.metrics.state == .paused }.map(\.time) == (13...17).map { .start + .seconds($0) })
    #expect(rig.snapshots.last?.elapsed == 100)
    #expect(rig.published.last?.time == .at(3 + 105))
  }

  @Test func `a recorded pause is a pause, and the recording's last second ends the workout`() throws {
    var rig = HostRig(try recording(seconds: 60, pausedAt: 20..<30))
    rig.driveToEnd()
    #expect(rig.announcements.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded])
    #expect(rig.snapshots.last?.elapsed == 50)
    #expect(rig.snapshots.last?.distance == 150)
    #expect(rig.published.last?.time == .at(63))
  }

  @Test func `a commanded pause holds the recording: nothing of it is lost`() throws {
    var rig = HostRig(try recording(seconds: 60))
    rig.order(.pause, at: .at(20.5))
    rig.order(.resume, at: .at(120.5))
    rig.driveToEnd()
    #expect(rig.snapshots.last?.distance == 180)
    #expect(rig.snapshots.last?.elapsed == 60)
    #expect(rig.published.last?.time == .at(163))
  }

  @Test func `pauses of source and command combine: the workout runs when neither holds`() throws {
    var rig = HostRig(try recording(seconds: 60, pausedAt: 20..<30))
    rig.order(.pause, at: .at(25))  // Source second 22, in the middle of its pause.
    rig.order(.resume, at: .at(40))
    rig.driveToEnd()
    let states = rig.changes.map(\.to)
    #expect(states == [.preparing, .running, .paused, .running, .ended])
    // Eight seconds of the recorded pause were left when the command let go.
    let running = rig.published.filter { $0.metrics.state == .running && $0.time > .at(23) }
    #expect(running.first?.time == .at(48))
    #expect(rig.refusals.isEmpty)
  }

  @Test(arguments: [28.0, 28.5])
  func `a pause at the planned end, or after it, does not make the workout longer`(_ second: Double) {
    // The hundred metres are run at second 28; a pause of half a second before puts the end between two seconds.
    var rig = HostRig(evenRunner(100))
    if second > 28 {
      rig.order(.pause, at: .at(10.2))
      rig.order(.resume, at: .at(10.6))
    }
    rig.order(.pause, at: .at(second))
    rig.order(.resume, at: .at(90))
    rig.driveToEnd()
    #expect(rig.changes.last?.to == .ended)
    #expect(rig.changes.last?.cause == .source)
    #expect(rig.published.last?.time == .at(second))
    #expect(rig.refusals == ["pause", "resume"])
  }

  @Test func `commands that make no sense are refused and change nothing`() {
    var rig = HostRig(evenRunner())
    rig.order(.pause, at: .at(1))
    rig.order(.resume, at: .at(2))
    rig.order(.resume, at: .at(10))
    rig.order(.pause, at: .at(11))
    rig.order(.pause, at: .at(12))
    rig.order(.end, at: .at(13))
    rig.order(.end, at: .at(14))
    #expect(rig.refusals == ["pause", "resume", "resume", "pause", "end"])
    #expect(rig.published.map(\.time) == (0...13).map { .start + .seconds($0) })
  }

  @Test func `a workout that ends while preparing is discarded, and the phone hears of it`() {
    var rig = HostRig(evenRunner())
    rig.order(.end, at: .at(2), cause: .duration)
    #expect(rig.snapshots.map(\.state) == [.preparing, .preparing, .ended])
    #expect(rig.finished == nil)
    #expect(rig.steps.map(\.kind) == [.discarded])
    guard case .workoutEnded(let ended) = rig.announcements.last else {
      Issue.record("\(rig.announcements)")
      return
    }
    #expect(ended.healthKitWorkoutUUID == nil)
  }

  @Test func `a start that is taken back ends and discards its run`() {
    var rig = HostRig(evenRunner())
    rig.order(.end, at: .at(20), cause: .command, isDiscarding: true)
    #expect(rig.snapshots.last?.state == .ended)
    #expect(rig.finished == nil)
    #expect(rig.announcements.map(\.kind) == [.workoutStarted, .workoutEnded])
  }

  @Test func `a driver that comes late gets every second measured and one snapshot for all of them`() {
    var rig = HostRig(evenRunner(4_000))
    rig.drive(through: .at(10))
    let before = rig.snapshots.count
    rig.fire(at: .at(300.5))
    #expect(rig.snapshots.count == before + 1)
    #expect(rig.snapshots.last?.elapsed == 297)
    #expect(rig.snapshots.last?.distance == 1188)
    #expect(rig.snapshots.last?.lastSplit?.kmIndex == 1)
    #expect(rig.snapshots.last?.lastSplit?.durationSeconds == 250)
    rig.order(.end, at: .at(310))
    #expect(rig.finished?.samples.count == 308)
  }

  @Test func `a driver that comes late over changes of state publishes one snapshot, with the last state`() throws {
    var rig = HostRig(try recording(seconds: 60, pausedAt: 20..<30))
    rig.drive(through: .at(10))
    let before = rig.snapshots.count
    rig.fire(at: .at(27.5))
    #expect(rig.snapshots.dropFirst(before).map(\.state) == [.paused])
    rig.fire(at: .at(40.5))
    #expect(rig.published.dropFirst(before).map(\.time) == [.at(27.5), .at(40.5)])
    #expect(rig.snapshots.last?.state == .running)
    // Every change is still announced.
    #expect(rig.announcements.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed])
    var away = HostRig(try recording(seconds: 60, pausedAt: 20..<30))
    away.drive(through: .at(1))
    away.fire(at: .at(200))
    #expect(away.published.filter { $0.time == .at(200) }.map(\.metrics.state) == [.ended])
    #expect(
      away.announcements.map(\.kind) == [.workoutStarted, .workoutPaused, .workoutResumed, .workoutEnded])
  }

  @Test func `what a late watch finds has the time at which it happened`() {
    var rig = HostRig(evenRunner(100, stops: [.init(atMeters: 40, forSeconds: 5)]))
    rig.fire(at: .start)
    // The app was away from the first second of preparing to long after the end.
    rig.fire(at: .at(1_000))
    #expect(rig.steps.map(\.sentAt) == [3, 13, 18, 33].map { rig.clock(.at($0)) })
    #expect(rig.finished?.startedAt == rig.clock(.at(3)))
    #expect(rig.finished?.endedAt == rig.clock(.at(33)))
    #expect(rig.published.last?.metrics.sentAt == rig.clock(.at(33)))
  }

  @Test func `what a press finds has the time at which it happened`() {
    var rig = HostRig(evenRunner(100))
    rig.fire(at: .start)
    var effects: [HostEffect] = []
    rig.host.end(cause: .scenario, at: .at(500), watchClock: rig.clock(.at(500)), sentAt: &rig.sentAt, into: &effects)
    let finished = effects.compactMap { if case .finished(let workout) = $0 { workout } else { nil } }
    #expect(finished.map(\.endedAt) == [rig.clock(.at(28))])
  }

  @Test func `a command to a late watch publishes one snapshot, and a split that it replaces is carried later`() {
    var rig = HostRig(evenRunner())
    rig.drive(through: .at(10))
    let before = rig.snapshots.count
    var effects: [HostEffect] = []
    let now = VirtualTime.at(300.5)
    rig.host.pause(cause: .command, at: now, watchClock: rig.clock(now), sentAt: &rig.sentAt, into: &effects)
    rig.said += effects.map { HostRig.Said(time: now, effect: $0) }
    #expect(rig.snapshots.dropFirst(before).map(\.state) == [.paused])
    #expect(rig.snapshots.last?.lastSplit?.kmIndex == 1)
    // A refused command leaves what was missed.
    var refused = HostRig(evenRunner())
    refused.drive(through: .at(10))
    effects = []
    refused.host.resume(cause: .command, at: now, watchClock: rig.clock(now), sentAt: &refused.sentAt, into: &effects)
    refused.said += effects.map { HostRig.Said(time: now, effect: $0) }
    #expect(refused.snapshots.count == before + 1 && refused.refusals == ["resume"])
  }

  @Test func `the same seed gives the same words, another one others`() {
    func words(_ seed: UInt64) -> [HostEffect] {
      var rig = HostRig(.model(RunnerModel(RunnerParameters(), seed: seed)), seed: seed)
      rig.driveToEnd()
      return rig.said.map(\.effect)
    }
    let words7 = words(7)
    #expect(words7 == words(7))
    #expect(words7 != words(8))
    #expect(words7.count > 1_600)
  }
}
