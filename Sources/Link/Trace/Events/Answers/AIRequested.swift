/// The event `ai.requested`.
public struct AIRequested: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.requested"
  public static let about = "The phone asks the edge."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var digest: EventDigest = .none
  public var runId: Identifier = .none
  public var note: Identifier?
  public var attempt: Int64?

  public init() {}
  public var body: EventBody { .aiRequested(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("digest", &digest, "of the request's body")
    fields.field("runId", &runId, "the run")
    fields.field("note", &note, "the note to be answered")
    fields.field("attempt", &attempt, "from the second on, each with an id of its own")
  }
}
