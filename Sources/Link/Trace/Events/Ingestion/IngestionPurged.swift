/// The event `ingestion.purged`.
public struct IngestionPurged: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.purged"
  public static let about = "A row was deleted; its measures stay."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var id: Identifier = .none
  public var why: String = ""

  public init() {}
  public var body: EventBody { .ingestionPurged(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("id", &id, "the row")
    fields.field("why", &why, "`due`, or `asked` if the user ordered it")
  }
}
