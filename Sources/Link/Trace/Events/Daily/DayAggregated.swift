/// The event `daily.aggregated`.
public struct DayAggregated: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.aggregated"
  public static let about = "The totals of a day changed on the phone."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var day: String = ""
  public var revision: Int64 = 0
  public var totals: JSONText = .none

  public init() {}
  public var body: EventBody { .dayAggregated(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day")
    fields.field("revision", &revision, "counts the changes of this day from 1")
    fields.field("totals", &totals, "an object with `nutrition` and `health`, as posted")
  }
}
