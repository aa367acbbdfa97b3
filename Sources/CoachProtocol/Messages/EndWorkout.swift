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
  static let example = EndWorkout(workoutId: .example)

  var message: AppMessage { .endWorkout(self) }
  var fieldCount: Int { workoutId == nil ? 0 : 1 }

  func write(to writer: inout PropertyListWriter) {
    if let workoutId { writer.identifier("workoutId", workoutId) }
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    workoutId = try fields.optionalIdentifier("workoutId")
  }
}
