public import Link

/// The workout started to run: `preparing` is over.
public struct WorkoutStarted: Sendable, Equatable {
  public var workoutId: Identifier
  /// By the watch's clock; equals ``sentAt``.
  public var startedAt: WatchTime
  /// By the watch's clock.
  public var sentAt: WatchTime
  /// What is trained; nil for a run, and from a watch that does not name it.
  public var discipline: TrainingDiscipline?

  public init(
    workoutId: Identifier, startedAt: WatchTime, sentAt: WatchTime, discipline: TrainingDiscipline? = nil
  ) {
    self.workoutId = workoutId
    self.startedAt = startedAt
    self.sentAt = sentAt
    self.discipline = discipline
  }
}

extension WorkoutStarted: AppMessageBody {
  static let kind = AppMessage.Kind.workoutStarted
  static let channel = Channel.userInfo
  static let example = WorkoutStarted(workoutId: .example, startedAt: .example, sentAt: .example)

  var message: AppMessage { .workoutStarted(self) }
  func describe(in details: inout TransferDetails) {
    details.workoutId = workoutId
    details.startedAt = startedAt.nanoseconds
    details.discipline = discipline?.rawValue
    details.sentAt = sentAt.nanoseconds
  }
  var fieldCount: Int { discipline == nil ? 3 : 4 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("workoutId", workoutId)
    writer.integer("startedAt", startedAt.nanoseconds)
    writer.integer("sentAt", sentAt.nanoseconds)
    if let discipline { writer.string("discipline", discipline.rawValue) }
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.identifier("workoutId")
    startedAt = try fields.time("startedAt")
    sentAt = try fields.time("sentAt")
    discipline = try fields.optionalWord("discipline", TrainingDiscipline.self)
  }
}
