/// An answer of the edge.
public struct AnswerFields: Sendable, Equatable {
  public var id: Identifier = .none
  public var kind: String = ""
  public var note: Identifier?
  public var text: String?
  public var speaks: Bool?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("note", &note, "of a reply to the runner: the note")
    fields.field("text", &text, "of a reply to the runner or a summary: the words")
    fields.field(
      "speaks", &speaks, "of a reply to the runner: whether it waits to be spoken, because its run is active")
  }
}
