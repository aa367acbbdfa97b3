/// The event `health.linked`.
public struct HealthLinked: TraceEventKind {
  public static let name: TraceEvent.Name = "health.linked"
  public static let about = "A run and its workout in the health store are linked."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var workout: Identifier = .none
  public var by: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("workout", &workout, "the workout")
    fields.field("by", &by, "which of the two led to the other: run, workout")
  }
}
