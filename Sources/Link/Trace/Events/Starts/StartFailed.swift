/// The event `start.failed`.
public struct StartFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "start.failed"
  public static let about = "The start failed."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none
  public var why: String = ""

  public init() {}
  public var body: EventBody { .startFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("why", &why, "no answer, the phone was away")
  }
}
