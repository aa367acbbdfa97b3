/// The event `run.history`.
public struct RunHistory: TraceEventKind {
  public static let name: TraceEvent.Name = "run.history"
  public static let about = "A message about the run changes nothing."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var kind: String = ""
  public var sentAt: Int64 = 0
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("kind", &kind, "the kind of the message")
    fields.field("sentAt", &sentAt, "of the message")
    fields.field("why", &why, "late, doubled, ended")
  }
}
