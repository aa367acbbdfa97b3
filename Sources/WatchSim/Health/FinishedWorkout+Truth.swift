package import CoachProtocol

extension FinishedWorkout {
  /// The workout as a fetch from the health store returns it.
  ///
  /// Splits are derived from the stored samples only: watch and store agree because both interpolate between the same
  /// samples, not because one copies the other.
  package var truth: WorkoutTruth {
    var route: [RoutePoint] = []
    var heartRates: [HeartRateReading] = []
    var tracker = SplitTracker(splitUnit)
    for sample in samples {
      let offset = Int64(sample.offsetMilliseconds)
      if let position = sample.position {
        route.append(
          RoutePoint(
            offsetMilliseconds: offset, latitudeE7: position.latitudeE7, longitudeE7: position.longitudeE7))
      }
      if sample.heartRate > 0 {
        heartRates.append(HeartRateReading(offsetMilliseconds: offset, beatsPerMinute: Int(sample.heartRate)))
      }
      tracker.advance(
        toCentimetres: Int64(sample.distanceCentimetres), activeMilliseconds: Int64(sample.activeMilliseconds),
        heartRate: sample.isActive ? sample.heartRate : 0)
    }
    return WorkoutTruth(workout: healthWorkout, route: route, hrSeries: heartRates, splits: tracker.splits)
  }

  private var healthWorkout: HealthWorkout {
    HealthWorkout(
      uuid: healthKitWorkoutUUID, aarcRunId: workoutId, startedAt: startedAt, endedAt: endedAt,
      duration: Double(activeMilliseconds) / 1000, distance: Double(distanceCentimetres) / 100,
      energyKcal: Double(energyDecikilocalories) / 10, steps: steps, pauses: pauses)
  }

  /// Steps on foot by the readings of the cadence; without any, by strides of 90 cm.
  private var steps: Int {
    guard discipline == .running else { return 0 }
    var (milliseconds, counted): (Int64, Int64) = (0, 0)
    for sample in samples {
      let time = Int64(sample.activeMilliseconds)
      if sample.isActive { counted += max(0, time - milliseconds) * Int64(sample.cadence) }
      milliseconds = time
    }
    return Int(counted > 0 ? counted / 60_000 : distanceCentimetres / 90)
  }

  /// Pauses from pairs of events; a pause without an end lasts until the workout's end.
  private var pauses: [HealthWorkout.Pause] {
    var pauses: [HealthWorkout.Pause] = []
    var from: Int64?
    for event in events {
      switch event.kind {
      case .pause: from = event.offsetMilliseconds
      case .resume:
        guard let begun = from else { continue }
        pauses.append(.init(fromMilliseconds: begun, toMilliseconds: event.offsetMilliseconds))
        from = nil
      }
    }
    if let begun = from { pauses.append(.init(fromMilliseconds: begun, toMilliseconds: lengthMilliseconds)) }
    return pauses
  }
}
