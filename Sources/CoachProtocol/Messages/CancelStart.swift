public import Link

/// The phone takes a start back; a watch that began the run ends and discards it.
public struct CancelStart: Sendable, Equatable {
  /// Which run.
  public var runId: Identifier

  /// Creates the command.
  public init(runId: Identifier) { self.runId = runId }
}
