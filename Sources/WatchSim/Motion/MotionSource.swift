/// Where a run comes from: distance, heart rate, cadence, energy, position and pauses, second by second.
///
/// A source has a clock of its own, in milliseconds from its beginning. It begins when the workout
/// starts to run and stands still while the workout is paused by a command; pauses of its own (the
/// stop at a crossing, the pause somebody recorded) pass on it. Whoever asks never goes back.
package protocol MotionSource: Sendable {
  /// How many seconds the source is likely to last: only used to reserve memory.
  var secondsExpected: Int { get }

  /// Goes on to a moment of the source's own clock and says what is true there; it never goes back.
  mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample

  /// Lets time pass while a command holds the source (only the heart goes on) and says what is true then.
  mutating func rest(milliseconds: Int64) -> MotionSample
}

/// What the sensors say at one moment.
package struct MotionSample: Sendable, Equatable {
  /// Millimetres since the source's beginning; never falls.
  package var distanceMillimetres: Int64
  /// Active energy since the beginning, in tenths of a kilocalorie; never falls.
  package var energyDecikilocalories: Int64
  /// Beats per minute; 0 without a reading.
  package var heartRate: UInt8
  /// Steps per minute; 0 without a reading.
  package var cadence: UInt16
  /// Whether the runner stands and the timer should too.
  package var isPaused: Bool
  /// Whether there is nothing more to come.
  package var isFinished: Bool
  /// Where the runner is; nil when not known.
  package var position: GeoPosition?

  /// Creates a sample.
  package init(
    distanceMillimetres: Int64, energyDecikilocalories: Int64 = 0, heartRate: UInt8 = 0, cadence: UInt16 = 0,
    isPaused: Bool = false, isFinished: Bool = false, position: GeoPosition? = nil
  ) {
    self.distanceMillimetres = distanceMillimetres
    self.energyDecikilocalories = energyDecikilocalories
    self.heartRate = heartRate
    self.cadence = cadence
    self.isPaused = isPaused
    self.isFinished = isFinished
    self.position = position
  }

  /// Active energy of a run of this length, in tenths of a kilocalorie, for a runner of 70 kg.
  ///
  /// Level running costs 0.2 ml of oxygen per kilogram and metre (American College of Sports
  /// Medicine, running equation), a litre of oxygen is 5 kcal: 0.07 kcal a metre.
  package static func energyDecikilocalories(ofMillimetres distance: Int64) -> Int64 { (distance * 7 + 5_000) / 10_000 }
}

/// A place on the globe (WGS 84), as watches store it.
package struct GeoPosition: Sendable, Equatable {
  /// Degrees north times 10^7.
  package var latitudeE7: Int32
  /// Degrees east times 10^7.
  package var longitudeE7: Int32

  /// Creates a position.
  package init(latitudeE7: Int32, longitudeE7: Int32) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
  }
}

/// The sources a scenario can name, one of them set.
///
/// Neither an existential nor an enum: the host asks once a second, thousands of times in a run that
/// takes milliseconds, and the payload of an enum cannot be changed where it stands.
package struct AnyMotionSource: MotionSource, Equatable {
  private var model: RunnerModel?
  private var recorded: RecordedSource?

  /// A runner made up from the seed.
  package static func model(_ model: RunnerModel) -> Self { Self(model: model, recorded: nil) }

  /// A run that somebody recorded.
  package static func recorded(_ recorded: RecordedSource) -> Self { Self(model: nil, recorded: recorded) }

  /// Whether it follows a recorded route, so that the trace has positions.
  var hasRecordedRoute: Bool { recorded?.motion.positions != nil }

  /// The sport of a recorded workout; nil for a run.
  var sport: String? { recorded?.motion.sport }

  package var secondsExpected: Int { model?.secondsExpected ?? recorded?.secondsExpected ?? 0 }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    if let sample = model?.advance(toMilliseconds: milliseconds) { return sample }
    return recorded?.advance(toMilliseconds: milliseconds) ?? Self.nothing
  }

  package mutating func rest(milliseconds: Int64) -> MotionSample {
    if let sample = model?.rest(milliseconds: milliseconds) { return sample }
    return recorded?.rest(milliseconds: milliseconds) ?? Self.nothing
  }

  /// Never seen: one of the two is set.
  private static var nothing: MotionSample { MotionSample(distanceMillimetres: 0, isFinished: true) }
}

/// Why a description of a run was refused.
package struct MotionError: Error, Sendable, Equatable {
  /// Which part of it.
  package var key: String
  /// What stood there.
  package var found: String
  /// What would have been right.
  package var expected: String
}
