public import Link

/// The phone asks the watch to end its workout.
public struct EndWorkout: Sendable, Equatable {
  /// Which workout; nil ends whichever is on.
  public var workoutId: Identifier?

  /// Creates the command.
  public init(workoutId: Identifier? = nil) { self.workoutId = workoutId }
}
