/// The event `context.unchanged`.
public struct ContextUnchanged: NarratedEvent {
  public static let name: TraceEvent.Name = "context.unchanged"
  public static let about =
    "An app sets the application context that it has set already: nothing is sent, and the other side gets no callback."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none

  public init() {}

  public var sentence: EventSentence { .init("sets the context that it has set already: nothing is sent") }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "the number of the context that stays")
    fields.field("digest", &digest, "the context's digest")
  }
}
