/// The event `ingestion.updated`.
public struct IngestionUpdated: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.updated"
  public static let about = "A newer version of the app parses what failed once more."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var parser: Int64 = 0
  public var unparsed: Int64 = 0

  public init() {}
  public var body: EventBody { .ingestionUpdated(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("parser", &parser, "the parser's version")
    fields.field("unparsed", &unparsed, "how many rows it parses")
  }
}
