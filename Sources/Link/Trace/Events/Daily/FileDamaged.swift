/// The event `edge.damaged`.
public struct FileDamaged: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.damaged"
  public static let about = "A file cannot be read, and the server starts without it."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var file: String = ""
  public var bytes: Int64 = 0
  public var why: String = ""

  public init() {}
  public var body: EventBody { .fileDamaged(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("file", &file, "its name")
    fields.field("bytes", &bytes, "its length")
    fields.field("why", &why, "what was found, and what was expected")
  }
}
