/// The event `store.wiped`.
public struct StoreWiped: TraceEventKind {
  public static let name: TraceEvent.Name = "store.wiped"
  public static let about = "Everything that the app stored about runs and runner is deleted."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {}
}
