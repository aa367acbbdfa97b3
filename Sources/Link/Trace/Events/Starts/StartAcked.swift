/// The event `start.acked`.
public struct StartAcked: TraceEventKind {
  public static let name: TraceEvent.Name = "start.acked"
  public static let about = "The watch has answered."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var word: String = ""

  public init() {}
  public var body: EventBody { .startAcked(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("word", &word, "the kind of message that answered, `startAck` or a message of the run")
  }
}
