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

extension StartDeclined: AppMessageBody {
  static let kind = AppMessage.Kind.startDeclined
  static let channel = Channel.message
  static let example = StartDeclined(
    runId: Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18),
    reason: .alreadyRunning)

  var message: AppMessage { .startDeclined(self) }
  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("runId", runId)
    writer.string("reason", reason.rawValue)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    runId = try fields.identifier("runId")
    reason = try fields.word("reason", Reason.self)
  }
}
