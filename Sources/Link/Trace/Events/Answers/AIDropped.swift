/// The event `ai.dropped`.
public struct AIDropped: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.dropped"
  public static let about = "A request is not retried."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("why", &why, "its run is over, or the queue is full")
  }
}
