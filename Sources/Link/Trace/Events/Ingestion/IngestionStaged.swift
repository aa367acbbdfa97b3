/// The event `ingestion.staged`.
public struct IngestionStaged: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.staged"
  public static let about = "A store's answer is in the staging table."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var row: String = ""
  public var raw: String = ""
  public var bytes: Int64 = 0
  public var left: Int64 = 0

  public init() {}
  public var body: EventBody { .ingestionStaged(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("row", &row, "`new`, `changed` (its JSON was replaced, and is parsed again) or `same`")
    fields.field("raw", &raw, "the first 16 hex digits of the SHA-256 of its JSON")
    fields.field("bytes", &bytes, "the length of its JSON")
    fields.field("left", &left, "how many queries wait, 0 while one is in progress; the next one is sent at once")
  }
}
