public import Link

/// The coach speaks a line: the watch shows a badge and taps; void 10 s after it was sent.
public struct CompanionMessageDispatched: Sendable, Equatable {
  /// The line's id.
  public var messageId: String
  /// By the phone's clock.
  public var sentAt: PhoneTime

  public init(messageId: String, sentAt: PhoneTime) {
    self.messageId = messageId
    self.sentAt = sentAt
  }
}

extension CompanionMessageDispatched: AppMessageBody {
  static let kind = AppMessage.Kind.companionMessageDispatched
  static let channel = Channel.message
  static let example = CompanionMessageDispatched(messageId: "km1", sentAt: .example)

  var message: AppMessage { .companionMessageDispatched(self) }
  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.string("messageId", messageId)
    writer.integer("sentAt", sentAt.nanoseconds)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    messageId = try fields.string("messageId")
    sentAt = try fields.time("sentAt")
  }
}
