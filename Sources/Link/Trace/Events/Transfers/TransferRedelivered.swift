/// The event `transfer.redelivered`.
public struct TransferRedelivered: TransferContentEvent {
  public static let name: TraceEvent.Name = "transfer.redelivered"
  public static let about =
    "A transfer is delivered again after a crash between the app's handling and the record of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferRedelivered(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "as queued")
    fields.field("digest", &digest, "as queued")
    fields.field("name", &name, "of files")
    fields.field("kind", &kind, "of an app: as queued")
  }
}
