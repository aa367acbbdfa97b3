/// The event `edge.fetchFailed`.
public struct FetchFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.fetchFailed"
  public static let about = "A request to the external service failed."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var why: String = ""
  public var retryAt: Int64 = 0

  public init() {}
  public var body: EventBody { .fetchFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("why", &why, "what was found")
    fields.field("retryAt", &retryAt, "when the next request is sent, in nanoseconds since the run's start")
  }
}
