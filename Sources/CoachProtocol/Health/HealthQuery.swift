public import Link

/// A query of an app to its device's health store.
public enum HealthQuery: Sendable, Hashable {
  /// Every workout of this app, without its samples.
  case all
  /// The workout with this UUID of the store's own.
  case workout(Identifier)
  /// The workout of a run, by `aarcRunId` in its metadata.
  case run(Identifier)
  /// Every workout of this app, now and whenever there is another one, as long as the app lives.
  case observed

  /// The query's kind, and an id of 16 bytes.
  public var bytes: [UInt8] {
    let (which, name): (UInt8, Identifier) =
      switch self {
      case .all: (0, Identifier(high: 0, low: 0))
      case .workout(let uuid): (1, uuid)
      case .run(let runId): (2, runId)
      case .observed: (3, Identifier(high: 0, low: 0))
      }
    var writer = HealthBytes()
    writer.append(which)
    writer.append(name)
    return writer.bytes
  }

  /// Decodes a query; nil for invalid bytes.
  public init?(_ bytes: [UInt8]) {
    var reader = HealthBytes.Reader(bytes)
    guard let which = reader.byte(), let name = reader.identifier(), reader.isAtEnd else { return nil }
    switch which {
    case 0: self = .all
    case 1: self = .workout(name)
    case 2: self = .run(name)
    case 3: self = .observed
    default: return nil
    }
  }
}

/// The health store's answer.
public enum HealthAnswer: Sendable, Equatable {
  /// Every workout of the app, in the order of saving, without pauses.
  case workouts([HealthWorkout])
  /// The requested workout.
  case truth(WorkoutTruth)
  /// There is no such workout, or it has not arrived yet.
  case absent

  /// Decodes an answer; nil for invalid bytes.
  ///
  /// - Parameter query: The answered query.
  public init?(_ bytes: [UInt8], to query: HealthQuery) {
    if query == .all || query == .observed {
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
  /// Size of a workout without its pauses, the beginning of an encoded truth.
  public static let headBytes = 76
}

extension WorkoutTruth {
  /// The complete workout in the health store's binary format.
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

  /// Decodes a complete workout; nil for invalid bytes.
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
