public import Link

/// The phone cancels a start; a watch that started the run ends and discards it.
public struct CancelStart: Sendable, Equatable {
  public var runId: Identifier

  public init(runId: Identifier) { self.runId = runId }
}

extension CancelStart: AppMessageBody {
  static let kind = AppMessage.Kind.cancelStart
  static let channel = Channel.message
  static let example = CancelStart(
    runId: Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18))

  var message: AppMessage { .cancelStart(self) }
  var fieldCount: Int { 1 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("runId", runId)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    runId = try fields.identifier("runId")
  }
}
