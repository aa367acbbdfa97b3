/// The event `transfer.queued`.
public struct TransferQueued: TransferContentEvent {
  public static let name: TraceEvent.Name = "transfer.queued"
  public static let about = "A transfer is queued."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var bytes: Int64?
  public var digest: EventDigest?
  public var name: String?
  public var details = TransferDetails()
  public var ghost: Identifier?

  public init() {}
  public var body: EventBody { .transferQueued(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("bytes", &bytes, "the length of the payload, or of the file")
    fields.field("digest", &digest, "the payload's digest; of a file all 64 digits")
    fields.field("name", &name, "of files")
    details.visit(&fields)
    fields.field("ghost", &ghost, "the workout of a leftover session ([below](#the-watch))")
  }
}
