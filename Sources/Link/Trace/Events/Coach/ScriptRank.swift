/// The message that a line is about, and its rank.
public struct ScriptRank: Sendable, Equatable {
  public var message: String = ""
  public var trigger: String = ""
  public var priority: Int64 = 0
  public var multiple: Int64?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "its id; of an answer to the runner the id of the question")
    fields.field("trigger", &trigger, "the trigger's type; `ai_reply` for an answer to the runner")
    fields.field("priority", &priority, "its priority")
    fields.field("multiple", &multiple, "of `everyMeters`")
  }
}
