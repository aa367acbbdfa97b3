import CoachProtocol
import Link
import Testing
@testable import WatchSim

@Suite struct `Health store` {
  /// A run with hills, a stop, and a pause between two seconds.
  static func workout(seed: UInt64 = 5) throws -> (HostRig, FinishedWorkout) {
    var parameters = RunnerParameters()
    parameters.distance = 3_200
    parameters.hills = 8
    parameters.stops = [.init(atMeters: 700, forSeconds: 12)]
    var rig = HostRig(.model(RunnerModel(parameters, seed: seed)), preparing: .milliseconds(2_250), seed: seed)
    rig.order(.pause, at: .at(500.125))
    rig.order(.resume, at: .at(530.75))
    rig.driveToEnd()
    return (rig, try #require(rig.finished))
  }

  @Test func `splits derived from stored samples are those that were published`() throws {
    for seed in 0..<6 as Range<UInt64> {
      let (rig, workout) = try Self.workout(seed: seed)
      let published = rig.snapshots.compactMap(\.lastSplit)
      #expect(published.count == 3)
      #expect(workout.truth.splits == published)
      #expect(workout.splits == published)
    }
  }

  @Test func `the stored workout says what the last snapshot said`() throws {
    let (rig, workout) = try Self.workout()
    let truth = workout.truth
    let last = try #require(rig.snapshots.last)
    #expect(truth.workout.distance == last.distance)
    #expect(truth.workout.duration == last.elapsed)
    #expect(truth.workout.energyKcal == last.energyKcal)
    #expect(truth.workout.endedAt == last.sentAt)
    #expect(truth.workout.aarcRunId == HostRig.workoutId)
  }

  @Test func `a sample a second and a change, with route and heart rate`() throws {
    let (rig, workout) = try Self.workout()
    let after = rig.snapshots.filter { $0.state != .preparing }
    #expect(workout.samples.count == after.count)
    #expect(workout.truth.route.count == after.count)
    #expect(workout.truth.hrSeries.map(\.beatsPerMinute) == after.compactMap(\.currentHR))
  }

  @Test func `steps are those of the cadence, without one strides of 90 cm, and none in water`() throws {
    var (_, workout) = try Self.workout()
    let truth = workout.truth
    // 3.2 km at 150 to 190 steps a minute.
    let minutes = truth.workout.duration / 60
    #expect((150 * minutes...190 * minutes).contains(Double(truth.workout.steps)))
    #expect(WorkoutTruth(truth.bytes) == truth)
    for index in workout.samples.indices { workout.samples[index].cadence = 0 }
    #expect(workout.truth.workout.steps == Int(workout.distanceCentimetres / 90))
    workout.discipline = .swimming
    #expect(workout.truth.workout.steps == 0)
  }

  @Test func `pauses are kept with their lengths, by whomever`() throws {
    let (_, workout) = try Self.workout()
    let lengths = workout.truth.workout.pauses.map { $0.toMilliseconds - $0.fromMilliseconds }
    #expect(lengths == [12_000, 30_625])
    #expect(workout.lengthMilliseconds - workout.activeMilliseconds == 42_625)
  }

  @Test func `a pause without an end lasts until the end`() throws {
    var rig = HostRig(evenRunner())
    rig.order(.pause, at: .at(20))
    rig.order(.end, at: .at(50))
    let pauses = try #require(rig.finished).truth.workout.pauses
    #expect(pauses == [.init(fromMilliseconds: 17_000, toMilliseconds: 47_000)])
  }

  @Test func `a workout is found by its own name and by its run, and kept once`() throws {
    let (_, workout) = try Self.workout()
    var store = HealthStore()
    let saved = [store.save(workout), store.save(workout)]
    #expect(saved == [true, false])
    #expect(store.workouts.count == 1)
    #expect(store.workout(ofRun: HostRig.workoutId)?.healthKitWorkoutUUID == workout.healthKitWorkoutUUID)
    #expect(store.truth(of: workout.healthKitWorkoutUUID) == workout.truth)
    #expect(store.truth(of: HostRig.workoutId) == nil)
  }

  @Test func `its name comes from the seed and the run, and is a version 4 UUID`() throws {
    let (_, five) = try Self.workout(seed: 5)
    let (_, again) = try Self.workout(seed: 5)
    let (_, six) = try Self.workout(seed: 6)
    #expect(five.healthKitWorkoutUUID == again.healthKitWorkoutUUID)
    #expect(five.healthKitWorkoutUUID != six.healthKitWorkoutUUID)
    #expect(five.healthKitWorkoutUUID != five.workoutId)
    let text = Array(five.healthKitWorkoutUUID.text)
    #expect(text[14] == "4" && "89ab".contains(text[19]))
  }

  @Test func `the line about it says distance, duration, samples and splits`() throws {
    var rig = HostRig(evenRunner(1_000))
    rig.driveToEnd()
    let workout = try #require(rig.finished)
    #expect(
      workout.savedEvent.fields.map(\.key) == ["workout", "aarcRunId", "distance", "duration", "samples", "splits"])
    #expect(workout.savedEvent.fields.dropFirst(2).map(\.value) == [.int(1000), .int(250), .int(251), .int(1)])
  }

  @Test func `samples are 32 bytes`() { #expect(MemoryLayout<WorkoutSample>.stride == 32) }
}
