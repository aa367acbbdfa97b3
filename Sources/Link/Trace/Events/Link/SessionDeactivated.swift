/// The event `session.deactivated`.
public struct SessionDeactivated: TraceEventKind {
  public static let name: TraceEvent.Name = "session.deactivated"
  public static let about = "A switch of watches deactivates the session of an app that uses WatchConnectivity."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
