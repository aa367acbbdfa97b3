import HealthSim
import Link

/// `healthKit`: what the user, the sensors and the synchronisation do for apps that import HealthKit.
enum HealthKitKey: ScenarioKey {
  static let standard = HealthSettings()
  static let field = Field<Scenario>(
    "healthKit", \.healthKit, .object(HealthSettings.schema),
    "what apps that import HealthKit meet ([healthkit.md](internals/healthkit.md))"
  ).omittedAtDefault
}

extension Scenario {
  /// What apps that import HealthKit meet.
  var healthKit: HealthSettings {
    get { self[HealthKitKey.self] }
    set { self[HealthKitKey.self] = newValue }
  }

  /// HealthKit of the run's apps; nil for a run without apps.
  func makeHealthPlatform() -> HealthPlatform? {
    guard !appRoles.isEmpty else { return nil }
    return HealthPlatform(
      HealthSetup(seed: seed, startedAt: start.nanoseconds, settings: healthKit), body: ScenarioBody(self))
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
