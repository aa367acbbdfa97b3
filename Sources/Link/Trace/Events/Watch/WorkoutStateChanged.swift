/// The event `workout.state`.
public struct WorkoutStateChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "workout.state"
  public static let about = "The workout's state changes."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var workoutId: Identifier = .none
  public var from: String?
  public var to: String = ""
  public var cause: String = ""
  public var sport: String?

  public init() {}
  public var body: EventBody { .workoutState(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.nullable("from", &from, "preparing, running, paused; null at the beginning")
    fields.field("to", &to, "preparing, running, paused, ended")
    fields.field("cause", &cause, "scenario, source, command, duration")
    fields.field(
      "sport", &sport,
      "at the beginning of a recorded workout, as the file names it, or `unknown` if it names none; of a model, its discipline. Without this field the workout is a run"
    )
  }
}
