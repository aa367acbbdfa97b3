public import Link

/// What the health store knows of one workout: fetched on demand, copied nowhere.
public struct WorkoutTruth: Sendable, Equatable {
  /// The workout itself.
  public var workout: HealthWorkout
  /// Where it went, a point a second where a position was known.
  public var route: [RoutePoint]
  /// The heart rate, a reading a second where there was one.
  public var hrSeries: [HeartRateReading]
  /// The completed kilometres, interpolated between the stored distances, pauses excluded.
  public var splits: [Split]

  /// Creates the answer to a fetch.
  public init(workout: HealthWorkout, route: [RoutePoint], hrSeries: [HeartRateReading], splits: [Split]) {
    self.workout = workout
    self.route = route
    self.hrSeries = hrSeries
    self.splits = splits
  }
}

/// A stored workout.
public struct HealthWorkout: Sendable, Equatable {
  /// The store's own name for it.
  public var uuid: Identifier
  /// The app's name for it, from the metadata.
  public var aarcRunId: Identifier
  /// When it started, by the watch's clock.
  public var startedAt: WatchTime
  /// When it ended, by the watch's clock.
  public var endedAt: WatchTime
  /// Seconds without pauses, three decimals.
  public var duration: Double
  /// Metres, two decimals.
  public var distance: Double
  /// Active energy in kilocalories, one decimal.
  public var energyKcal: Double
  /// Its pauses, in order; the last one may end with the workout.
  public var pauses: [Pause]

  /// A pause, in milliseconds since the start, pauses included.
  public struct Pause: Sendable, Equatable {
    /// When it began.
    public var fromMilliseconds: Int64
    /// When it ended.
    public var toMilliseconds: Int64

    /// Creates a pause.
    public init(fromMilliseconds: Int64, toMilliseconds: Int64) {
      self.fromMilliseconds = fromMilliseconds
      self.toMilliseconds = toMilliseconds
    }
  }

  /// Creates a stored workout.
  public init(
    uuid: Identifier, aarcRunId: Identifier, startedAt: WatchTime, endedAt: WatchTime, duration: Double,
    distance: Double, energyKcal: Double, pauses: [Pause]
  ) {
    self.uuid = uuid
    self.aarcRunId = aarcRunId
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.duration = duration
    self.distance = distance
    self.energyKcal = energyKcal
    self.pauses = pauses
  }
}

/// A point of a route.
public struct RoutePoint: Sendable, Equatable {
  /// Milliseconds since the workout's start, pauses included.
  public var offsetMilliseconds: Int64
  /// Degrees north times 10^7 (WGS 84).
  public var latitudeE7: Int32
  /// Degrees east times 10^7.
  public var longitudeE7: Int32

  /// Creates a point.
  public init(offsetMilliseconds: Int64, latitudeE7: Int32, longitudeE7: Int32) {
    self.offsetMilliseconds = offsetMilliseconds
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
  }
}

/// One reading of the heart rate.
public struct HeartRateReading: Sendable, Equatable {
  /// Milliseconds since the workout's start, pauses included.
  public var offsetMilliseconds: Int64
  /// Beats per minute, above 0.
  public var beatsPerMinute: Int

  /// Creates a reading.
  public init(offsetMilliseconds: Int64, beatsPerMinute: Int) {
    self.offsetMilliseconds = offsetMilliseconds
    self.beatsPerMinute = beatsPerMinute
  }
}
