public import Link

/// The watch has begun this run, or it was on already.
public struct StartAck: Sendable, Equatable {
  /// Which run.
  public var runId: Identifier

  /// Creates the answer.
  public init(runId: Identifier) { self.runId = runId }
}
