public import Link

/// The watch has started this run, or it was already on.
public struct StartAck: Sendable, Equatable {
  public var runId: Identifier

  public init(runId: Identifier) { self.runId = runId }
}

extension StartAck: AppMessageBody {
  static let kind = AppMessage.Kind.startAck
  static let channel = Channel.message
  static let example = StartAck(
    runId: Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18))

  var message: AppMessage { .startAck(self) }
  var fieldCount: Int { 1 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("runId", runId)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    runId = try fields.identifier("runId")
  }
}
