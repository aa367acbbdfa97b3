/// The coach speaks a line: the watch shows a badge and taps; void 10 s after it was said.
public struct CompanionMessageDispatched: Sendable, Equatable {
  /// Which line of the script.
  public var messageId: String
  /// When it was said, by the phone's clock.
  public var sentAt: PhoneTime

  /// Creates the notice.
  public init(messageId: String, sentAt: PhoneTime) {
    self.messageId = messageId
    self.sentAt = sentAt
  }
}
