import CoachProtocol
import Foundation
import Link
import LinkStore
import Testing

@testable import WatchSim

/// Workouts that the phone started and took back.
@Suite struct `Watch, workouts taken back` {
  static func run(_ number: Int) -> Identifier { Identifier(high: 3, low: UInt64(number)) }

  /// A watch that ran a workout of its own, and then begins whatever its phone starts and takes back again.
  static func pair(starting count: Int) -> WatchWithPhone {
    var pair = WatchWithPhone(WatchRig(evenRunner(40), startsAt: .at(1), preparing: .seconds(1)))
    pair.drive(through: .at(60))
    for number in 0..<count {
      let start = StartWorkout(
        runId: run(number), runType: .outdoor, personality: "roast_coach", mode: .free,
        sentAt: PhoneTime(nanoseconds: pair.phoneClock))
      pair.send(.startWorkout(start))
      // Some are taken back while they prepare, others when they run.
      pair.drive(through: pair.now + .milliseconds(number % 4 == 0 ? 1_500 : 500))
      pair.send(.cancelStart(CancelStart(runId: run(number))))
      pair.drive(through: pair.now + .milliseconds(500))
      guard number % 50 == 49 else { continue }
      pair.restartWatch()
      pair.drive(through: pair.now + .milliseconds(500))
    }
    return pair
  }

  @Test func `a phone that cancels every start does not make the store grow`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pair = Self.pair(starting: 200)
    let rig = pair.watch
    #expect(rig.lines("start.accepted").count == 200 && rig.lines("health.saved").count == 1)
    // The phone hears of the end of each, and of none twice.
    let ended = pair.events.compactMap { if case .workoutEnded(let end) = $0 { end.workoutId } else { nil } }
    #expect(ended.dropFirst() == (0..<200).map(Self.run)[...])
    var (workoutsMax, entriesMax) = (0, 0)
    _ = try rig.kept(in: folder) { memory, keyed, changes in
      workoutsMax = max(workoutsMax, memory.workouts.count)
      entriesMax = max(entriesMax, keyed.lists["log"]?.count ?? 0)
      guard changes.contains(where: { if case .began = $0 { true } else { false } }) else { return }
      let read = try WatchRecord(keyed: keyed)
      #expect(read == memory)
    }
    // The one that was stored, and 64 that were begun since.
    #expect(workoutsMax == 65 && entriesMax < 65 * 6, "\(workoutsMax), \(entriesMax)")
  }

  @Test func `what was stored outlives them, and no run of theirs is begun again`() throws {
    var pair = Self.pair(starting: 70)
    let before = try #require(pair.watch.node?.health.workouts)
    #expect(before.count == 1)
    pair.restartWatch()
    #expect(pair.watch.node?.health.workouts == before)
    pair.drive(through: pair.now + .seconds(1))
    let lines = pair.watch.lines.count
    pair.send(
      .startWorkout(
        StartWorkout(
          runId: Self.run(69), runType: .outdoor, personality: "roast_coach", mode: .free,
          sentAt: PhoneTime(nanoseconds: pair.phoneClock))))
    pair.drive(through: pair.now + .seconds(1))
    #expect(pair.watch.lines[lines...].contains { $0.name == "start.declined" && $0["reason"]?.text == "void" })
  }

  @Test func `those whose end is owed are not forgotten, and are announced`() throws {
    var rig = WatchRig(evenRunner(), startsAt: nil)
    for number in 0...WatchRecord.spentMax {
      let at = VirtualTime.at(Double(number))
      let begin = WorkoutBegin(workoutId: Self.run(number), at: at, cause: .command, preparing: .seconds(3))
      let step = WorkoutStep(.discarded, at: at, sentAt: WatchTime(nanoseconds: Int64(number)), cause: .command)
      let isOwed = number == 10
      let place = WatchChange.announced(StepIndex(workout: number, step: 0))
      rig.store.commit([], [.began(begin), .stepped(step)] + (isOwed ? [] : [place]))
    }
    rig.start(at: .at(100), [.disk(isFull: true)])
    var node = try #require(rig.node)
    var turn = Turn(isRecording: true)
    let start = StartWorkout(
      runId: Self.run(100), runType: .outdoor, personality: "roast_coach", mode: .free,
      sentAt: PhoneTime(nanoseconds: WatchRig.startedAt + 100_000_000_000))
    turn.now = .at(100)
    node.obey(.startWorkout(start), in: &turn)
    #expect(node.record.workouts.map(\.begin.workoutId) == [10, 100].map(Self.run))
    turn.now = .at(101)
    node.receive(.condition(.disk(isFull: false)), in: &turn)
    var queued: [AppMessage] = []
    for case .change(.enqueued(let entry)) in turn.items {
      queued.append(try AppMessage.reading(entry.payload).get())
    }
    #expect(
      queued == [
        .workoutEnded(
          WorkoutEnded(workoutId: Self.run(10), healthKitWorkoutUUID: nil, sentAt: WatchTime(nanoseconds: 10)))
      ])
    #expect(node.record.unannounced.isEmpty && node.unannounced.isEmpty)
    var keyed = KeyedRecord()
    for change in rig.store.record.workouts.indices.flatMap({ place in
      let log = rig.store.record.workouts[place]
      return [.began(log.begin), .stepped(log.steps[0])]
        + (place == 10 ? [] : [.announced(StepIndex(workout: place, step: 0))]) as [WatchChange]
    }) + node.takeChanges() {
      for part in change.keyed { keyed.apply(part) }
    }
    #expect(try WatchRecord(keyed: keyed) == node.record)
  }
}
