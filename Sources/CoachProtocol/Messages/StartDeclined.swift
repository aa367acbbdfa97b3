public import Link

/// The watch does not begin this run.
public struct StartDeclined: Sendable, Equatable {
  /// Why not.
  public enum Reason: String, Sendable, CaseIterable {
    /// Another workout is on.
    case alreadyRunning
    /// The command is too old, was taken back, or its run is over.
    case void
    /// The watch may not record workouts.
    case notAuthorised
  }

  /// Which run.
  public var runId: Identifier
  /// Why not.
  public var reason: Reason

  /// Creates the answer.
  public init(runId: Identifier, reason: Reason) {
    self.runId = runId
    self.reason = reason
  }
}
