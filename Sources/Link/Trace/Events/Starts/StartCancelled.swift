/// The event `start.cancelled`.
public struct StartCancelled: TraceEventKind {
  public static let name: TraceEvent.Name = "start.cancelled"
  public static let about = "The phone sends `cancelStart` and gives up the start."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var runId: Identifier = .none

  public init() {}
  public var body: EventBody { .startCancelled(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
  }
}
