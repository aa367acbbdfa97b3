package import CoachProtocol

/// The parameters of the synthetic runner: a scenario's `workout.source.model`.
package struct RunnerParameters: Sendable, Equatable {
  /// Metres; the run ends at the first whole second at or past it.
  package var distance: Double = 5_000
  /// Target pace on the level, in seconds per kilometre.
  package var pace: Double = 330
  /// Seconds per kilometre by which the pace grows with each kilometre; negative gets faster.
  package var drift: Double = 0
  /// How ``pace`` is spread over the distance, in what is run without intervals.
  package var pacing = PacingStrategy.even
  /// Metres from the mean height of the course to its tops; 0 is level.
  ///
  /// A hill and its valley take a kilometre.
  package var hills: Double = 0
  /// Beats per minute at rest.
  package var restingHeartRate: Int = 60
  /// Beats per minute at most.
  package var maximumHeartRate: Int = 190
  /// Stops of the athlete, in any order.
  package var stops: [Stop] = []
  /// Run one after another from the start; what is left of the distance is run at ``pace``.
  package var intervals: [Interval] = []
  /// Amount of variation: 0 is a machine, 1 a runner (pace wobbles by 1.5 %, positions by 3 m).
  package var noise: Double = 1

  /// The defaults: five kilometres in 27:30.
  package init() {}

  /// A stop of the athlete.
  package struct Stop: Sendable, Equatable {
    /// Metres from the start.
    package var atMeters: Double
    /// Seconds; rounded to whole ones.
    package var forSeconds: Double

    package init(atMeters: Double, forSeconds: Double) {
      self.atMeters = atMeters
      self.forSeconds = forSeconds
    }
  }

  /// A stretch with a target, and a rest after it, in which the runner walks.
  package struct Interval: Sendable, Equatable {
    /// Metres.
    package var distance: Double
    /// Seconds per kilometre on the level; nil for that of the run.
    package var pace: Double?
    /// Seconds; rounded to whole ones.
    package var rest = 60.0

    package init(distance: Double, pace: Double? = nil, rest: Double = 60) {
      (self.distance, self.pace, self.rest) = (distance, pace, rest)
    }

    var restSeconds: Int64 { Int64(rest + 0.5) }
  }

  /// How many seconds the intervals and their rests take more than a run at ``pace``; negative if they are faster.
  package var intervalSeconds: Double {
    intervals.reduce(0) { sum, interval in
      sum + interval.distance / 1_000 * ((interval.pace ?? pace) - pace)
        + interval.rest * (1 - pace / IntervalRun.walk)
    }
  }

  /// Checks every value.
  ///
  /// - Throws: ``MotionError`` for the first one out of bounds, named by its key.
  package func validate() throws(MotionError) {
    try Self.check("distance", distance, 1...1_000_000, "1 to 1000000 metres")
    try Self.check("pace", pace, Self.paceBounds, "90 to 3600 seconds per kilometre")
    try Self.check("drift", drift, -300...300, "-300 to 300 seconds per kilometre")
    try Self.check("hills", hills, 0...40, "0 to 40 metres")
    try Self.check("restingHeartRate", Double(restingHeartRate), 30...120, "30 to 120 beats per minute")
    try Self.check(
      "maximumHeartRate", Double(maximumHeartRate), Double(restingHeartRate + 10)...250,
      "10 above restingHeartRate, to 250 beats per minute")
    try Self.check("noise", noise, 0...10, "0 to 10")
    try Self.check("stops", Double(stops.count), 0...1_000, "at most 1000 of them")
    for stop in stops {
      try Self.check("stops.at", stop.atMeters, 0...1_000_000, "0 to 1000000 metres")
      try Self.check("stops.for", stop.forSeconds, 1...86_400, "1 second to a day")
    }
    try Self.check("intervals", Double(intervals.count), 0...100, "at most 100 of them")
    for interval in intervals {
      try Self.check("intervals.distance", interval.distance, 10...100_000, "10 to 100000 metres")
      let pace = interval.pace ?? pace
      try Self.check("intervals.pace", pace, Self.paceBounds, "90 to 3600 seconds per kilometre")
      try Self.check("intervals.rest", interval.rest, 0...3_600, "0 seconds to an hour")
    }
  }

  /// Bounds of a runner's pace, drift and hills included, in seconds per kilometre; the fastest is below the 12 m/s
  /// that are possible on a run.
  package static let paceBounds: ClosedRange<Double> = 90...3_600

  private static func check(
    _ key: String, _ value: Double, _ bounds: ClosedRange<Double>, _ expected: String
  ) throws(MotionError) {
    // NaN is in no range.
    guard bounds.contains(value) else { throw MotionError(key: key, found: "\(value)", expected: expected) }
  }
}
