public import Link

/// What an app asks the health store of its device.
public enum HealthQuery: Sendable, Hashable {
  /// Every workout of this app, without what was measured in it.
  case all
  /// The workout with this name of the store's own.
  case workout(Identifier)
  /// The workout of a run, by `aarcRunId` in its metadata.
  case run(Identifier)

  /// The query as bytes: which one, and a name of 16 bytes.
  public var bytes: [UInt8] {
    let (which, name): (UInt8, Identifier) =
      switch self {
      case .all: (0, Identifier(high: 0, low: 0))
      case .workout(let uuid): (1, uuid)
      case .run(let runId): (2, runId)
      }
    var writer = HealthBytes()
    writer.append(which)
    writer.append(name)
    return writer.bytes
  }

  /// Reads a query; nil for bytes that are none.
  public init?(_ bytes: [UInt8]) {
    var reader = HealthBytes.Reader(bytes)
    guard let which = reader.byte(), let name = reader.identifier(), reader.isAtEnd else { return nil }
    switch which {
    case 0: self = .all
    case 1: self = .workout(name)
    case 2: self = .run(name)
    default: return nil
    }
  }
}

/// What the health store answers.
public enum HealthAnswer: Sendable, Equatable {
  /// Every workout of the app, in the order of their saving; no pauses in them.
  case workouts([HealthWorkout])
  /// What is known of the one that was asked for.
  case truth(WorkoutTruth)
  /// There is no such workout, or it has not come yet.
  case absent

  /// Reads the bytes of an answer; nil for bytes that are none.
  ///
  /// - Parameter query: What was asked.
  public init?(_ bytes: [UInt8], to query: HealthQuery) {
    if query == .all {
      var reader = HealthBytes.Reader(bytes)
      var workouts: [HealthWorkout] = []
      while !reader.isAtEnd {
        guard let workout = reader.workout() else { return nil }
        workouts.append(workout)
      }
      self = .workouts(workouts)
    } else if bytes.isEmpty {
      self = .absent
    } else {
      guard let truth = WorkoutTruth(bytes) else { return nil }
      self = .truth(truth)
    }
  }
}

extension HealthWorkout {
  /// The bytes of a workout without its pauses: what a truth begins with.
  public static let headBytes = 72
}

extension WorkoutTruth {
  /// Everything that is known of a workout, as the health store hands it over; little-endian.
  public var bytes: [UInt8] {
    var writer = HealthBytes()
    writer.bytes.reserveCapacity(HealthWorkout.headBytes + route.count * 12 + hrSeries.count * 6 + 1_024)
    writer.append(workout)
    writer.append(UInt32(clamping: workout.pauses.count))
    for pause in workout.pauses {
      writer.append(UInt64(bitPattern: pause.fromMilliseconds))
      writer.append(UInt64(bitPattern: pause.toMilliseconds))
    }
    writer.append(UInt32(clamping: route.count))
    for point in route {
      writer.append(UInt32(clamping: point.offsetMilliseconds))
      writer.append(UInt32(bitPattern: point.latitudeE7))
      writer.append(UInt32(bitPattern: point.longitudeE7))
    }
    writer.append(UInt32(clamping: hrSeries.count))
    for reading in hrSeries {
      writer.append(UInt32(clamping: reading.offsetMilliseconds))
      writer.append(UInt16(clamping: reading.beatsPerMinute))
    }
    writer.append(UInt32(clamping: splits.count))
    for split in splits {
      writer.append(UInt32(clamping: split.kmIndex))
      writer.append(split.durationSeconds.bitPattern)
      writer.append(split.paceSecPerKm.bitPattern)
      writer.append(UInt16(clamping: split.avgHeartRate ?? 0))
    }
    return writer.bytes
  }

  /// Reads what the health store handed over; nil for bytes that are no workout.
  public init?(_ bytes: [UInt8]) {
    var reader = HealthBytes.Reader(bytes)
    guard var workout = reader.workout(), let pauses = reader.count(of: 16) else { return nil }
    for _ in 0..<pauses {
      guard let from = reader.number(UInt64.self), let to = reader.number(UInt64.self) else { return nil }
      workout.pauses.append(
        HealthWorkout.Pause(fromMilliseconds: Int64(bitPattern: from), toMilliseconds: Int64(bitPattern: to)))
    }
    guard let points = reader.count(of: 12) else { return nil }
    var route: [RoutePoint] = []
    route.reserveCapacity(points)
    for _ in 0..<points {
      guard let offset = reader.number(UInt32.self), let north = reader.number(UInt32.self),
        let east = reader.number(UInt32.self)
      else { return nil }
      route.append(
        RoutePoint(
          offsetMilliseconds: Int64(offset), latitudeE7: Int32(bitPattern: north), longitudeE7: Int32(bitPattern: east))
      )
    }
    guard let readings = reader.count(of: 6) else { return nil }
    var series: [HeartRateReading] = []
    series.reserveCapacity(readings)
    for _ in 0..<readings {
      guard let offset = reader.number(UInt32.self), let rate = reader.number(UInt16.self) else { return nil }
      series.append(HeartRateReading(offsetMilliseconds: Int64(offset), beatsPerMinute: Int(rate)))
    }
    guard let count = reader.count(of: 22) else { return nil }
    var splits: [Split] = []
    for _ in 0..<count {
      guard let index = reader.number(UInt32.self), let duration = reader.number(UInt64.self),
        let pace = reader.number(UInt64.self), let rate = reader.number(UInt16.self)
      else { return nil }
      splits.append(
        Split(
          kmIndex: Int(index), durationSeconds: Double(bitPattern: duration), paceSecPerKm: Double(bitPattern: pace),
          avgHeartRate: rate == 0 ? nil : Int(rate)))
    }
    guard reader.isAtEnd else { return nil }
    self.init(workout: workout, route: route, hrSeries: series, splits: splits)
  }
}
