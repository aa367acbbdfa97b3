/// The event `edge.fetched`.
public struct WorkoutsFetched: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.fetched"
  public static let about = "The external service answered, and the server stored what is new."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var since: String?
  public var workouts: Int64 = 0
  public var changed: Int64 = 0

  public init() {}
  public var body: EventBody { .workoutsFetched(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("since", &since, "the first day that was asked for; missing for all")
    fields.field("workouts", &workouts, "how many workouts the answer lists")
    fields.field("changed", &changed, "how many days are new or changed")
  }
}
