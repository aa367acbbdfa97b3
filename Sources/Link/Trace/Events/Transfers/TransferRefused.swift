/// The event `transfer.refused`.
public struct TransferRefused: NarratedEvent {
  public static let name: TraceEvent.Name = "transfer.refused"
  public static let about = "An app tried to queue something that cannot be queued; its delegate gets the error."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var channel: Channel = .message
  public var error: String = ""

  public init() {}

  public var sentence: EventSentence { .init("cannot queue \(channel == .file ? "a file" : "a transfer"): \(error)") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("channel", &channel, "userInfo or file")
    fields.field("error", &error, "the error")
  }
}
