/// The event `ai.failed`.
public struct AIFailed: AttemptEvent {
  public static let name: TraceEvent.Name = "ai.failed"
  public static let about = "An attempt failed."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var kind: String = ""
  public var why: String = ""
  public var retryAt: Int64?

  public init() {}
  public var body: EventBody { .aiFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("kind", &kind, "the call")
    fields.field("why", &why, "why")
    fields.field("retryAt", &retryAt, "in nanoseconds since the run's start, if a script or summary will be retried")
  }
}
