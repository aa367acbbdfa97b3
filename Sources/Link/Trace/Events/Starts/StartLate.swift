/// The event `start.late`.
public struct StartLate: TraceEventKind {
  public static let name: TraceEvent.Name = "start.late"
  public static let about = "A message about a run whose start was given up; the phone cancels it again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var word: String = ""

  public init() {}
  public var body: EventBody { .startLate(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("word", &word, "the kind of the message")
  }
}
