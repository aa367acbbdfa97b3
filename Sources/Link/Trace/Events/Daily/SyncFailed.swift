/// The event `daily.failed`.
public struct SyncFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.failed"
  public static let about = "A post brought no usable answer; its days stay pending."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var why: String = ""
  public var retryAt: Int64?

  public init() {}
  public var body: EventBody { .syncFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("why", &why, "what was found")
    fields.field(
      "retryAt", &retryAt,
      "when it is posted again, in nanoseconds since the run's start; missing if the next sync does it")
  }
}
