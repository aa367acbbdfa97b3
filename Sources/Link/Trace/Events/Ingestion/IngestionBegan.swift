/// The event `ingestion.began`.
public struct IngestionBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.began"
  public static let about = "The phone's app starts with what its staging table `appledata` holds."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var rows: Int64 = 0
  public var unparsed: Int64 = 0
  public var failed: Int64 = 0

  public init() {}
  public var body: EventBody { .ingestionBegan(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("rows", &rows, "how many rows it holds")
    fields.field("unparsed", &unparsed, "how many of them are not parsed")
    fields.field("failed", &failed, "how many of those did not parse")
  }
}
