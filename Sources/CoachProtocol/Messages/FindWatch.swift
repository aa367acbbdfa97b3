public import Link

/// The user looks for the watch: it taps and rings; void 10 s after it was sent.
public struct FindWatch: Sendable, Equatable {
  /// By the phone's clock.
  public var sentAt: PhoneTime

  public init(sentAt: PhoneTime) { self.sentAt = sentAt }
}

extension FindWatch: AppMessageBody {
  static let kind = AppMessage.Kind.findWatch
  static let channel = Channel.message
  static let example = FindWatch(sentAt: .example)

  var message: AppMessage { .findWatch(self) }
  var fieldCount: Int { 1 }

  func write(to writer: inout PropertyListWriter) { writer.integer("sentAt", sentAt.nanoseconds) }

  init(from fields: inout MessageFields) throws(MessageError) { sentAt = try fields.time("sentAt") }
}
