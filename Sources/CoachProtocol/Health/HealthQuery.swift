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
    var writer = ByteWriter()
    writer.append(which)
    writer.append(name)
    return writer.bytes
  }

  /// Decodes a query; nil for invalid bytes.
  public init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes, "query")
    guard let which: UInt8 = try? reader.integer(), let name = try? reader.identifier(), reader.isAtEnd else {
      return nil
    }
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
      var reader = ByteReader(bytes, "workouts")
      var workouts: [HealthWorkout] = []
      while !reader.isAtEnd {
        guard let workout = try? HealthWorkout(&reader) else { return nil }
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

  /// Writes the workout without its pauses.
  func writeHead(to bytes: inout ByteWriter) {
    bytes.append(uuid)
    bytes.append(aarcRunId)
    bytes.append(startedAt.nanoseconds)
    bytes.append(endedAt.nanoseconds)
    for figure in [duration, distance, energyKcal] { bytes.append(figure) }
    bytes.append(UInt32(clamping: steps))
  }

  /// Reads a workout without its pauses.
  init(_ bytes: inout ByteReader) throws(StoreError) {
    self.init(
      uuid: try bytes.identifier(), aarcRunId: try bytes.identifier(),
      startedAt: WatchTime(nanoseconds: try bytes.integer()), endedAt: WatchTime(nanoseconds: try bytes.integer()),
      duration: try bytes.double(), distance: try bytes.double(), energyKcal: try bytes.double(),
      steps: Int(try bytes.integer() as UInt32), pauses: [])
    for figure in [duration, distance, energyKcal] where !(figure.isFinite && figure >= 0) {
      throw bytes.error("\(figure)", expected: "a finite figure")
    }
  }
}

extension WorkoutTruth {
  /// The complete workout in the health store's binary format.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    workout.writeHead(to: &writer)
    writer.append(UInt32(clamping: workout.pauses.count))
    for pause in workout.pauses {
      writer.append(pause.fromMilliseconds)
      writer.append(pause.toMilliseconds)
    }
    writer.append(UInt32(clamping: route.count))
    for point in route {
      writer.append(UInt32(clamping: point.offsetMilliseconds))
      writer.append(point.latitudeE7)
      writer.append(point.longitudeE7)
    }
    writer.append(UInt32(clamping: hrSeries.count))
    for reading in hrSeries {
      writer.append(UInt32(clamping: reading.offsetMilliseconds))
      writer.append(UInt16(clamping: reading.beatsPerMinute))
    }
    writer.append(UInt32(clamping: splits.count))
    for split in splits {
      writer.append(UInt32(clamping: split.kmIndex))
      writer.append(split.durationSeconds)
      writer.append(split.paceSecPerKm)
      writer.append(UInt16(clamping: split.avgHeartRate ?? 0))
    }
    return writer.bytes
  }

  /// Decodes a complete workout; nil for invalid bytes.
  public init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes, "workout")
    guard let truth = try? Self(&reader), reader.isAtEnd else { return nil }
    self = truth
  }

  private init(_ bytes: inout ByteReader) throws(StoreError) {
    var workout = try HealthWorkout(&bytes)
    for _ in 0..<(try bytes.count(of: 16)) {
      workout.pauses.append(.init(fromMilliseconds: try bytes.integer(), toMilliseconds: try bytes.integer()))
    }
    self.init(workout: workout, route: [], hrSeries: [], splits: [])
    for _ in 0..<(try bytes.count(of: 12)) {
      route.append(
        RoutePoint(
          offsetMilliseconds: Int64(try bytes.integer() as UInt32), latitudeE7: try bytes.integer(),
          longitudeE7: try bytes.integer()))
    }
    for _ in 0..<(try bytes.count(of: 6)) {
      hrSeries.append(
        HeartRateReading(
          offsetMilliseconds: Int64(try bytes.integer() as UInt32), beatsPerMinute: Int(try bytes.integer() as UInt16)))
    }
    for _ in 0..<(try bytes.count(of: 22)) {
      var split = Split(
        kmIndex: Int(try bytes.integer() as UInt32), durationSeconds: try bytes.double(),
        paceSecPerKm: try bytes.double())
      let rate: UInt16 = try bytes.integer()
      if rate > 0 { split.avgHeartRate = Int(rate) }
      splits.append(split)
    }
  }
}
