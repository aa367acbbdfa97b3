/// The event `training.refused`.
public struct TrainingRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "training.refused"
  public static let about = "A part of a session's report does not follow the parts before it, and is dropped."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout on the watch")
    fields.field("why", &why, "what was found")
  }
}
