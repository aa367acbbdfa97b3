package import CoachProtocol
package import Link

/// A finished workout, as stored in the health store.
package struct FinishedWorkout: Sendable, Equatable {
  /// `aarcRunId` in the stored workout's metadata.
  package var workoutId: Identifier
  /// The stored workout's own id, which `workoutEnded` passes to the phone.
  package var healthKitWorkoutUUID: Identifier
  /// When it started to run, by the watch's clock: the `sentAt` of `workoutStarted`.
  package var startedAt: WatchTime
  /// When it ended, by the watch's clock: the `sentAt` of `workoutEnded`.
  package var endedAt: WatchTime
  /// Milliseconds from start to end, pauses included.
  package var lengthMilliseconds: Int64
  /// Milliseconds of the timer, pauses excluded.
  package var activeMilliseconds: Int64
  /// Centimetres.
  package var distanceCentimetres: Int64
  /// Active energy in tenths of a kilocalorie.
  package var energyDecikilocalories: Int64
  /// One for each second and each change of state, in order.
  package var samples: [WorkoutSample]
  /// In order.
  package var events: [WorkoutEvent]
  /// The completed kilometres or miles, as published.
  package var splits: [Split]
  package var splitUnit = LengthUnit.kilometres
  /// Nil for a sport that is none.
  package var discipline: TrainingDiscipline? = .running
  /// The discipline's own records, in order; of a run, its intervals.
  package var units: [SessionUnit] = []
}

/// A pause or its end.
package struct WorkoutEvent: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case pause, resume }

  package var kind: Kind
  /// Milliseconds since the start, pauses included.
  package var offsetMilliseconds: Int64
  /// The `sentAt` of the event that announced it.
  package var date: WatchTime
}

extension FinishedWorkout {
  /// Seconds between two points of a reported route; more in a session of hours.
  static let pointSeconds = 10
  /// Points of a reported route at most, and heart rates.
  static let pointsMax = 2_000

  /// What the phone gets of the session, in parts; empty for a sport that is no discipline.
  package func reports(plants: Plants = []) -> [SessionReport] {
    guard let discipline else { return [] }
    let beats = samples.filter { $0.heartRate > 0 }
    let sum = beats.reduce(0) { $0 + Int64($1.heartRate) }
    var units = route
    if units.isEmpty, plants.contains(.poolRoute), !discipline.hasRoute { units = driftingRoute }
    units += heartRates
    if discipline == .running { units += runSplits }
    let report = SessionReport(
      workoutId: workoutId, discipline: discipline, startedAt: startedAt,
      // A clock that was set back during the session does not end it before its start.
      endedAt: max(endedAt, startedAt), activeMilliseconds: activeMilliseconds,
      distanceMillimetres: distanceCentimetres * 10,
      heartRate: beats.isEmpty ? 0 : (sum + Int64(beats.count / 2)) / Int64(beats.count),
      units: units + parts(plants))
    return report.inParts
  }

  /// The discipline's own records.
  private func parts(_ plants: Plants) -> [SessionUnit] {
    if plants.contains(.missedTurn) { return withoutATurn }
    // Planted: the times are the timer's, which does not run in a pause.
    return plants.contains(.timerStamps) ? units : unitsByClock
  }

  /// The discipline's own records with times since the start, pauses included, as heart rates and points have them.
  ///
  /// The models know the timer, and a pause stops it.
  private var unitsByClock: [SessionUnit] {
    var pauses: [(timer: Int64, length: Int64)] = []
    var (paused, begin): (Int64, Int64?) = (0, nil)
    for event in events {
      switch (event.kind, begin) {
      case (.pause, nil): begin = event.offsetMilliseconds
      case (.resume, let from?):
        pauses.append((from - paused, event.offsetMilliseconds - from))
        (paused, begin) = (paused + event.offsetMilliseconds - from, nil)
      case (.pause, _), (.resume, nil): break
      }
    }
    // A pause that the end of the session ended.
    let rest = begin.map { max(0, lengthMilliseconds - $0) } ?? 0
    guard paused > 0 || rest > 0 else { return units }
    func sinceStart(_ timer: Int64) -> Int64 {
      pauses.reduce(timer) { $0 + ($1.timer < timer ? $1.length : 0) }
    }
    let lastGait = units.lastIndex { $0.kind == .gait }
    let lastRein = units.lastIndex { $0.kind == .rein }
    return units.enumerated().map { index, unit in
      // The last stretch lasts to the end of the session, over each pause that begins with its end.
      func end() -> Int64 {
        index == lastGait || index == lastRein ? unit["to"] + paused + rest : sinceStart(unit["to"])
      }
      return switch unit.kind {
      case .gait: SessionUnit(.gait, [unit["gait"], sinceStart(unit["from"]), end(), unit["distance"]])
      case .rein: SessionUnit(.rein, [unit["rein"], sinceStart(unit["from"]), end()])
      case .shot: SessionUnit(.shot, [unit["end"], unit["index"], unit["score"], sinceStart(unit["at"])])
      case .point, .split, .interval, .heartRate: unit
      }
    }
  }

  /// The samples that are reported.
  private var reported: StrideTo<Int> {
    stride(
      from: 0, to: samples.count, by: max(Self.pointSeconds, (samples.count + Self.pointsMax - 1) / Self.pointsMax))
  }

  private var heartRates: [SessionUnit] {
    reported.compactMap { index in
      let sample = samples[index]
      guard sample.heartRate > 0 else { return nil }
      return SessionUnit(.heartRate, [Int64(sample.offsetMilliseconds), Int64(sample.heartRate)])
    }
  }

  private var route: [SessionUnit] {
    reported.compactMap { index in
      let sample = samples[index]
      guard let position = sample.position else { return nil }
      let before = samples[max(0, index - 1)]
      let way = (Int64(sample.distanceCentimetres) - Int64(before.distanceCentimetres)) * 10
      let time = Int64(sample.offsetMilliseconds) - Int64(before.offsetMilliseconds)
      return SessionUnit(
        .point,
        [
          Int64(sample.offsetMilliseconds), Int64(position.latitudeE7), Int64(position.longitudeE7),
          time > 0 ? way * 1_000 / time : 0, Int64(position.altitudeMillimetres),
          Int64(position.accuracyDecimetres) * 100,
        ])
    }
  }

  /// The points that a receiver under a roof reports: one place, with an error of some hundred metres.
  private var driftingRoute: [SessionUnit] {
    stride(from: 0, to: samples.count, by: Self.pointSeconds).map { index in
      let drift = Int64(index % 7) * 4_000
      return SessionUnit(
        .point, [Int64(samples[index].offsetMilliseconds), 525_145_000 + drift, 133_501_000 - drift, 900])
    }
  }

  /// The units without every eighth length, whose turn was not noticed.
  private var withoutATurn: [SessionUnit] {
    var count = 0
    return units.filter { unit in
      if unit.kind == .split { count += 1 }
      return unit.kind != .split || count % 8 != 0
    }
  }

  private var runSplits: [SessionUnit] {
    var first = samples.startIndex
    // The last one of the split before: what is climbed between two samples counts.
    var altitude: Int32?
    return splits.enumerated().map { number, split in
      let boundary = (Int64(number + 1) * splitUnit.millimetres + 9) / 10
      let end = samples[first...].firstIndex { $0.distanceCentimetres >= boundary } ?? samples.endIndex
      let own = samples[first..<end]
      first = end
      let steps = own.filter { $0.isActive && $0.cadence > 0 }
      let cadence = steps.isEmpty ? 0 : steps.reduce(0) { $0 + Int64($1.cadence) } / Int64(steps.count)
      var climb: Int64 = 0
      for case let at? in own.map({ $0.position?.altitudeMillimetres }) {
        climb += max(0, Int64(at) - Int64(altitude ?? at))
        altitude = at
      }
      return SessionUnit(
        .split,
        [
          splitUnit.millimetres, Int64((split.durationSeconds * 1_000).rounded()), 0, Int64(split.avgHeartRate ?? 0),
          cadence, 0, min(climb, 10_000_000),
        ])
    }
  }
}
