public import Link

/// The workout continues after a pause.
public struct WorkoutResumed: Sendable, Equatable {
  public var workoutId: Identifier
  /// By the watch's clock.
  public var sentAt: WatchTime

  public init(workoutId: Identifier, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.sentAt = sentAt
  }
}

extension WorkoutResumed: AppMessageBody {
  static let kind = AppMessage.Kind.workoutResumed
  static let channel = Channel.userInfo
  static let example = WorkoutResumed(
    workoutId: Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18),
    sentAt: WatchTime(nanoseconds: 1_775_975_403_000_000_000))

  var message: AppMessage { .workoutResumed(self) }
  func describe(in details: inout TransferDetails) {
    details.workoutId = workoutId
    details.sentAt = sentAt.nanoseconds
  }
  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("workoutId", workoutId)
    writer.integer("sentAt", sentAt.nanoseconds)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.identifier("workoutId")
    sentAt = try fields.time("sentAt")
  }
}
