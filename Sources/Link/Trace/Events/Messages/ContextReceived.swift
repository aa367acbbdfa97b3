/// The event `context.received`.
public struct ContextReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "context.received"
  public static let about = "An application context arrives."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var kind: String?

  public init() {}
  public var body: EventBody { .contextReceived(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the context's digest")
    fields.field("kind", &kind, "as set")
  }
}
