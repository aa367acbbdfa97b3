public import Link

// What the watch says beside its snapshots and its reports.

/// The workout started to run: `preparing` is over.
public struct WorkoutStarted: AppMessageBody {
  public var workoutId = Identifier.none
  /// By the watch's clock; equals ``sentAt``.
  public var startedAt = WatchTime.none
  /// By the watch's clock.
  public var sentAt = WatchTime.none
  /// What is trained; nil for a run, and from a watch that does not name it.
  public var discipline: TrainingDiscipline?

  public init() {}

  public init(
    workoutId: Identifier, startedAt: WatchTime, sentAt: WatchTime, discipline: TrainingDiscipline? = nil
  ) {
    self.workoutId = workoutId
    self.startedAt = startedAt
    self.sentAt = sentAt
    self.discipline = discipline
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.time("startedAt", &startedAt, "when it started")
    fields.time("sentAt", &sentAt, "when it was sent")
    fields.field("discipline", &discipline, "absent: a run, or a phone that does not need it")
  }

  static let kind = AppMessage.Kind.workoutStarted
  static let channel = Channel.userInfo
  static let example = Self(workoutId: .example, startedAt: .example, sentAt: .example)
  var message: AppMessage { .workoutStarted(self) }
}

/// The workout was paused, by a command or by the runner.
public struct WorkoutPaused: AppMessageBody {
  public var workoutId = Identifier.none
  /// By the watch's clock.
  public var sentAt = WatchTime.none

  public init() {}

  public init(workoutId: Identifier, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.sentAt = sentAt
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.time("sentAt", &sentAt, "when it was sent")
  }

  static let kind = AppMessage.Kind.workoutPaused
  static let channel = Channel.userInfo
  static let example = Self(workoutId: .example, sentAt: .example)
  var message: AppMessage { .workoutPaused(self) }
}

/// The workout continues after a pause.
public struct WorkoutResumed: AppMessageBody {
  public var workoutId = Identifier.none
  /// By the watch's clock.
  public var sentAt = WatchTime.none

  public init() {}

  public init(workoutId: Identifier, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.sentAt = sentAt
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.time("sentAt", &sentAt, "when it was sent")
  }

  static let kind = AppMessage.Kind.workoutResumed
  static let channel = Channel.userInfo
  static let example = Self(workoutId: .example, sentAt: .example)
  var message: AppMessage { .workoutResumed(self) }
}

/// The workout is over, and saved under this UUID.
public struct WorkoutEnded: AppMessageBody {
  public var workoutId = Identifier.none
  /// The workout's id in the health store; nil if it was discarded.
  public var healthKitWorkoutUUID: Identifier?
  /// By the watch's clock.
  public var sentAt = WatchTime.none

  public init() {}

  public init(workoutId: Identifier, healthKitWorkoutUUID: Identifier?, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.healthKitWorkoutUUID = healthKitWorkoutUUID
    self.sentAt = sentAt
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.field(
      "healthKitWorkoutUUID", &healthKitWorkoutUUID,
      "absent: the workout was discarded, and the run is never *finished*")
    fields.time("sentAt", &sentAt, "when it was sent")
  }

  static let kind = AppMessage.Kind.workoutEnded
  static let channel = Channel.userInfo
  static let example = Self(
    workoutId: .example,
    healthKitWorkoutUUID: Identifier(high: 0x5D2E_9A70_1C3B_4F86, low: 0xA1D4_8E6F_2B90_C357), sentAt: .example)
  var message: AppMessage { .workoutEnded(self) }
}

/// The watch has started this run, or it was already on.
public struct StartAck: AppMessageBody {
  public var runId = Identifier.none

  public init() {}

  public init(runId: Identifier) { self.runId = runId }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
  }

  static let kind = AppMessage.Kind.startAck
  static let channel = Channel.message
  static let example = Self(runId: .example)
  var message: AppMessage { .startAck(self) }
}

/// The watch does not start this run.
public struct StartDeclined: AppMessageBody {
  public typealias Reason = StartRejected.Reason

  public var runId = Identifier.none
  public var reason = Reason.void

  public init() {}

  public init(runId: Identifier, reason: Reason) {
    self.runId = runId
    self.reason = reason
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("reason", &reason, "why")
  }

  static let kind = AppMessage.Kind.startDeclined
  static let channel = Channel.message
  static let example = Self(runId: .example, reason: .alreadyRunning)
  var message: AppMessage { .startDeclined(self) }
}
