/// The event `transfer.setAside`.
public struct TransferSetAside: TransferContentEvent, NarratedEvent {
  public static let name: TraceEvent.Name = "transfer.setAside"
  public static let about = "A transfer cannot be decoded, and no longer blocks those behind it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var error: String = ""

  public init() {}
  public var body: EventBody { .transferSetAside(self) }

  public var sentence: EventSentence { .init("sets a transfer aside that it cannot decode") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "as queued")
    fields.field("digest", &digest, "as queued")
    fields.field("name", &name, "of files")
    fields.field("error", &error, "why it cannot be decoded")
  }
}
