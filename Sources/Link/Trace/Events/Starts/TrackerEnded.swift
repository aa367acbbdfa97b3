/// The event `tracker.ended`.
public struct TrackerEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "tracker.ended"
  public static let about = "The phone no longer tracks the run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var by: String = ""
  public var elapsed: Double = 0
  public var distance: Double?

  public init() {}
  public var body: EventBody { .trackerEnded(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("by", &by, "phone")
    fields.number("elapsed", &elapsed, places: 3, "in seconds")
    fields.number("distance", &distance, places: 2, "in metres, by the plan's pace")
  }
}
