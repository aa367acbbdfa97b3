/// The event `transfer.delivered`.
public struct TransferDelivered: TransferContentEvent {
  public static let name: TraceEvent.Name = "transfer.delivered"
  public static let about = "The receiver's app has handled a transfer and stored the result."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var details = TransferDetails()

  public init() {}
  public var body: EventBody { .transferDelivered(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "as queued")
    fields.field("digest", &digest, "as queued")
    fields.field("name", &name, "of files")
    details.visit(&fields)
  }
}
