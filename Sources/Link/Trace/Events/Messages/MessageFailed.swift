/// The event `message.failed`.
public struct MessageFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "message.failed"
  public static let about = "A message whose sender requested its outcome failed."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var error: String = ""
  public var kind: String?

  public init() {}
  public var body: EventBody { .messageFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field(
      "error", &error,
      "messageReplyTimedOut, messageReplyFailed, deliveryFailed, notReachable, transferTimedOut, or an app that is not installed"
    )
    fields.field("kind", &kind, "of an app: the message's name, if the scenario has `payload`")
  }
}
