/// The event `start.accepted`.
public struct StartAccepted: TraceEventKind {
  public static let name: TraceEvent.Name = "start.accepted"
  public static let about = "The watch accepts the phone's start."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var runId: Identifier = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
  }
}
