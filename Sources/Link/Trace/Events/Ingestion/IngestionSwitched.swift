/// The event `ingestion.switched`.
public struct IngestionSwitched: TraceEventKind {
  public static let name: TraceEvent.Name = "ingestion.switched"
  public static let about = "The user switched a type on or off."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var type: String = ""
  public var on: Bool = false

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "type", &type, "the data type: `sleep`, `calories`, `exercise`, `mindfulness`, `calendar` or `reminders`")
    fields.field("on", &on, "whether it is fetched from now on")
  }
}
