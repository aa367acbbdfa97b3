/// The event `context.set`.
public struct ContextSet: TraceEventKind {
  public static let name: TraceEvent.Name = "context.set"
  public static let about = "An app sets its application context."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var kind: String?

  public init() {}
  public var body: EventBody { .contextSet(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the context's digest")
    fields.field("kind", &kind, "of an app: the context's name, if the scenario has `payload`")
  }
}
