/// The event `edge.upserted`.
public struct DayUpserted: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.upserted"
  public static let about = "The server replaced a day's `DailySnapshot`."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var day: String = ""
  public var revision: Int64 = 0
  public var snapshot: JSONText = .none

  public init() {}
  public var body: EventBody { .dayUpserted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the day")
    fields.field("revision", &revision, "the revision that the phone posted")
    fields.field("snapshot", &snapshot, "the snapshot as in `context_store.json`")
  }
}
