public import Link

/// The workout is over, and saved under this UUID.
public struct WorkoutEnded: Sendable, Equatable {
  public var workoutId: Identifier
  /// The workout's id in the health store; nil if it was discarded.
  public var healthKitWorkoutUUID: Identifier?
  /// By the watch's clock.
  public var sentAt: WatchTime

  public init(workoutId: Identifier, healthKitWorkoutUUID: Identifier?, sentAt: WatchTime) {
    self.workoutId = workoutId
    self.healthKitWorkoutUUID = healthKitWorkoutUUID
    self.sentAt = sentAt
  }
}

extension WorkoutEnded: AppMessageBody {
  static let kind = AppMessage.Kind.workoutEnded
  static let channel = Channel.userInfo
  static let example = WorkoutEnded(
    workoutId: .example,
    healthKitWorkoutUUID: Identifier(high: 0x5D2E_9A70_1C3B_4F86, low: 0xA1D4_8E6F_2B90_C357), sentAt: .example)

  var message: AppMessage { .workoutEnded(self) }
  func describe(in details: inout TransferDetails) {
    details.workoutId = workoutId
    details.healthKitWorkoutUUID = healthKitWorkoutUUID
    details.sentAt = sentAt.nanoseconds
  }
  var fieldCount: Int { healthKitWorkoutUUID == nil ? 2 : 3 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("workoutId", workoutId)
    if let uuid = healthKitWorkoutUUID { writer.identifier("healthKitWorkoutUUID", uuid) }
    writer.integer("sentAt", sentAt.nanoseconds)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.identifier("workoutId")
    healthKitWorkoutUUID = try fields.optionalIdentifier("healthKitWorkoutUUID")
    sentAt = try fields.time("sentAt")
  }
}
