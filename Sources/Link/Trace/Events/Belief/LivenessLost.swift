/// The event `liveness.disconnected`.
public struct LivenessLost: TraceEventKind {
  public static let name: TraceEvent.Name = "liveness.disconnected"
  public static let about = "The phone considers the watch disconnected."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var reason: String = ""
  public var lastFresh: JSONText?

  public init() {}
  public var body: EventBody { .livenessDisconnected(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reason", &reason, "silence")
    fields.nullable("lastFresh", &lastFresh, "`{\"epoch\",\"seq\",\"t\"}` of the last fresh snapshot, or null")
  }
}
