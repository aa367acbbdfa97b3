package import CoachProtocol

/// The motion of a run: distance, heart rate, cadence, energy, position and pauses, second by second.
///
/// A source has its own clock, in milliseconds since its start. It starts when the workout starts to run and stops
/// while a command pauses the workout; its own pauses (a stop at a crossing, a recorded pause) take place on its clock.
/// Time never decreases.
package protocol MotionSource: Sendable {
  /// Expected duration in seconds; only used to reserve memory.
  var secondsExpected: Int { get }

  /// Advances to an instant of the source's clock, never decreasing, and returns the state there.
  mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample

  /// Lets time pass while a command pauses the run (only the heart rate changes) and returns the state then.
  mutating func rest(milliseconds: Int64) -> MotionSample
}

/// The sensors' values at one instant.
package struct MotionSample: Sendable, Equatable {
  /// Millimetres since the start; never decreases.
  package var distanceMillimetres: Int64
  /// Active energy since the start, in tenths of a kilocalorie; never decreases.
  package var energyDecikilocalories: Int64 = 0
  /// Beats per minute; 0 without a reading.
  package var heartRate: UInt8 = 0
  /// Steps per minute, of a swimmer arm strokes; 0 without a reading.
  package var cadence: UInt16 = 0
  /// Whether the athlete is standing still, so that the timer should stop.
  package var isPaused = false
  package var isFinished = false
  /// Nil if unknown.
  package var position: GeoPosition?

  /// Active energy of a run of this length, in tenths of a kilocalorie, for a runner of 70 kg.
  ///
  /// Level running costs 0.2 ml of oxygen per kilogram and metre (American College of Sports Medicine, running
  /// equation), a litre of oxygen is 5 kcal: 0.07 kcal a metre.
  package static func energyDecikilocalories(ofMillimetres distance: Int64) -> Int64 { (distance * 7 + 5_000) / 10_000 }
}

/// A position on the globe (WGS 84), as watches store it.
package struct GeoPosition: Sendable, Equatable {
  /// Degrees north times 10^7.
  package var latitudeE7: Int32
  /// Degrees east times 10^7.
  package var longitudeE7: Int32
  /// Millimetres above the sea; 0 if unknown.
  package var altitudeMillimetres: Int32
  /// Radius of the error; 0 if unknown.
  package var accuracyDecimetres: UInt16

  package init(
    latitudeE7: Int32, longitudeE7: Int32, altitudeMillimetres: Int32 = 0, accuracyDecimetres: UInt16 = 0
  ) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    self.altitudeMillimetres = altitudeMillimetres
    self.accuracyDecimetres = accuracyDecimetres
  }
}

/// The motion source of a scenario; exactly one of the three is set.
///
/// Neither an existential nor an enum: it is called once a second, thousands of times in milliseconds, and an enum's
/// payload cannot be mutated in place. Disciplines other than running are rare, and behind an existential.
package struct AnyMotionSource: MotionSource, Equatable {
  private var model: RunnerModel?
  private var recorded: RecordedSource?
  private var other: AnyDisciplineSource?

  package static func model(_ model: RunnerModel) -> Self { Self(model: model) }

  package static func recorded(_ recorded: RecordedSource) -> Self { Self(recorded: recorded) }

  package static func discipline(_ source: AnyDisciplineSource) -> Self { Self(other: source) }

  /// Whether it follows a recorded route, so that the trace has positions.
  var hasRecordedRoute: Bool { recorded?.motion.positions != nil }

  /// The sport of a recorded workout, or the discipline; nil for a run.
  var sport: String? { recorded?.motion.sport ?? other?.discipline.rawValue }

  /// The discipline of the session; nil for a recorded workout of a sport that is none.
  package var discipline: TrainingDiscipline? {
    if let other { return other.discipline }
    guard let sport = recorded?.motion.sport, sport != RecordedMotion.unknownSport else { return .running }
    return TrainingDiscipline(sport: sport)
  }

  /// Whether it is a swim under the open sky, so that it has a route.
  var isOpenWater: Bool {
    guard discipline == .swimming else { return false }
    return recorded.map { $0.motion.positions != nil } ?? (other?.source as? SwimmerModel)?.isOpenWater ?? false
  }

  /// The discipline's own records so far; of a run, its intervals.
  package var units: [SessionUnit] { model?.units ?? other?.source.units ?? recorded?.units ?? [] }

  package var secondsExpected: Int {
    model?.secondsExpected ?? recorded?.secondsExpected ?? other?.source.secondsExpected ?? 0
  }

  package mutating func advance(toMilliseconds milliseconds: Int64) -> MotionSample {
    if let sample = model?.advance(toMilliseconds: milliseconds) { return sample }
    if let sample = recorded?.advance(toMilliseconds: milliseconds) { return sample }
    return other?.source.advance(toMilliseconds: milliseconds) ?? Self.nothing
  }

  package mutating func rest(milliseconds: Int64) -> MotionSample {
    if let sample = model?.rest(milliseconds: milliseconds) { return sample }
    if let sample = recorded?.rest(milliseconds: milliseconds) { return sample }
    return other?.source.rest(milliseconds: milliseconds) ?? Self.nothing
  }

  /// Unreachable: one of the three is set.
  private static var nothing: MotionSample { MotionSample(distanceMillimetres: 0, isFinished: true) }
}

/// Why the description of a run was refused.
package struct MotionError: Error, Sendable, Equatable {
  package var key: String
  package var found: String
  package var expected: String
}
