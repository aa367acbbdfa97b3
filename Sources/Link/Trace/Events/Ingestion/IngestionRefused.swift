/// The event `ingestion.refused`.
public struct IngestionRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.refused"
  public static let about = "A query brought nothing, and the staging table stays as it is."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
    fields.field("why", &why, "`denied`, `unavailable` or `diskFull`")
  }
}
