/// The event `run.refused`.
public struct RunRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "run.refused"
  public static let about = "A message about a run is refused."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var why: String = ""
  public var sentAt: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("why", &why, "why")
    fields.field("sentAt", &sentAt, "of the message")
  }
}
