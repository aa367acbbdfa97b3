public import Link

/// A complete workout of the health store: fetched on demand, stored nowhere else.
public struct WorkoutTruth: Sendable, Equatable {
  public var workout: HealthWorkout
  /// One point a second while the position was known.
  public var route: [RoutePoint]
  /// One reading a second if there was one.
  public var hrSeries: [HeartRateReading]
  /// The completed kilometres, interpolated between the stored distances, without pauses.
  public var splits: [Split]

  public init(workout: HealthWorkout, route: [RoutePoint], hrSeries: [HeartRateReading], splits: [Split]) {
    self.workout = workout
    self.route = route
    self.hrSeries = hrSeries
    self.splits = splits
  }
}

public struct HealthWorkout: Sendable, Equatable {
  /// The store's own id.
  public var uuid: Identifier
  /// The app's id, from the metadata.
  public var aarcRunId: Identifier
  /// By the watch's clock.
  public var startedAt: WatchTime
  /// By the watch's clock.
  public var endedAt: WatchTime
  /// Seconds without pauses, three decimals.
  public var duration: Double
  /// Metres, two decimals.
  public var distance: Double
  /// Active energy in kilocalories, one decimal.
  public var energyKcal: Double
  /// Steps on foot; 0 in other sports.
  public var steps: Int
  /// In order; the last one may end with the workout.
  public var pauses: [Pause]

  /// A pause, in milliseconds since the start, pauses included.
  public struct Pause: Sendable, Equatable {
    public var fromMilliseconds: Int64
    public var toMilliseconds: Int64

    public init(fromMilliseconds: Int64, toMilliseconds: Int64) {
      self.fromMilliseconds = fromMilliseconds
      self.toMilliseconds = toMilliseconds
    }
  }

  public init(
    uuid: Identifier, aarcRunId: Identifier, startedAt: WatchTime, endedAt: WatchTime, duration: Double,
    distance: Double, energyKcal: Double, steps: Int = 0, pauses: [Pause]
  ) {
    self.uuid = uuid
    self.aarcRunId = aarcRunId
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.duration = duration
    self.distance = distance
    self.energyKcal = energyKcal
    self.steps = steps
    self.pauses = pauses
  }
}

public struct RoutePoint: Sendable, Equatable {
  /// Milliseconds since the workout's start, pauses included.
  public var offsetMilliseconds: Int64
  /// Degrees north times 10^7 (WGS 84).
  public var latitudeE7: Int32
  /// Degrees east times 10^7.
  public var longitudeE7: Int32

  public init(offsetMilliseconds: Int64, latitudeE7: Int32, longitudeE7: Int32) {
    self.offsetMilliseconds = offsetMilliseconds
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
  }
}

public struct HeartRateReading: Sendable, Equatable {
  /// Milliseconds since the workout's start, pauses included.
  public var offsetMilliseconds: Int64
  /// Beats per minute, above 0.
  public var beatsPerMinute: Int

  public init(offsetMilliseconds: Int64, beatsPerMinute: Int) {
    self.offsetMilliseconds = offsetMilliseconds
    self.beatsPerMinute = beatsPerMinute
  }
}
