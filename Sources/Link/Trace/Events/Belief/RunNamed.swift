/// The event `run.named`.
public struct RunNamed: TraceEventKind {
  public static let name: TraceEvent.Name = "run.named"
  public static let about = "The watch names the run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runNamed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("sentAt", &sentAt, "of its `workoutStarted`")
  }
}
