public import Link

/// The phone orders the watch to end its workout.
public struct EndWorkout: Sendable, Equatable {
  /// Nil ends whichever is on.
  public var workoutId: Identifier?

  public init(workoutId: Identifier? = nil) { self.workoutId = workoutId }
}

extension EndWorkout: AppMessageBody {
  static let kind = AppMessage.Kind.endWorkout
  static let channel = Channel.message
  static let example = EndWorkout(
    workoutId: Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18))

  var message: AppMessage { .endWorkout(self) }
  var fieldCount: Int { workoutId == nil ? 0 : 1 }

  func write(to writer: inout PropertyListWriter) {
    if let workoutId { writer.identifier("workoutId", workoutId) }
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.optionalIdentifier("workoutId")
  }
}
