public import Link

/// The phone orders the watch to start a workout; void 30 s after it was sent.
public struct StartWorkout: Sendable, Equatable {
  /// The run's id, which becomes the workout's.
  public var runId: Identifier
  public var runType: RunType
  /// The coach's name.
  public var personality: String
  public var mode: RunMode
  /// By the phone's clock.
  public var sentAt: PhoneTime

  public init(runId: Identifier, runType: RunType, personality: String, mode: RunMode, sentAt: PhoneTime) {
    self.runId = runId
    self.runType = runType
    self.personality = personality
    self.mode = mode
    self.sentAt = sentAt
  }
}

extension StartWorkout: AppMessageBody {
  static let kind = AppMessage.Kind.startWorkout
  static let channel = Channel.message
  static let example = StartWorkout(
    runId: .example, runType: .outdoor, personality: "roast_coach", mode: .race, sentAt: .example)

  var message: AppMessage { .startWorkout(self) }
  var fieldCount: Int { 5 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("runId", runId)
    writer.string("runType", runType.rawValue)
    writer.string("personality", personality)
    writer.string("mode", mode.rawValue)
    writer.integer("sentAt", sentAt.nanoseconds)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    runId = try fields.identifier("runId")
    runType = try fields.word("runType", RunType.self)
    personality = try fields.string("personality")
    mode = try fields.word("mode", RunMode.self)
    sentAt = try fields.time("sentAt")
  }
}

public enum RunType: String, Sendable, CaseIterable {
  case outdoor, treadmill
}

public enum RunMode: String, Sendable, CaseIterable {
  case free, training, race
}
