/// Where a run comes from: distance, heart rate, cadence, energy, position and pauses, second by second.
///
/// A source has a clock of its own, in milliseconds from its beginning. It begins when the workout
/// starts to run and stands still while the workout is paused by a command; pauses of its own (the
/// stop at a crossing, the pause somebody recorded) pass on it. Whoever asks never goes back.
package protocol MotionSource: Sendable {
  /// What the sensors say at the moment reached.
  var sample: MotionSample { get }

  /// Where the runner is; nil when not known.
  var position: GeoPosition? { get }

  /// How many seconds the source is likely to last: only used to reserve memory.
  var secondsExpected: Int { get }

  /// Goes on to a moment of the source's own clock, at or after the one reached before.
  mutating func advance(toMilliseconds milliseconds: Int64)

  /// Lets time pass while a command holds the source: only the heart goes on.
  mutating func rest(milliseconds: Int64)
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

  /// Creates a sample.
  package init(
    distanceMillimetres: Int64, energyDecikilocalories: Int64 = 0, heartRate: UInt8 = 0, cadence: UInt16 = 0,
    isPaused: Bool = false, isFinished: Bool = false
  ) {
    self.distanceMillimetres = distanceMillimetres
    self.energyDecikilocalories = energyDecikilocalories
    self.heartRate = heartRate
    self.cadence = cadence
    self.isPaused = isPaused
    self.isFinished = isFinished
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

/// The sources a scenario can name.
///
/// An enum and not an existential: the host asks once a second, thousands of times in a run that
/// takes milliseconds.
package enum AnyMotionSource: MotionSource, Equatable {
  /// A runner made up from the seed.
  case model(RunnerModel)
  /// A run that somebody recorded.
  case recorded(RecordedSource)

  package var sample: MotionSample {
    switch self {
    case .model(let model): model.sample
    case .recorded(let recorded): recorded.sample
    }
  }

  package var position: GeoPosition? {
    switch self {
    case .model(let model): model.position
    case .recorded(let recorded): recorded.position
    }
  }

  package var secondsExpected: Int {
    switch self {
    case .model(let model): model.secondsExpected
    case .recorded(let recorded): recorded.secondsExpected
    }
  }

  package mutating func advance(toMilliseconds milliseconds: Int64) {
    switch consume self {
    case .model(var model):
      model.advance(toMilliseconds: milliseconds)
      self = .model(model)
    case .recorded(var recorded):
      recorded.advance(toMilliseconds: milliseconds)
      self = .recorded(recorded)
    }
  }

  package mutating func rest(milliseconds: Int64) {
    switch consume self {
    case .model(var model):
      model.rest(milliseconds: milliseconds)
      self = .model(model)
    case .recorded(var recorded):
      recorded.rest(milliseconds: milliseconds)
      self = .recorded(recorded)
    }
  }
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
