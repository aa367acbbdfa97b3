/// The event `edge.response`.
public struct EdgeResponse: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.response"
  public static let about = "An answer is sent."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var id: Identifier = .none
  public var path: String = ""
  public var status: Int64 = 0
  public var bytes: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("path", &path, "the path")
    fields.field("status", &status, "the HTTP status")
    fields.field("bytes", &bytes, "the length of the body")
  }
}
