/// A query of the health store.
public struct HealthQueryFields: Sendable, Equatable {
  /// The values of `of`.
  public enum Subject: String, EventWord { case all, workout, run }

  public var of: Subject = .all
  public var workout: Identifier?
  public var runId: Identifier?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("of", &of, "what is queried")
    fields.field("workout", &workout, "the key of the query")
    fields.field("runId", &runId, "the key of the query")
  }
}
