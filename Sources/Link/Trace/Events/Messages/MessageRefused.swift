/// The event `message.refused`.
public struct MessageRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "message.refused"
  public static let about = "A message is not sent; its number is used up."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var error: String = ""

  public init() {}
  public var body: EventBody { .messageRefused(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the kind of the app's message")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field(
      "error", &error, "notReachable, payloadTooLarge, payloadUnsupportedTypes, or an app that is not installed")
  }
}
