/// The event `ingestion.requested`.
public struct IngestionRequested: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.requested"
  public static let about = "The app queries a store for one type and day."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var day: String = ""

  public init() {}
  public var body: EventBody { .ingestionRequested(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("day", &day, "the local day, `YYYY-MM-DD`")
  }
}
