/// The event `edge.workouts`.
public struct WorkoutsStored: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.workouts"
  public static let about = "The workouts of a day are new on the server, or changed."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var day: String = ""
  public var workouts: JSONText = .none

  public init() {}
  public var body: EventBody { .workoutsStored(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("day", &day, "the day in UTC")
    fields.field("workouts", &workouts, "an array: the day's `WorkoutSnapshot`s as in `context_store.json`")
  }
}
