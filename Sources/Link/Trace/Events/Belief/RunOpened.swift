/// The event `run.opened`.
public struct RunOpened: TraceEventKind {
  public static let name: TraceEvent.Name = "run.opened"
  public static let about = "The phone believes in a new run."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runOpened(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the run")
    fields.field("sentAt", &sentAt, "of the message that opened it")
  }
}
