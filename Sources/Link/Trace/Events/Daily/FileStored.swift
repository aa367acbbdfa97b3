/// The event `edge.stored`.
public struct FileStored: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.stored"
  public static let about = "The server replaced a file with a new version."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var file: String = ""
  public var store: Identifier = .none
  public var bytes: Int64 = 0
  public var days: Int64 = 0
  public var digest: String = ""

  public init() {}
  public var body: EventBody { .fileStored(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("file", &file, "its name")
    fields.field("store", &store, "the server's store")
    fields.field("bytes", &bytes, "its length")
    fields.field("days", &days, "how many days the store holds")
    fields.field("digest", &digest, "the first 16 hex digits of its SHA-256")
  }
}
