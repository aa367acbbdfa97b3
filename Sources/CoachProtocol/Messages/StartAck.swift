public import Link

/// The watch has started this run, or it was already on.
public struct StartAck: Sendable, Equatable {
  public var runId: Identifier

  public init(runId: Identifier) { self.runId = runId }
}

extension StartAck: RunMessageBody {
  static let kind = AppMessage.Kind.startAck
  static let channel = Channel.message

  var message: AppMessage { .startAck(self) }
}
