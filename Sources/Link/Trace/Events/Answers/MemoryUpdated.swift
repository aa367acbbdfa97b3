/// The event `memory.updated`.
public struct MemoryUpdated: TraceEventKind {
  public static let name: TraceEvent.Name = "memory.updated"
  public static let about = "The app learns something about the runner."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var kind: String = ""
  public var key: String = ""
  public var value: TraceValue = .null
  public var confidence: Double = 0
  public var source: String = ""

  public init() {}
  public var body: EventBody { .memoryUpdated(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the kind of fact")
    fields.field("key", &key, "its key")
    fields.field("value", &value, "its value")
    fields.number("confidence", &confidence, places: 3, "how sure it is, 0 to 1")
    fields.field("source", &source, "user, ai_inferred, system_default")
  }
}
