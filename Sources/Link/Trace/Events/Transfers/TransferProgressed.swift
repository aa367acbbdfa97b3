/// The event `transfer.progress`.
public struct TransferProgressed: TraceEventKind {
  public static let name: TraceEvent.Name = "transfer.progress"
  public static let about = "The receiver of a file has one more quarter of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var transfer: Identifier = .none
  public var received: Int64 = 0
  public var bytes: Int64 = 0

  public init() {}
  public var body: EventBody { .transferProgress(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("transfer", &transfer, "the transfer")
    fields.field("received", &received, "how many bytes have arrived")
    fields.field("bytes", &bytes, "the length of the file")
  }
}
