import Link

/// What a device records of the athlete without an app.
struct PassiveRecording: Sendable, Equatable {
  /// The values up to which samples were made.
  var stored = BodyReading()
  /// The second of the last sample.
  var second: Int64 = 0
  static let every: Int64 = 60
}

/// Samples of the athlete: for a workout each second, and for the store.
extension HealthDaemon {
  /// Whether a workout collects, so that each second matters.
  var isCollecting: Bool {
    guard let current, let session = sessions[current] else { return false }
    return session.builder.collects && session.builder.state == .active
  }

  /// A second of the athlete has passed.
  mutating func measure(_ reading: BodyReading, second: Int64) {
    if isCollecting, let current {
      measureWorkout(current, reading)
      // What a workout has measured is not recorded a second time.
      passive.stored = reading
      passive.second = second
      return
    }
    guard second % PassiveRecording.every == 0, second > passive.second else { return }
    recordPassively(reading, second)
  }

  // MARK: In a workout

  private mutating func measureWorkout(_ id: UInt64, _ reading: BodyReading) {
    let clock = clock
    guard let session = sessions[id] else { return }
    guard session.state == .running || session.state == .paused else { return }
    guard let before = session.builder.measured else {
      sessions[id]?.builder.measured = reading
      sessions[id]?.builder.stored = reading
      sessions[id]?.builder.storedAt = clock
      return
    }
    sessions[id]?.builder.measured = reading
    var changed: Set<String> = []
    func isCollected(_ type: String) -> Bool { session.builder.types.contains(type) && access(to: type).read == 2 }
    // The heart's samples go on in a pause.
    if reading.heartRate > 0, !has(.noHeartRate), isCollected(HealthType.heartRate),
      clock - session.builder.heartRateAt >= setup.settings.heartRateEvery.nanoseconds
    {
      sessions[id]?.builder.heartRateAt = clock
      sessions[id]?.builder.add(
        Double(reading.heartRate), "count/min", HealthType.heartRate, from: clock, to: clock)
      addToStore(id, HealthType.heartRate, Double(reading.heartRate), "count/min", from: clock)
      changed.insert(HealthType.heartRate)
    }
    if session.state == .running {
      let begin = clock - 1_000_000_000
      for (type, value, unit) in sums(of: reading, since: before, session.activity) where value > 0 && isCollected(type)
      {
        sessions[id]?.builder.add(value, unit, type, from: begin, to: clock)
        changed.insert(type)
      }
      if has(.distanceBackwards), draw(below: 8) == 0 {
        let deficit = Double(2 + draw(below: 6))
        sessions[id]?.builder.deficit = deficit
      } else {
        sessions[id]?.builder.deficit = 0
      }
    } else {
      // What the athlete does in a pause is not the workout's.
      sessions[id]?.builder.stored = reading
      sessions[id]?.builder.storedAt = clock
    }
    if clock - session.builder.storedAt >= setup.settings.heartRateEvery.nanoseconds { storeMeasured(of: id) }
    tellCollected(id, types: changed)
  }

  /// Saves the sums since the last time as samples of the workout.
  mutating func storeMeasured(of id: UInt64, isLast: Bool = false) {
    let clock = clock
    guard let session = sessions[id], let stored = session.builder.stored, let measured = session.builder.measured
    else { return }
    sessions[id]?.builder.stored = measured
    sessions[id]?.builder.storedAt = clock
    for (type, value, unit) in sums(of: measured, since: stored, session.activity)
    where value > 0 && session.builder.types.contains(type) && access(to: type).read == 2 {
      addToStore(id, type, value, unit, from: session.builder.storedAt)
    }
    scheduleSync()
  }

  private mutating func addToStore(_ id: UInt64, _ type: String, _ value: Double, _ unit: String, from begin: Int64) {
    let sample = makeSample(type, value, unit, from: begin, to: clock)
    store.add(sample)
    sessions[id]?.builder.samples.insert(sample.uuid)
    tellObservers(of: [type])
  }

  private func sums(
    of reading: BodyReading, since before: BodyReading, _ activity: Int64
  ) -> [(type: String, value: Double, unit: String)] {
    let distance =
      switch activity {
      case 13: HealthType.cycling
      case 46: HealthType.swimming
      default: HealthType.distance
      }
    return [
      (distance, Double(reading.distanceMillimetres - before.distanceMillimetres) / 1_000, "m"),
      (HealthType.activeEnergy, Double(reading.energyDecikilocalories - before.energyDecikilocalories) / 10, "kcal"),
      (HealthType.steps, Double(reading.steps - before.steps), "count"),
    ]
  }

  // MARK: Outside

  private mutating func recordPassively(_ reading: BodyReading, _ second: Int64) {
    let before = passive.stored
    let begin = setup.startedAt &+ passive.second &* 1_000_000_000 &+ skew
    let end = setup.startedAt &+ second &* 1_000_000_000 &+ skew
    passive.stored = reading
    passive.second = second
    guard role == .watch || setup.settings.isPhoneCarried else { return }
    var types: Set<String> = []
    for (type, value, unit) in sums(of: reading, since: before, 0) where value > 0 {
      guard role == .watch || type != HealthType.activeEnergy else { continue }
      store.add(makeSample(type, value, unit, from: begin, to: end), isSynced: role == .phone)
      types.insert(type)
    }
    if role == .watch, second % 300 == 0, reading.heartRate > 0, !has(.noHeartRate) {
      store.add(makeSample(HealthType.heartRate, Double(reading.heartRate), "count/min", from: end, to: end))
      types.insert(HealthType.heartRate)
    }
    tellObservers(of: types)
    if !types.isEmpty { scheduleSync() }
  }

  private mutating func makeSample(
    _ type: String, _ value: Double, _ unit: String, from begin: Int64, to end: Int64
  ) -> HealthSample {
    var sample = HealthSample()
    sample.uuid = drawIdentifier()
    sample.type = type
    sample.start = begin
    sample.end = end
    sample.value = value
    sample.unit = unit
    sample.sourceName = role == .watch ? "Apple Watch" : "iPhone"
    sample.source = role == .watch ? "com.apple.health.watch" : "com.apple.health.phone"
    sample.device = sample.sourceName
    return sample
  }
}
