/// The event `run.finished`.
public struct RunFinished: TraceEventKind {
  public static let name: TraceEvent.Name = "run.finished"
  public static let about = "The watch has saved the run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var healthKitWorkoutUUID: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runFinished(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("healthKitWorkoutUUID", &healthKitWorkoutUUID, "the workout in the health store")
    fields.field("sentAt", &sentAt, "of the message")
  }
}
