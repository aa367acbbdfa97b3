/// The event `run.state`.
public struct RunStateChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "run.state"
  public static let about = "The phone's belief about the run changes."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var from: String?
  public var to: String = ""
  public var cause: String = ""
  public var sentAt: Int64?

  public init() {}
  public var body: EventBody { .runState(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.nullable("from", &from, "the state before; null at the run's beginning")
    fields.field("to", &to, "the state: preparing, running, paused, ended")
    fields.field("cause", &cause, "snapshot, event, command")
    fields.nullable("sentAt", &sentAt, "of the message; null for a command")
  }
}
