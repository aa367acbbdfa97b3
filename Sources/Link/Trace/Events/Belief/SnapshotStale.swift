/// The event `snapshot.stale`.
public struct SnapshotStale: TraceEventKind {
  public static let name: TraceEvent.Name = "snapshot.stale"
  public static let about = "A snapshot is not newer than the last fresh one, so it is no sign of life."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// The values of `why`.
  public enum Why: String, EventWord { case duplicate, late }

  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var why: Why = .duplicate

  public init() {}
  public var body: EventBody { .snapshotStale(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the watch's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("why", &why, "why")
  }
}
