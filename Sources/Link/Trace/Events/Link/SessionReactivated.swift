/// The event `session.activated`.
public struct SessionReactivated: TraceEventKind {
  public static let name: TraceEvent.Name = "session.activated"
  public static let about = "The app has activated its session again."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
