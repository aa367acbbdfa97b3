public import Link

/// The watch does not start this run.
public struct StartDeclined: Sendable, Equatable {
  public typealias Reason = StartRejected.Reason

  public var runId: Identifier
  public var reason: Reason

  public init(runId: Identifier, reason: Reason) {
    self.runId = runId
    self.reason = reason
  }
}

extension StartDeclined: AppMessageBody {
  static let kind = AppMessage.Kind.startDeclined
  static let channel = Channel.message
  static let example = StartDeclined(runId: .example, reason: .alreadyRunning)

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
