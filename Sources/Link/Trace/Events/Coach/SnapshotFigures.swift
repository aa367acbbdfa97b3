/// The fresh snapshot at which a message was judged.
public struct SnapshotFigures: Sendable, Equatable {
  public var epoch: Int64?
  public var seq: Int64?
  public var elapsed: Double?
  public var distance: Double?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("epoch", &epoch, "the snapshot's epoch")
    fields.field("seq", &seq, "its number")
    fields.number("elapsed", &elapsed, places: 3, "in seconds")
    fields.number("distance", &distance, places: 2, "in metres")
  }
}
