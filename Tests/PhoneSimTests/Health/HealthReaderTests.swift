import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// Fetching what the health store knows, and linking it with runs.
@Suite struct HealthReaderTests {
  private static let run = Identifier(high: 1, low: 1)
  private static let uuid = Identifier(high: 2, low: 2)
  private static let model = RunRow(
    id: Identifier(high: 0, low: 0), startedAt: WatchTime(nanoseconds: 0), runType: .treadmill, mode: .free,
    personality: "calm")

  static func truth(points: Int = 3, run: Identifier = run, uuid: Identifier = uuid) -> WorkoutTruth {
    WorkoutTruth(
      workout: HealthWorkout(
        uuid: uuid, aarcRunId: run, startedAt: WatchTime(nanoseconds: 5), endedAt: WatchTime(nanoseconds: 9),
        duration: 1_450, distance: 5_000.67, energyKcal: 312.5,
        pauses: [.init(fromMilliseconds: 1_000, toMilliseconds: 2_500)]),
      route: (0..<points).map {
        RoutePoint(
          offsetMilliseconds: Int64($0) * 1_000, latitudeE7: -525_000_000 + Int32($0), longitudeE7: 134_000_000)
      },
      hrSeries: (0..<points).map {
        HeartRateReading(offsetMilliseconds: Int64($0) * 1_000, beatsPerMinute: 120 + $0 % 60)
      },
      splits: [
        Split(kmIndex: 1, durationSeconds: 290.125, paceSecPerKm: 290.13, avgHeartRate: 151),
        Split(kmIndex: 2, durationSeconds: 288, paceSecPerKm: 288),
      ])
  }

  private func row(_ run: Identifier = run, workout: Identifier? = nil, ended: Bool = true) -> RunRow {
    RunRow(
      id: run, startedAt: WatchTime(nanoseconds: 5), endedAt: ended ? WatchTime(nanoseconds: 9) : nil,
      runType: .outdoor, mode: .training, personality: "calm", healthKitWorkoutUUID: workout)
  }

  private static func at(_ seconds: Double) -> VirtualTime { .start + .milliseconds(Int64(seconds * 1_000)) }

  private func feed(
    _ reader: inout HealthReader, _ input: HealthReader.Input?, at seconds: Double
  ) -> [HealthReader.Effect] {
    var effects: [HealthReader.Effect] = []
    reader.receive(input, at: Self.at(seconds), into: &effects)
    return effects
  }

  // MARK: Bytes

  @Test(arguments: [0, 1, 17, 20_000])
  func `a truth survives encoding and decoding`(points: Int) {
    let truth = Self.truth(points: points)
    #expect(WorkoutTruth(truth.bytes) == truth)
    #expect(truth.bytes.count < 300 + 18 * points)
  }

  @Test func `truncated or changed bytes are refused without a crash`() {
    let bytes = Self.truth().bytes
    for count in 0..<bytes.count { #expect(WorkoutTruth(Array(bytes.prefix(count))) == nil) }
    #expect(WorkoutTruth(bytes + [0]) == nil)
    var random = SplitMix(seed: 3)
    for _ in 0..<2_000 {
      var damaged = bytes
      damaged[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      // It is decoded or refused.
      _ = WorkoutTruth(damaged)
    }
    #expect(HealthQuery([9] + HealthQuery.all.bytes.dropFirst()) == nil && HealthQuery([]) == nil)
    for query in [HealthQuery.all, .run(Self.run), .workout(Self.uuid)] { #expect(HealthQuery(query.bytes) == query) }
  }

  @Test func `a truth that is longer than a frame comes in parts, and a part that is missing spoils it`() {
    let truth = Self.truth(points: 40_000)
    let frames = HealthFrames.make(.reply, about: Self.uuid, epoch: Epoch(1), truth.bytes)
    #expect(frames.count == 4 && frames.allSatisfy { $0.payload.count <= Frame.payloadBytesMax })
    var parts = HealthFrames.Assembly()
    #expect(frames.dropLast().allSatisfy { parts.append($0) == nil })
    #expect(parts.append(frames[3]).flatMap { WorkoutTruth($0) } == truth)
    #expect(parts.append(frames[0]) == nil && parts.append(frames[2]) == nil && parts.append(frames[3]) == nil)
    #expect(frames.dropLast().allSatisfy { parts.append($0) == nil } && parts.append(frames[3]) != nil)
  }

  // MARK: Fetching

  @Test func `what is not there yet is asked for after 1 s, then twice as long, at most a minute`() {
    var reader = HealthReader(restoring: [row(ended: false)], model: Self.model)
    let asked = HealthQuery.workout(Self.uuid)
    let first = feed(&reader, .finished(Self.run, workout: Self.uuid), at: 10)
    #expect(first == [.linked(run: Self.run, workout: Self.uuid, by: "run"), .ask(asked, attempt: 1)])
    var now = 10.0
    var waits: [Double] = []
    for attempt in 1...9 {
      let effects = feed(&reader, .answered(asked, .absent), at: now)
      guard case .absent(asked, attempt, let retryAt)? = effects.first else {
        Issue.record("\(effects)")
        return
      }
      #expect(reader.nextDeadline == retryAt)
      waits.append((retryAt - Self.at(now)).seconds)
      now += waits.last ?? 0
      #expect(feed(&reader, nil, at: now - 0.001) == [])
      #expect(feed(&reader, nil, at: now) == [.ask(asked, attempt: attempt + 1)])
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    #expect(reader.rows.first?.cached == nil)
    let truth = Self.truth()
    let cached = CachedTruth(distanceMeters: 5_000.67, durationSeconds: 1_450, avgPaceSecPerKm: 289.96)
    #expect(feed(&reader, .answered(asked, .truth(truth)), at: now) == [.truth(truth, cached)])
    #expect(reader.rows.first?.cached == cached && reader.nextDeadline == nil)
    // A second copy of the answer is ignored.
    #expect(feed(&reader, .answered(asked, .truth(truth)), at: now) == [])
  }

  @Test func `an answer that is lost is asked for again after 5 s`() {
    var reader = HealthReader(restoring: [row(workout: Self.uuid)], model: Self.model)
    #expect(feed(&reader, .began, at: 0) == [.ask(.workout(Self.uuid), attempt: 1)])
    #expect(feed(&reader, nil, at: 4.999) == [])
    #expect(feed(&reader, nil, at: 5) == [.ask(.workout(Self.uuid), attempt: 2)])
  }

  // MARK: Links

  @Test func `a run without its workout's name is found by its own`() {
    var reader = HealthReader(restoring: [row()], model: Self.model)
    #expect(feed(&reader, .began, at: 0) == [.ask(.run(Self.run), attempt: 1)])
    let effects = feed(&reader, .answered(.run(Self.run), .truth(Self.truth())), at: 1)
    #expect(effects.first == .linked(run: Self.run, workout: Self.uuid, by: "run"))
    #expect(reader.rows.first?.healthKitWorkoutUUID == Self.uuid)
  }

  @Test func `a store that was wiped is filled from the workouts, whose runs have rows again`() {
    var reader = HealthReader(restoring: [row(workout: Self.uuid)], model: Self.model)
    #expect(feed(&reader, .wiped, at: 0) == [.ask(.all, attempt: 1)])
    #expect(reader.rows == [])
    let other = Self.truth(run: Identifier(high: 1, low: 9), uuid: Identifier(high: 2, low: 9))
    let effects = feed(
      &reader, .answered(.all, .workouts([Self.truth().workout, other.workout])), at: 1)
    var restored = Self.model
    restored.id = Self.run
    restored.startedAt = WatchTime(nanoseconds: 5)
    restored.endedAt = WatchTime(nanoseconds: 9)
    restored.healthKitWorkoutUUID = Self.uuid
    #expect(
      Array(effects.prefix(3)) == [
        .restored(restored), .linked(run: Self.run, workout: Self.uuid, by: "workout"),
        .ask(.workout(Self.uuid), attempt: 1),
      ])
    #expect(effects.count == 6 && reader.rows.count == 2)
    // The same list once more changes nothing.
    #expect(feed(&reader, .answered(.all, .workouts([other.workout])), at: 1) == [])
  }

  @Test func `a run whose end was never heard is linked from its workout`() {
    var reader = HealthReader(restoring: [row(ended: false)], model: Self.model)
    _ = feed(&reader, .opened, at: 0)
    let effects = feed(&reader, .answered(.all, .workouts([Self.truth().workout])), at: 1)
    #expect(
      effects == [
        .linked(run: Self.run, workout: Self.uuid, by: "workout"), .ask(.workout(Self.uuid), attempt: 1),
      ])
    #expect(reader.rows.first?.endedAt == WatchTime(nanoseconds: 9))
  }

  @Test func `a run that the phone tracked itself is asked for by nothing but a workout that is there`() {
    var own = row()
    own.isTrackedHere = true
    let other = Identifier(high: 1, low: 2)
    var reader = HealthReader(restoring: [own, row(other)], model: Self.model)
    #expect(feed(&reader, .began, at: 0) == [.ask(.run(other), attempt: 1)])
    #expect(feed(&reader, .opened, at: 1) == [.ask(.all, attempt: 1)])
    // The watch has saved it as well.
    let effects = feed(&reader, .answered(.all, .workouts([Self.truth().workout])), at: 2)
    #expect(effects.contains(.ask(.workout(Self.uuid), attempt: 1)))
    #expect(effects.contains(.linked(run: Self.run, workout: Self.uuid, by: "workout")))
  }
}
