/// The event `liveness.reconnected`.
public struct LivenessRegained: TraceEventKind {
  public static let name: TraceEvent.Name = "liveness.reconnected"
  public static let about = "The phone hears the watch again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var reason: String = ""
  public var lastFresh: JSONText?

  public init() {}
  public var body: EventBody { .livenessReconnected(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reason", &reason, "fresh, ended")
    fields.nullable("lastFresh", &lastFresh, "`{\"epoch\",\"seq\",\"t\"}` of the last fresh snapshot, or null")
  }
}
