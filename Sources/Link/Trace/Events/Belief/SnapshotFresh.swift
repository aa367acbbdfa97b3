/// The event `snapshot.fresh`.
public struct SnapshotFresh: TraceEventKind {
  public static let name: TraceEvent.Name = "snapshot.fresh"
  public static let about = "A snapshot, as received, is newer than the last fresh one."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var metrics = SnapshotMetrics()

  public init() {}
  public var body: EventBody { .snapshotFresh(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    metrics.visit(&fields)
  }
}
