package import Link

/// What a scenario says of its devices' HealthKit.
package struct HealthSettings: Sendable, Equatable {
  /// What the user answers when an app asks for access.
  package enum Answer: String, CaseIterable, Sendable { case allow, deny, ignore }

  package var answer = Answer.allow
  /// Identifiers of types to which access is denied, whatever the answer to the others.
  package var denied: [String] = []
  /// How long the user takes to answer.
  package var answerAfter = VirtualTime.Span.seconds(2)
  /// Whether both apps were given all access before the run.
  package var isAllowedBefore = false
  /// How long the watch's store holds what the phone's store has not; the longest is four times that.
  package var syncLag = VirtualTime.Span.seconds(60)
  /// The interval of heart rates in a workout.
  package var heartRateEvery = VirtualTime.Span.seconds(5)
  /// Whether the phone is carried along, and counts steps and distance of its own.
  package var isPhoneCarried = true

  package init() {}
}

/// What is said of a run to its platform.
package struct HealthSetup: Sendable {
  package var seed: UInt64
  /// The date at the run's start, in nanoseconds since 1970.
  package var startedAt: Int64
  package var settings: HealthSettings
  package var system: SystemSettings

  package init(seed: UInt64, startedAt: Int64, settings: HealthSettings, system: SystemSettings = SystemSettings()) {
    self.seed = seed
    self.startedAt = startedAt
    self.settings = settings
    self.system = system
  }
}

/// What a platform wants done, in order.
package enum HealthOrder: Sendable {
  /// Hand a message to a device's app.
  case app(NodeRole, [UInt8])
  /// Send a frame to the other device.
  case frame(from: NodeRole, Frame)
  /// Write an event.
  case event(TraceEvent)
  /// Start a device's app, or wake it.
  case launch(NodeRole)
  /// Wake a device's app if it sleeps.
  case wake(NodeRole, cause: String)
  /// End a device's app.
  case kill(NodeRole, cause: String)
}

/// HealthKit's errors, as `HKError.Code` numbers them.
enum HealthCode {
  static let unavailable: Int64 = 1
  static let invalidArgument: Int64 = 3
  static let denied: Int64 = 4
  static let notDetermined: Int64 = 5
  static let inaccessible: Int64 = 6
  static let anotherSession: Int64 = 8
  static let sizeExceeded: Int64 = 13
  /// Outside the enumeration: the remote device is unreachable.
  static let unreachable: Int64 = 300
}
