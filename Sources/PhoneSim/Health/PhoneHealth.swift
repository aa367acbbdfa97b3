package import CoachProtocol
package import Link

/// The health store of the phone: what the athlete's devices measured, and the workouts that the platform brought from
/// the watch.
///
/// It belongs to the system, so it outlives the app. Everything that the app knows of steps, energy, exercise and sleep
/// it reads here, whichever part asks.
package struct PhoneHealth: Sendable {
  package let athlete: Athlete
  /// The scenario's failures of the stores, of which some change samples.
  private let failures: [StoreFailure]
  private let ids: RandomStream
  /// In the order in which they arrived.
  var workouts: [HealthWorkout] = []

  /// - Parameters:
  ///   - startedAt: The scenario's start, in nanoseconds since 1970.
  ///   - ingestion: What a scenario says of the samples; nil for nothing.
  package init(seed: UInt64, startedAt: Int64, offsets: [WallHour.Offset], ingestion: IngestionSetup? = nil) {
    athlete = Athlete(seed: seed, startedAt: startedAt, offsets: offsets, sampleCount: ingestion?.samples)
    failures = ingestion?.failures ?? []
    ids = RandomStream(seed: seed, name: "phone.apple.workout")
  }

  /// The samples that start in the period of a day, by their start.
  ///
  /// - Parameters:
  ///   - seconds: The true time in seconds since 1970; no sensor has measured anything after it.
  ///   - now: The instant, for what was changed afterwards.
  func samples(_ type: AppleDataType, of day: LocalDay, until seconds: Int64, at now: VirtualTime) -> [AppleSample] {
    var samples = athlete.samples(type, of: day, until: seconds)
    let own = workouts(of: day).compactMap { sample(type, of: $0) }
    if !own.isEmpty { samples = (samples + own).sorted { ($0.start, $0.id) < ($1.start, $1.id) } }
    return failures.changing(samples, type, at: now)
  }

  private func workouts(of day: LocalDay) -> [HealthWorkout] {
    guard !workouts.isEmpty else { return [] }
    let period = athlete.zone.period(of: day, .calories)
    return workouts.filter { period.contains(Self.time(of: $0).lowerBound) }
  }

  /// From start to end, in seconds since 1970.
  private static func time(of workout: HealthWorkout) -> Range<Int64> {
    let start = CalendarDay.floorDivided(workout.startedAt.nanoseconds, 1_000_000_000)
    return start..<max(start, CalendarDay.floorDivided(workout.endedAt.nanoseconds, 1_000_000_000))
  }

  /// What a workout adds to the samples of a type; nil for nothing.
  private func sample(_ type: AppleDataType, of workout: HealthWorkout) -> AppleSample? {
    let amount: Double
    switch type {
    case .calories: amount = workout.energyKcal
    case .exercise: amount = (workout.duration / 60).rounded(.down)
    case .sleep, .mindfulness, .calendar, .reminders: return nil
    }
    guard amount > 0 else { return nil }
    let time = Self.time(of: workout)
    let id = Identifier(ids, for: RandomStream.key(workout.uuid.high ^ workout.uuid.low, UInt64(type.index)))
    return AppleSample(id: id.text, start: time.lowerBound, end: time.upperBound, value: "", amount: amount)
  }

  // MARK: Access

  /// Whether queries for a type bring nothing: the user took the permission away, or the device is locked.
  ///
  /// - Parameter type: Nil for what no scenario names, such as steps, which only a failure of all types is about.
  func isRefused(_ type: AppleDataType?, at now: VirtualTime) -> Bool {
    failures.contains { $0.refuses && $0.applies(to: type, at: now) }
  }

  /// What of the totals cannot be read now, as traces name it.
  func refusedTypes(at now: VirtualTime) -> [String] {
    [AppleDataType.sleep, .calories].filter { isRefused($0, at: now) }.map(\.rawValue)
      + (isRefused(nil, at: now) ? ["steps"] : [])
  }

  /// The local day to which a workout's start belongs.
  func day(of workout: HealthWorkout) -> LocalDay { athlete.zone.day(at: Self.time(of: workout).lowerBound) }

  // MARK: Statistics

  /// A day's totals as an app gets them: what cannot be read now stays as it was known.
  func snapshot(
    of day: LocalDay, until seconds: Int64, at now: VirtualTime, knowing known: HealthSnapshot
  ) -> HealthSnapshot {
    var health = snapshot(of: day, until: seconds, at: now)
    if isRefused(.calories, at: now) { health.calories = known.calories }
    if isRefused(.sleep, at: now) { health.sleepHours = known.sleepHours }
    if isRefused(nil, at: now) {
      (health.steps, health.hrv, health.weight) = (known.steps, known.hrv, known.weight)
    }
    return health
  }

  /// A day's totals: steps and energy of the day, the sleep of the night that begins on it once it is over, and what its
  /// morning measured.
  func snapshot(of day: LocalDay, until seconds: Int64, at now: VirtualTime) -> HealthSnapshot {
    var health = HealthSnapshot()
    let period = athlete.zone.period(of: day, .calories)
    let workouts = workouts(of: day)
    // A journey may leave a few minutes of a day, and its night.
    let hasMeasured = min(period.lowerBound + Athlete.quarterSeconds, period.upperBound) <= seconds
    guard hasMeasured && !period.isEmpty || !workouts.isEmpty else {
      // A journey over the date line may leave out a day, and not its night.
      if period.isEmpty { health.sleepHours = sleepHours(of: day, until: seconds, at: now) }
      return health
    }
    let walked =
      athlete.moves(of: day, until: seconds).map {
        SourceQuantity(source: Athlete.phone, time: $0.start..<$0.end, value: Double($0.steps))
      }
      + workouts.map { SourceQuantity(source: AppleSample.watch, time: Self.time(of: $0), value: Double($0.steps)) }
    health.steps = Self.whole(SourceQuantity.total(walked))
    health.calories = Self.whole(
      SourceQuantity.total(samples(.calories, of: day, until: seconds, at: now).map(\.quantity)))
    health.sleepHours = sleepHours(of: day, until: seconds, at: now)
    if let morning = athlete.morning(of: day, until: seconds) {
      (health.hrv, health.weight) = (morning.hrv, morning.weight)
    }
    return health
  }

  /// The hours asleep in the night that begins on a day, to the hundredth; nil before it is over, and for none.
  private func sleepHours(of day: LocalDay, until seconds: Int64, at now: VirtualTime) -> Double? {
    guard isNightOver(day, until: seconds, at: now) else { return nil }
    return hoursAsleep(inNightOf: day, until: seconds, at: now).map { ($0 * 100).rounded() / 100 }
  }

  /// Whether the store has the night of a day as a whole: the time in bed is stored when it ends.
  private func isNightOver(_ day: LocalDay, until seconds: Int64, at now: VirtualTime) -> Bool {
    guard seconds < athlete.zone.period(of: day, .sleep).upperBound else { return true }
    return samples(.sleep, of: day, until: seconds, at: now).contains { $0.value == "inBed" }
  }

  private static func whole(_ value: Double) -> Int { Int(min(value, 1_000_000_000).rounded()) }

  /// The hours asleep in the night that begins on a day, as far as they are in the store, if any.
  package func hoursAsleep(inNightOf day: LocalDay, until seconds: Int64, at now: VirtualTime) -> Double? {
    let asleep = samples(.sleep, of: day, until: seconds, at: now).filter { AppleDataParser.asleep.contains($0.value) }
    let covered = AppleDataParser.covered(asleep.map { $0.start..<$0.end })
    return covered > 0 ? Double(covered) / 3_600 : nil
  }
}

extension [StoreFailure] {
  /// Samples as they are after corrections and deletions that are in effect.
  func changing(_ samples: [AppleSample], _ type: AppleDataType, at now: VirtualTime) -> [AppleSample] {
    guard contains(where: { $0.changesSamples && $0.applies(to: type, at: now) }) else { return samples }
    func has(_ effect: StoreFailure.Effect) -> Bool {
      contains { $0.effect == effect && $0.applies(to: type, at: now) }
    }
    var samples = samples
    if has(.delete) { samples = samples.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) }
    return has(.correct) ? samples.map { $0.corrected(type) } : samples
  }
}

extension StoreFailure {
  /// Whether an app's query for a type brings nothing.
  var refuses: Bool { effect == .denied || effect == .unavailable }

  /// Whether it is about what the store has, and not about an app's query.
  package var changesSamples: Bool { effect == .correct || effect == .delete }
}

/// The workouts of the phone's health store whose days a reader of totals has read.
///
/// A workout that was paused over nights, or that the watch brings days later, counts on the day on which it began: the
/// reader reads that day again.
struct CountedWorkouts {
  private var ids: Set<Identifier> = []

  /// Counts the workouts that came since the last call, or since the app started, and returns their days.
  ///
  /// - Parameter canRead: Whether the reader may read now what workouts change. While it may not, they stay new, so that
  ///   their days are read later.
  mutating func countNew(in health: PhoneHealth?, canRead: Bool) -> Set<LocalDay> {
    guard let health else { return [] }
    let new = health.workouts.filter { !ids.contains($0.uuid) }
    if canRead { ids.formUnion(new.map(\.uuid)) }
    return Set(new.map { health.day(of: $0) })
  }
}
