public import Link

/// The phone cancels a start; a watch that started the run ends and discards it.
public struct CancelStart: Sendable, Equatable {
  public var runId: Identifier

  public init(runId: Identifier) { self.runId = runId }
}

extension CancelStart: RunMessageBody {
  static let kind = AppMessage.Kind.cancelStart
  static let channel = Channel.message

  var message: AppMessage { .cancelStart(self) }
}
