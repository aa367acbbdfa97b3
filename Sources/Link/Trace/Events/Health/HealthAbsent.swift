/// The event `health.absent`.
public struct HealthAbsent: TraceEventKind {
  public static let name: TraceEvent.Name = "health.absent"
  public static let about = "It has not arrived yet: the run's row is a stub."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var query = HealthQueryFields()
  public var attempt: Int64 = 0
  public var retryAt: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    query.visit(&fields)
    fields.field("attempt", &attempt, "counts the queries")
    fields.field("retryAt", &retryAt, "in nanoseconds since the run's start")
  }
}
