/// The event `ai.late`.
public struct AIAnsweredLate: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.late"
  public static let about = "The answer was late; a reply is not spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var reply: Identifier?
  public var note: Identifier?
  public var text: String?

  public init() {}
  public var body: EventBody { .aiLate(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("reply", &reply, "of a reply to the runner: the id under which it is stored")
    fields.field("note", &note, "of a reply to the runner: the note")
    fields.field("text", &text, "of a reply to the runner: the words")
  }
}
