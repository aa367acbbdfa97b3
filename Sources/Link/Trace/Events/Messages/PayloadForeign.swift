/// The event `payload.foreign`.
public struct PayloadForeign: TraceEventKind {
  public static let name: TraceEvent.Name = "payload.foreign"
  public static let about = "Test traffic is sent as another build would write it, which the receiver cannot decode."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var channel: Channel = .message
  public var digest: EventDigest = .none

  public init() {}
  public var body: EventBody { .payloadForeign(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("channel", &channel, "the channel")
    fields.field("digest", &digest, "the payload's digest")
  }
}
