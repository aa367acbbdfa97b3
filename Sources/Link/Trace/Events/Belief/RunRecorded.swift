/// The event `run.recorded`.
public struct RunRecorded: NarratedEvent {
  public static let name: TraceEvent.Name = "run.recorded"
  public static let about =
    "The phone stores the row of a workout that is not its run, or completes it: a start or end that was refused, or the end of a run that a newer one had replaced."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var workoutId: Identifier = .none
  public var kind: String = ""
  public var sentAt: Int64 = 0

  public init() {}
  public var body: EventBody { .runRecorded(self) }

  public var sentence: EventSentence {
    .init("keeps a row of another run: " + (kind == "workoutEnded" ? "it has ended" : "it has started"))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("workoutId", &workoutId, "the workout")
    fields.field("kind", &kind, "workoutStarted, workoutEnded")
    fields.field("sentAt", &sentAt, "of the message")
  }
}
