/// The event `training.merged`.
public struct TrainingMerged: TraceEventKind {
  public static let name: TraceEvent.Name = "training.merged"
  public static let about = "Copies of rows of the other phone arrive, and are merged in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var rows: Int64 = 0
  public var again: Int64 = 0
  public var changed: Int64 = 0
  public var waiting: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("rows", &rows, "how many copies")
    fields.field("again", &again, "how many of them said nothing new")
    fields.field("changed", &changed, "how many rows they changed")
    fields.field("waiting", &waiting, "how many rows now wait for a row that they are a part of or refer to")
  }
}
