/// The event `health.requested`.
public struct HealthRequested: TraceEventKind {
  public static let name: TraceEvent.Name = "health.requested"
  public static let about = "The app queries the health store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var query = HealthQueryFields()
  public var attempt: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    query.visit(&fields)
    fields.field("attempt", &attempt, "counts the queries")
  }
}
