/// The event `tracker.started`.
public struct TrackerStarted: TraceEventKind {
  public static let name: TraceEvent.Name = "tracker.started"
  public static let about = "The phone tracks the run itself."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var by: String = ""

  public init() {}
  public var body: EventBody { .trackerStarted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("by", &by, "phone")
  }
}
