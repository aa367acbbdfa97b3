/// The event `health.kept`.
public struct HealthKept: TraceEventKind {
  public static let name: TraceEvent.Name = "health.kept"
  public static let about = "An answer changed the store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var changes: JSONText = .none
  public var bytes: Int64 = 0
  public var most: Int64 = 0

  public init() {}
  public var body: EventBody { .healthKept(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("changes", &changes, "the kinds of store changes that it caused")
    fields.field("bytes", &bytes, "their bytes")
    fields.field("most", &most, "the bytes of the largest one")
  }
}
