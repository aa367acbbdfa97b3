import CoachProtocol
import Link
@testable import WatchSim

/// A workout driven by its deadlines, with everything it said.
struct HostRig {
  enum Command: CaseIterable { case pause, resume, end }

  /// One effect with the moment it came at.
  struct Said {
    var time: VirtualTime
    var effect: HostEffect
  }

  static let workoutId = Identifier(high: 0xA, low: 0xB)
  static let clockAtStart: Int64 = 1_776_000_000_000_000_000

  var host: WorkoutHost
  var sentAt = SentAtClock()
  var said: [Said] = []
  /// The watch's clock minus its true time, in nanoseconds.
  var skew: Int64 = 0

  init(_ source: AnyMotionSource, preparing: VirtualTime.Span = .seconds(3), seed: UInt64 = 7) {
    host = WorkoutHost(
      workoutId: Self.workoutId, at: .start, preparing: preparing, source: source, cause: .scenario, seed: seed)
  }

  func clock(_ time: VirtualTime) -> WatchTime {
    WatchTime(nanoseconds: Self.clockAtStart + time.nanoseconds + skew)
  }

  /// Fires everything that is due strictly before `time`.
  mutating func drive(before time: VirtualTime) {
    while let due = host.nextDeadline, due < time { fire(at: due) }
  }

  /// Fires everything that is due up to and with `time`.
  mutating func drive(through time: VirtualTime) {
    while let due = host.nextDeadline, due <= time { fire(at: due) }
  }

  /// Fires until the workout has ended.
  mutating func driveToEnd(secondsMax: Int64 = 20_000) { drive(through: .start + .seconds(secondsMax)) }

  mutating func fire(at time: VirtualTime) {
    var effects: [HostEffect] = []
    host.fire(at: time, watchClock: clock(time), sentAt: &sentAt, into: &effects)
    said += effects.map { Said(time: time, effect: $0) }
  }

  /// Lets everything before `time` happen, then gives a command.
  mutating func order(
    _ command: Command, at time: VirtualTime, cause: WorkoutCause = .scenario, isDiscarding: Bool = false
  ) {
    drive(before: time)
    var effects: [HostEffect] = []
    let now = clock(time)
    switch command {
    case .pause: host.pause(cause: cause, at: time, watchClock: now, sentAt: &sentAt, into: &effects)
    case .resume: host.resume(cause: cause, at: time, watchClock: now, sentAt: &sentAt, into: &effects)
    case .end:
      host.end(
        cause: cause, isDiscarding: isDiscarding, at: time, watchClock: now, sentAt: &sentAt, into: &effects)
    }
    said += effects.map { Said(time: time, effect: $0) }
  }

  // MARK: What was said

  var snapshots: [LiveMetrics] {
    said.compactMap { if case .publish(let metrics) = $0.effect { metrics } else { nil } }
  }

  /// The snapshots with their moments.
  var published: [(time: VirtualTime, metrics: LiveMetrics)] {
    said.compactMap { if case .publish(let metrics) = $0.effect { ($0.time, metrics) } else { nil } }
  }

  var announcements: [AppMessage] {
    steps.compactMap { $0.event(of: host.workoutId, storedAs: host.healthKitWorkoutUUID) }
  }

  var steps: [WorkoutStep] {
    said.compactMap { if case .stepped(let step) = $0.effect { step } else { nil } }
  }

  var changes: [(from: WorkoutState?, to: WorkoutState, cause: WorkoutCause)] {
    said.compactMap {
      if case .stateChanged(let from, let to, let cause) = $0.effect { (from, to, cause) } else { nil }
    }
  }

  var refusals: [String] {
    said.compactMap { if case .refused(let command, _) = $0.effect { command } else { nil } }
  }

  /// The places told of, with their moments.
  var located: [(time: VirtualTime, position: GeoPosition)] {
    said.compactMap { if case .located(let position) = $0.effect { ($0.time, position) } else { nil } }
  }

  var finished: FinishedWorkout? {
    said.compactMap { if case .finished(let workout) = $0.effect { workout } else { nil } }.first
  }
}

extension VirtualTime {
  /// A moment in seconds.
  static func at(_ seconds: Double) -> VirtualTime { VirtualTime(nanoseconds: Int64(seconds * 1000) * 1_000_000) }
}

extension AppMessage {
  /// The moment a workout event was said at; nil for anything else.
  var eventSentAt: WatchTime? {
    switch self {
    case .workoutStarted(let event): event.sentAt
    case .workoutPaused(let event): event.sentAt
    case .workoutResumed(let event): event.sentAt
    case .workoutEnded(let event): event.sentAt
    default: nil
    }
  }
}

/// An even runner: 4 m/s, no noise, and what the test wants besides.
func evenRunner(_ distance: Double = 5_000, stops: [RunnerParameters.Stop] = []) -> AnyMotionSource {
  var parameters = RunnerParameters()
  parameters.distance = distance
  parameters.pace = 250
  parameters.noise = 0
  parameters.stops = stops
  return .model(RunnerModel(parameters, seed: 1))
}

/// A recording of so many seconds at so many metres a second, paused where said.
func recording(
  seconds: Int, metresPerSecond: Int64 = 3, pausedAt paused: Range<Int> = 0..<0, heartRate: UInt8 = 140,
  hasRoute: Bool = false
) throws -> AnyMotionSource {
  var distance: [Int64] = []
  var reached: Int64 = 0
  for second in 0...seconds {
    distance.append(reached)
    if !paused.contains(second) { reached += metresPerSecond * 1000 }
  }
  let count = seconds + 1
  return .recorded(
    RecordedSource(
      try RecordedMotion(
        distanceMillimetres: distance, heartRate: [UInt8](repeating: heartRate, count: count),
        cadence: [UInt16](repeating: 172, count: count), isPaused: (0..<count).map { paused.contains($0) },
        positions: hasRoute ? (0..<count).map { GeoPosition(latitudeE7: Int32($0), longitudeE7: 9) } : nil)))
}
