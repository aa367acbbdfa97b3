/// The event `health.slept`.
public struct HealthSlept: TraceEventKind {
  public static let name: TraceEvent.Name = "health.slept"
  public static let about =
    "The athlete gets up: the phone's health store has the whole night. Again when the night is corrected there."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var day: String = ""
  public var hours: Double = 0
  public var from: Int64 = 0
  public var to: Int64 = 0

  public init() {}
  public var body: EventBody { .healthSlept(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the local day on which the night begins, `YYYY-MM-DD`")
    fields.number("hours", &hours, places: 4, "the hours asleep")
    fields.field("from", &from, "to bed, in nanoseconds since the run's start")
    fields.field("to", &to, "up, in nanoseconds since the run's start")
  }
}
