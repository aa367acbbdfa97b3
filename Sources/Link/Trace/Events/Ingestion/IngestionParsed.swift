/// The event `ingestion.parsed`.
public struct IngestionParsed: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.parsed"
  public static let about = "A row was parsed, and its measures replaced those of its type and day."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var raw: String = ""
  public var action: Identifier = .none
  public var measures: JSONText = .none

  public init() {}
  public var body: EventBody { .ingestionParsed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("raw", &raw, "the digest of the JSON that was parsed")
    fields.field("action", &action, "the day's action")
    fields.field("measures", &measures, "an object: each measure's value, by its key")
  }
}
