/// The event `memory.refused`.
public struct MemoryRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "memory.refused"
  public static let about = "A fact about the runner is not stored."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var kind: String = ""
  public var key: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "the kind of fact")
    fields.field("key", &key, "its key")
    fields.field("why", &why, "user: the runner set another value; full")
  }
}
