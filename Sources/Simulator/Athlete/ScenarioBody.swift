import HealthSim
import Link
import WatchSim

/// The athlete of a scenario with apps: the workouts' motions at their planned times, and rest in between.
///
/// It depends on the scenario and its seed alone. What an app starts, pauses or ends changes nothing in it, so what an app
/// reports can be compared with it.
struct ScenarioBody: AthleteBody {
  /// The heart at rest, in beats per minute.
  private static let restingRate: Int64 = 62
  /// What the body burns by itself is not active energy; this is how fast the heart comes down, in beats a second.
  private static let recoveryPerSecond: Int64 = 1

  private struct Part: Sendable {
    /// The first movement, in milliseconds of the run.
    var at: Int64
    var source: AnyMotionSource
  }

  private let random: RandomStream
  private var parts: ArraySlice<Part>
  /// The workout that is on; nil for rest.
  private var current: Part?
  private var reading = BodyReading()
  /// What the workouts before the current one have added.
  private var distanceBefore: Int64 = 0
  private var energyBefore: Int64 = 0
  /// Of steps, in sixtieths.
  private var stepSixtieths: Int64 = 0
  private var second: Int64 = -1

  init(_ scenario: Scenario) {
    random = RandomStream(seed: scenario.seed, name: "body")
    var parts: [Part] = []
    for (index, workout) in scenario.workouts.enumerated() {
      // A recorded workout that cannot be read was refused before.
      guard let source = try? NodeBuilder.source(ofWorkout: index, in: scenario) else { continue }
      parts.append(Part(at: (workout.at - .start).nanoseconds / 1_000_000, source: source))
    }
    self.parts = parts[...]
    reading.heartRate = Self.restingRate
    // Where the first workout begins, or where athletes live whose motions have no place.
    let first = parts.lazy.compactMap { part in
      var source = part.source
      return source.advance(toMilliseconds: 0).position
    }.first
    stand(at: first ?? RunnerModel.home)
  }

  private mutating func stand(at position: GeoPosition) {
    reading.latitudeE7 = position.latitudeE7
    reading.longitudeE7 = position.longitudeE7
    reading.altitudeMillimetres = Int64(position.altitudeMillimetres)
  }

  mutating func reading(atSecond second: Int64) -> BodyReading {
    while self.second < second {
      self.second += 1
      live()
    }
    return reading
  }

  private mutating func live() {
    let milliseconds = second * 1_000
    if let next = parts.first, next.at <= milliseconds {
      finishPart()
      current = next
      parts.removeFirst()
    }
    guard let begin = current?.at, let sample = current?.source.advance(toMilliseconds: milliseconds - begin) else {
      return rest()
    }
    reading.distanceMillimetres = distanceBefore + sample.distanceMillimetres
    reading.energyDecikilocalories = energyBefore + sample.energyDecikilocalories
    if sample.heartRate > 0 { reading.heartRate = Int64(sample.heartRate) }
    if !sample.isPaused { stepSixtieths += Int64(sample.cadence) }
    reading.steps = stepSixtieths / 60
    if let position = sample.position { stand(at: position) }
    if sample.isFinished { finishPart() }
  }

  private mutating func finishPart() {
    guard current != nil else { return }
    current = nil
    distanceBefore = reading.distanceMillimetres
    energyBefore = reading.energyDecikilocalories
  }

  private mutating func rest() {
    let goal = Self.restingRate + Int64(random.number(below: 5, for: UInt64(second))) - 2
    if reading.heartRate > goal {
      reading.heartRate -= min(Self.recoveryPerSecond, reading.heartRate - goal)
    } else {
      reading.heartRate = goal
    }
  }
}

extension Scenario {
  /// What apps that import HealthKit meet.
  var healthKit: HealthSettings { ownHealthKit ?? HealthSettings() }
  /// What apps meet that import Apple's other modules.
  var system: SystemSettings { ownSystem ?? SystemSettings() }

  /// HealthKit of the run's apps; nil for a run without apps.
  func makeHealthPlatform() -> HealthPlatform? {
    guard !appRoles.isEmpty else { return nil }
    return HealthPlatform(
      HealthSetup(seed: seed, startedAt: start.nanoseconds, settings: healthKit, system: system),
      body: ScenarioBody(self))
  }
}

extension HealthSettings {
  /// The key as it is read, written and described.
  static let schema = ObjectSchema<Self>(
    "healthKit", "What apps that import HealthKit meet.", Self(),
    [
      Field("answer", \.answer, .word, "what the user answers when an app asks for access"),
      Field(
        "denied", \.denied, .array(of: .string(bytes: 1...200), count: 0...100),
        "identifiers of types to which the user denies access: `HKQuantityTypeIdentifierHeartRate`"),
      Field("answerAfter", \.answerAfter, .duration(), "how long the user takes to answer"),
      Field("allowed", \.isAllowedBefore, .bool, "both apps were given all access before the run"),
      Field(
        "syncLag", \.syncLag, .duration(),
        "how long the watch's store has what the phone's lacks: between this and four times this, while the link is up"),
      Field("heartRateEvery", \.heartRateEvery, .duration(), "the interval of heart rates in a workout"),
      Field(
        "carriesPhone", \.isPhoneCarried, .bool,
        "the phone is carried along and counts steps and distance as well: a second source"),
    ])
}
