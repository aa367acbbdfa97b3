/// The event `edge.request`.
public struct EdgeRequest: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.request"
  public static let about = "A request arrives."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var id: Identifier = .none
  public var path: String = ""
  public var digest: EventDigest = .none
  public var bytes: Int64 = 0
  public var failure: String?

  public init() {}
  public var body: EventBody { .edgeRequest(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("path", &path, "the path")
    fields.field("digest", &digest, "of the body")
    fields.field("bytes", &bytes, "the length of the body")
    fields.field("failure", &failure, "the scenario's failure that applies to it")
  }
}
