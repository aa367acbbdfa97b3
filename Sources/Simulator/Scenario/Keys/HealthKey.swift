import Link

/// `health`: the phone's access to what the watch's health store has.
enum HealthKey: ScenarioKey {
  static let standard: HealthAccess? = nil
  static let field = Field<Scenario>(
    "health", \.health, .object(HealthAccess.schema),
    "the phone's access to what the watch's health store has; `{}` for a lag of 30 s")
}

extension Scenario {
  /// The phone's access to the watch's health store, if any.
  var health: HealthAccess? {
    get { self[HealthKey.self] }
    set { self[HealthKey.self] = newValue }
  }
}

extension Scenario {
  /// How long the platform takes to bring a workout to the phone's health store; nil if nothing reads it there.
  var healthSyncLag: VirtualTime.Span? {
    health?.syncLag ?? (ingestion == nil && daily == nil ? nil : HealthAccess().syncLag)
  }
}

/// The phone's access to the watch's health store.
struct HealthAccess: Sendable, Equatable {
  /// How long a finished workout takes to reach it.
  var syncLag = VirtualTime.Span.seconds(30)

  static let schema = ObjectSchema<Self>(
    "health", "The health store's own synchronisation.", Self(),
    [Field("syncLag", \.syncLag, .duration(), "until a finished workout can be read on the phone")])
}
