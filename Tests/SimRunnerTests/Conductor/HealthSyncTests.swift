import CoachProtocol
import Link
import Testing

@testable import Simulator

/// The platform's way of a workout from the watch's health store to the phone's.
@Suite struct HealthSyncTests {
  private static func at(_ seconds: Double) -> VirtualTime { .start + .milliseconds(Int64(seconds * 1_000)) }

  private func truth(_ number: UInt64, points: Int = 2) -> WorkoutTruth {
    WorkoutTruth(
      workout: HealthWorkout(
        uuid: Identifier(high: 2, low: number), aarcRunId: Identifier(high: 1, low: number),
        startedAt: WatchTime(nanoseconds: 1), endedAt: WatchTime(nanoseconds: 2), duration: 60, distance: 200,
        energyKcal: 12, pauses: []),
      route: (0..<points).map { RoutePoint(offsetMilliseconds: Int64($0), latitudeE7: 1, longitudeE7: 2) },
      hrSeries: [], splits: [])
  }

  private func save(_ truth: WorkoutTruth, in sync: inout HealthSync, at seconds: Double) {
    for frame in HealthFrames.make(.data, about: truth.workout.uuid, epoch: Epoch(1), truth.bytes) {
      sync.receive(frame, from: .watch, at: Self.at(seconds))
    }
  }

  /// What a phone is answered that asks now.
  private func ask(_ query: HealthQuery, _ sync: inout HealthSync, at seconds: Double) -> HealthAnswer? {
    sync.receive(HealthFrames.query(query, epoch: Epoch(1)), from: .phone, at: Self.at(seconds))
    #expect(sync.nextAt == Self.at(seconds) + HealthSync.latency)
    #expect(sync.popDue(at: Self.at(seconds)) == nil)
    var parts = HealthFrames.Assembly()
    var bytes: [UInt8]?
    while let frame = sync.popDue(at: Self.at(seconds) + HealthSync.latency) { bytes = parts.append(frame) ?? bytes }
    #expect(sync.nextAt == nil)
    guard let bytes, Array(bytes.prefix(17)) == query.bytes else { return nil }
    return HealthAnswer(Array(bytes.dropFirst(17)), to: query)
  }

  @Test func `a workout is there when its lag is over, by either name, and a second copy changes nothing`() {
    var sync = HealthSync(lag: .seconds(30))
    let (one, other) = (truth(1), truth(2, points: 40_000))
    save(one, in: &sync, at: 10)
    let (byName, byRun) = (HealthQuery.workout(one.workout.uuid), HealthQuery.run(one.workout.aarcRunId))
    #expect(ask(byName, &sync, at: 39.979) == .absent && ask(.all, &sync, at: 39.979) == .workouts([]))
    // A restarted watch delivers what it has.
    save(one, in: &sync, at: 35)
    #expect(ask(byName, &sync, at: 39.98) == .truth(one) && ask(byRun, &sync, at: 40) == .truth(one))
    save(other, in: &sync, at: 50)
    #expect(ask(.all, &sync, at: 60) == .workouts([one.workout]))
    #expect(ask(.all, &sync, at: 80) == .workouts([one.workout, other.workout]))
    #expect(ask(.run(other.workout.aarcRunId), &sync, at: 80) == .truth(other))
    #expect(ask(.run(Identifier(high: 9, low: 9)), &sync, at: 80) == .absent)
  }

  /// What the phone hears at an instant: the numbers of the workouts in each message.
  private func told(_ sync: inout HealthSync, at seconds: Double) -> [[UInt64]] {
    var parts = HealthFrames.Assembly()
    var lists: [[UInt64]] = []
    while let frame = sync.popDue(at: Self.at(seconds)) {
      guard let bytes = parts.append(frame),
        case .workouts(let workouts)? = HealthAnswer(Array(bytes.dropFirst(17)), to: .observed)
      else { continue }
      lists.append(workouts.map(\.uuid.low))
    }
    return lists
  }

  @Test func `a phone that observes hears of each workout when its lag is over, and again after a restart`() {
    var sync = HealthSync(lag: .seconds(30))
    let observe = HealthFrames.query(.observed, epoch: Epoch(1))
    save(truth(1), in: &sync, at: 1)
    sync.receive(observe, from: .phone, at: Self.at(2))
    #expect(told(&sync, at: 2.02) == [[]])
    // It was saved before the phone observed.
    #expect(sync.nextAt == Self.at(31) && told(&sync, at: 30.9).isEmpty)
    #expect(told(&sync, at: 31) == [[1]] && sync.nextAt == nil)
    save(truth(2), in: &sync, at: 40)
    save(truth(3), in: &sync, at: 41)
    #expect(told(&sync, at: 70) == [[1, 2]] && told(&sync, at: 71) == [[1, 2, 3]] && sync.nextAt == nil)
    sync.receive(observe, from: .phone, at: Self.at(80))
    #expect(told(&sync, at: 80.02) == [[1, 2, 3]] && sync.nextAt == nil)
  }

  @Test func `words that are none are ignored`() {
    var sync = HealthSync(lag: .zero)
    sync.receive(
      Frame(kind: .data, channel: .health, epoch: Epoch(1), seq: SequenceNumber(1), offset: 1, payload: [1, 2, 3]),
      from: .watch, at: .start)
    sync.receive(
      Frame(kind: .data, channel: .health, epoch: Epoch(1), seq: SequenceNumber(1), payload: [7]), from: .phone,
      at: .start)
    #expect(sync.nextAt == nil && ask(.all, &sync, at: 1) == .workouts([]))
  }
}
