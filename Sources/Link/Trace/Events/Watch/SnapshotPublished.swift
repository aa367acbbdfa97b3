/// The event `snapshot`.
public struct SnapshotPublished: TraceEventKind {
  public static let name: TraceEvent.Name = "snapshot"
  public static let about = "The watch publishes a snapshot, whether the phone is reachable or not."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var metrics = SnapshotMetrics()

  public init() {}
  public var body: EventBody { .snapshot(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    metrics.visit(&fields)
  }
}
