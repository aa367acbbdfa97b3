package import CoachProtocol
import Link

/// A synthetic runner from the seed: pace with drift, hills and wobble, and a heart rate that follows with a lag.
///
/// One step a second. Every draw is keyed by its second, so seconds are independent of each other; only distance and
/// pulse accumulate. Only + - * / on Doubles and integers, which give the same results on every machine.
///
/// The model and its sources:
/// * Pace: `pace + drift * km`, the pace spread as the strategy says, times half the cost of the grade, times the wobble. Cost of a grade i relative to the
///   level: 1 + 5.42 i + 12.86 i^2 (Minetti and others, J Appl Physiol 93, 2002, first terms); the athlete pays half of
///   it with time and half with effort.
/// * Heart rate: the reserve (Karvonen) times effort, approached exponentially in 45 s upwards and 60 s downwards; with
///   time it rises by 3.6 % of the reserve an hour (cardiovascular drift).
/// * Cadence: 150 steps per minute plus 6.6 for each metre per second.
/// * Hills: a wave of parabolas, a kilometre long, beginning uphill. Course: round a square of 250 m, under the
///   ``Sky``.
/// * Intervals: the effort grows as the pace does; between them the runner walks.
package struct RunnerModel: MotionSource, Equatable {
  private let pace: Double
  private let drift: Double
  private let pacing: PacingStrategy
  private let hills: Double
  private let noise: Double
  private let resting: Double
  /// Beats per minute from rest to maximum.
  private let reserve: Double
  /// The expected duration in seconds.
  package let secondsExpected: Int
  private let random: RandomStream
  private let stops: [Stop]
  private let finishMillimetres: Int64
  private let sky: Sky
  private var intervals: IntervalRun

  /// The current second, from 0.
  private var second: Int64 = 0
  /// Milliseconds into it.
  private var fraction: Int64 = 0
  /// Micrometres at its start.
  private var distance: Int64 = 0
  /// Micrometres per second in it.
  private var speed: Int64 = 0
  private var pulse: Double
  private var cadence: UInt16 = 0
  /// Random bits of this second, 16 each: pulse, pace, north, east.
  private var jitter: UInt64 = 0
  private var nextStop = 0
  private var standingSeconds: Int64 = 0

  private struct Stop: Sendable, Equatable {
    var micrometres: Int64
    var seconds: Int64
  }

  /// Places a runner at the start.
  ///
  /// - Parameters:
  ///   - parameters: Already checked by ``RunnerParameters/validate()``.
  ///   - seed: The execution's seed.
  package init(_ parameters: RunnerParameters, seed: UInt64) {
    pace = parameters.pace
    drift = parameters.drift
    pacing = parameters.pacing
    hills = parameters.hills
    noise = parameters.noise
    resting = Double(parameters.restingHeartRate)
    reserve = Double(parameters.maximumHeartRate - parameters.restingHeartRate)
    secondsExpected = Int(max(0, parameters.distance / 1000 * parameters.pace + parameters.intervalSeconds)) + 60
    sky = Sky(seed: seed, metres: 1_000, noise: parameters.noise)
    intervals = IntervalRun(parameters)
    random = RandomStream(seed: seed, name: "watch/runner")
    stops = parameters.stops.sorted { $0.atMeters < $1.atMeters }.map { stop in
      Stop(micrometres: Int64(stop.atMeters * 1e6), seconds: Int64(stop.forSeconds + 0.5))
    }
    finishMillimetres = Int64(parameters.distance * 1000)
    // A runner waiting at the start is not at rest.
    pulse = resting + 0.27 * reserve
    begin()
  }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    let whole = milliseconds / 1000
    while second < whole {
      distance += speed
      if !intervals.isEmpty, standingSeconds == 0 {
        intervals.pass(to: distance, heartRate: heartRate, cadence: cadence)
      }
      second += 1
      begin()
    }
    fraction = milliseconds - whole * 1000
    return sample
  }

  package mutating func rest(milliseconds: Int64) -> MotionSample {
    let target = resting + 0.2 * reserve
    if pulse > target { pulse += (target - pulse) * min(1, Double(milliseconds) / 60_000) }
    var sample = self.sample
    sample.cadence = 0
    return sample
  }

  /// The intervals so far.
  package var units: [SessionUnit] { intervals.units }

  @inline(__always)
  private var sample: MotionSample {
    let micrometres = distance + speed * fraction / 1000
    let millimetres = micrometres / 1000
    return MotionSample(
      distanceMillimetres: millimetres,
      energyDecikilocalories: MotionSample.energyDecikilocalories(ofMillimetres: millimetres),
      heartRate: heartRate, cadence: cadence, isPaused: standingSeconds > 0,
      isFinished: millimetres >= finishMillimetres, position: position(atMicrometres: micrometres))
  }

  /// Computes the second that begins now.
  private mutating func begin() {
    jitter = random.bits(for: UInt64(second))
    let kilometres = Double(distance) * 1e-9

    if standingSeconds > 0 { standingSeconds -= 1 }
    if standingSeconds == 0, nextStop < stops.count, distance >= stops[nextStop].micrometres {
      standingSeconds = stops[nextStop].seconds
      nextStop += 1
    }
    guard standingSeconds == 0 else {
      speed = 0
      cadence = 0
      approach(resting + 0.2 * reserve)
      return
    }

    let toll = 1 + (Self.cost(ofGrade: grade(atKilometre: kilometres)) - 1) / 2
    let wobble = 1 + noise * (0.012 * swell + 0.006 * Self.unit(jitter >> 16))
    var (target, effort) = (self.pace, 0.68)
    switch intervals.isEmpty ? .own : intervals.stretch {
    case .own where pacing == .even: break
    case .own:
      let share = pacing.share(inFirstHalf: distance < finishMillimetres * 500)
      (target, effort) = (target * share, effort / share)
    case .interval(let own): (target, effort) = (own, 0.68 * self.pace / own)
    case .rest: (target, effort) = (IntervalRun.walk, 0.4)
    }
    let pace = (target + drift * kilometres) * toll * wobble
    let bounded = min(max(pace, RunnerParameters.paceBounds.lowerBound), RunnerParameters.paceBounds.upperBound)
    speed = Int64(1e9 / bounded)
    cadence = UInt16(150.5 + 6.6e-6 * Double(speed) + noise * 1.2 * Self.unit(jitter >> 24))
    if intervals.stretch == .rest { cadence = IntervalRun.walkCadence }
    let creep = 1e-5 * Double(second)
    approach(resting + reserve * min(0.97, effort * toll + min(creep, 0.1)))
  }

  /// Moves the pulse one second towards `target`.
  private mutating func approach(_ target: Double) {
    pulse += (target - pulse) * (target > pulse ? 1.0 / 45 : 1.0 / 60)
  }

  /// The position on the square, with the receiver's error.
  @inline(__always)
  private func position(atMicrometres micrometres: Int64) -> GeoPosition {
    let lap = micrometres % 1_000_000_000
    let side = lap / 250_000_000
    let along = Double(lap - side * 250_000_000) * 1e-6
    var (north, east): (Double, Double) =
      switch side {
      case 0: (along, 0)
      case 1: (250, along)
      case 2: (250 - along, 250)
      default: (0, 250 - along)
      }
    let metre = Int(lap / 1_000_000)
    let error = noise * 3 * sky.stretch(atMetre: metre)
    north += error * Self.unit(jitter >> 32)
    east += error * Self.unit(jitter >> 48)
    return GeoPosition(
      latitudeE7: Self.latitudeE7 + Int32(north * Self.latitudeE7PerMetre),
      longitudeE7: Self.longitudeE7 + Int32(east * Self.longitudeE7PerMetre),
      altitudeMillimetres: hills > 0 ? altitude(atKilometre: Double(lap) * 1e-9) : 0,
      accuracyDecimetres: sky.radius(atMetre: metre, jitter >> 8))
  }

  /// How high the course is above its start, in millimetres.
  ///
  /// The grade, summed up: a hill, then a valley.
  private func altitude(atKilometre phase: Double) -> Int32 {
    let half = phase < 0.5 ? phase : phase - 0.5
    let height = hills * (8 * half - 16 * half * half) * 1_000
    return Int32((phase < 0.5 ? height : -height).rounded())
  }

  @inline(__always)
  private var heartRate: UInt8 {
    let shiver = noise * 0.8 * Self.unit(jitter)
    return UInt8(min(max(pulse + shiver + 0.5, 30), 250))
  }

  /// A slow wobble between -1 and 1: linear interpolation between draws 16 seconds apart.
  @inline(__always)
  private var swell: Double {
    let block = UInt64(second >> 4)
    let from = Self.unit(random.bits(for: block, draw: 1))
    let to = Self.unit(random.bits(for: block + 1, draw: 1))
    return from + (to - from) * (Double(second & 15) / 16)
  }

  /// Metres up for each metre forward.
  @inline(__always)
  private func grade(atKilometre kilometres: Double) -> Double {
    guard hills > 0 else { return 0 }
    let phase = kilometres - Double(Int64(kilometres))
    let half = phase < 0.5 ? phase : phase - 0.5
    let slope = hills * (8 - 32 * half) / 1000
    return phase < 0.5 ? slope : -slope
  }

  private static func cost(ofGrade grade: Double) -> Double { 1 + 5.42 * grade + 12.86 * grade * grade }

  /// The low 16 bits as a number from -1 to just under 1.
  private static func unit(_ bits: UInt64) -> Double { Double(Int16(truncatingIfNeeded: bits)) / 32_768 }

  /// The start of the course: a street in Berlin's Tiergarten.
  package static let home = GeoPosition(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
  private static let latitudeE7: Int32 = 525_145_000
  private static let longitudeE7: Int32 = 133_501_000
  /// 10^7 degrees over the metres of a meridian: pi / 180 * 6,371,008.8 m a degree.
  private static let latitudeE7PerMetre = 89.932
  /// The same over the cosine of the start's latitude.
  private static let longitudeE7PerMetre = 147.77
}

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
