/// The event `context.repeated`.
public struct ContextRepeated: TraceEventKind {
  public static let name: TraceEvent.Name = "context.repeated"
  public static let about =
    "A context is delivered to the app although it was before, or a later one exists (the quirks `contextBurst` and `contextRepeated`)."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var seq: Int64 = 0
  public var digest: EventDigest = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the context's digest")
  }
}
