public import Link

/// The phone asks the watch to begin a workout; void 30 s after it was said.
public struct StartWorkout: Sendable, Equatable {
  /// Which run: the workout's name from then on.
  public var runId: Identifier
  /// Where it takes place.
  public var runType: RunType
  /// Which coach speaks, by name.
  public var personality: String
  /// What for.
  public var mode: RunMode
  /// When it was said, by the phone's clock.
  public var sentAt: PhoneTime

  /// Creates the command.
  public init(runId: Identifier, runType: RunType, personality: String, mode: RunMode, sentAt: PhoneTime) {
    self.runId = runId
    self.runType = runType
    self.personality = personality
    self.mode = mode
    self.sentAt = sentAt
  }
}

/// Where a run takes place.
public enum RunType: String, Sendable, CaseIterable {
  case outdoor, treadmill
}

/// What a run is for.
public enum RunMode: String, Sendable, CaseIterable {
  case free, training, race
}
