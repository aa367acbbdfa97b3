/// The event `payload.undecodable`.
public struct PayloadUndecodable: NarratedEvent {
  public static let name: TraceEvent.Name = "payload.undecodable"
  public static let about = "A payload arrived that the app cannot decode."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var from: NodeRole = .watch
  public var channel: Channel = .message
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var error: String = ""

  public init() {}
  public var body: EventBody { .payloadUndecodable(self) }

  public var sentence: EventSentence {
    .init("receives something of the \(from.text) that it cannot decode: \(error)")
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("from", &from, "the sender")
    fields.field("channel", &channel, "the channel")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "the number in its channel")
    fields.field("digest", &digest, "the payload's digest")
    fields.field("error", &error, "what is wrong with it")
  }
}
