public import Link

// What the phone says.

/// Identifies the phone's clock, so that its readings cannot be compared with another clock's.
public enum PhoneClock {}

/// A reading of the phone's clock: the `sentAt` of its commands.
public typealias PhoneTime = NodeTime<PhoneClock>

/// The phone orders the watch to start a workout; void 30 s after it was sent.
public struct StartWorkout: AppMessageBody {
  /// The run's id, which becomes the workout's.
  public var runId = Identifier.none
  public var runType = RunType.outdoor
  /// The coach's name.
  public var personality = ""
  public var mode = RunMode.free
  /// By the phone's clock.
  public var sentAt = PhoneTime.none

  public init() {}

  public init(runId: Identifier, runType: RunType, personality: String, mode: RunMode, sentAt: PhoneTime) {
    self.runId = runId
    self.runType = runType
    self.personality = personality
    self.mode = mode
    self.sentAt = sentAt
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("runType", &runType, "where it is run")
    fields.field("personality", &personality, "the coach's name")
    fields.field("mode", &mode, "what it is run for")
    fields.time("sentAt", &sentAt, "when it was sent; void after 30 s")
  }

  static let kind = AppMessage.Kind.startWorkout
  static let channel = Channel.message
  static let example = Self(
    runId: .example, runType: .outdoor, personality: "roast_coach", mode: .race, sentAt: .example)
  var message: AppMessage { .startWorkout(self) }
}

public enum RunType: String, EventWord {
  case outdoor, treadmill
}

public enum RunMode: String, EventWord {
  case free, training, race
}

/// The phone cancels a start; a watch that started the run ends and discards it.
public struct CancelStart: AppMessageBody {
  public var runId = Identifier.none

  public init() {}

  public init(runId: Identifier) { self.runId = runId }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
  }

  static let kind = AppMessage.Kind.cancelStart
  static let channel = Channel.message
  static let example = Self(runId: .example)
  var message: AppMessage { .cancelStart(self) }
}

/// The phone orders the watch to end its workout.
public struct EndWorkout: AppMessageBody {
  /// Nil ends whichever is on.
  public var workoutId: Identifier?

  public init() {}

  public init(workoutId: Identifier?) { self.workoutId = workoutId }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "absent: the one that is on; the built-in phone always names it")
  }

  static let kind = AppMessage.Kind.endWorkout
  static let channel = Channel.message
  static let example = Self(workoutId: .example)
  var message: AppMessage { .endWorkout(self) }
}

/// The phone has the watch tap the wrist; best effort, void 10 s after it was sent.
public struct HapticCue: AppMessageBody {
  public enum Kind: String, EventWord {
    case kmMilestone, pacingWarning, fuelingReminder, hydrationReminder
  }

  public var haptic = Kind.kmMilestone
  /// By the phone's clock.
  public var sentAt = PhoneTime.none

  public init() {}

  public init(_ haptic: Kind, sentAt: PhoneTime) {
    self.haptic = haptic
    self.sentAt = sentAt
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("haptic", &haptic, "what for")
    fields.time("sentAt", &sentAt, "when it was sent; void after 10 s")
  }

  static let kind = AppMessage.Kind.hapticCue
  static let channel = Channel.message
  static let example = Self(.kmMilestone, sentAt: .example)
  var message: AppMessage { .hapticCue(self) }
}

/// The coach speaks a line: the watch shows a badge and taps; void 10 s after it was sent.
public struct CompanionMessageDispatched: AppMessageBody {
  /// The line's id.
  public var messageId = ""
  /// By the phone's clock.
  public var sentAt = PhoneTime.none

  public init() {}

  public init(messageId: String, sentAt: PhoneTime) {
    self.messageId = messageId
    self.sentAt = sentAt
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("messageId", &messageId, "the line")
    fields.time("sentAt", &sentAt, "when it was sent; void after 10 s")
  }

  static let kind = AppMessage.Kind.companionMessageDispatched
  static let channel = Channel.message
  static let example = Self(messageId: "km1", sentAt: .example)
  var message: AppMessage { .companionMessageDispatched(self) }
}

/// The user looks for the watch: it taps and rings; void 10 s after it was sent.
public struct FindWatch: AppMessageBody {
  /// By the phone's clock.
  public var sentAt = PhoneTime.none

  public init() {}

  public init(sentAt: PhoneTime) { self.sentAt = sentAt }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.time("sentAt", &sentAt, "when it was sent; void after 10 s")
  }

  static let kind = AppMessage.Kind.findWatch
  static let channel = Channel.message
  static let example = Self(sentAt: .example)
  var message: AppMessage { .findWatch(self) }
}
