/// The event `ghost.snapshot`.
public struct GhostSnapshotPublished: TraceEventKind {
  public static let name: TraceEvent.Name = "ghost.snapshot"
  public static let about =
    "As `snapshot`: a message of a leftover workout session, from the scenario's `ghost`. A `transfer.queued` of such a session has `ghost`, its workout, after `kind`."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var metrics = SnapshotMetrics()

  public init() {}
  public var body: EventBody { .ghostSnapshot(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    metrics.visit(&fields)
  }
}
