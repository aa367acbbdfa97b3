/// The event `script.branch`.
public struct ScriptBranched: TraceEventKind {
  public static let name: TraceEvent.Name = "script.branch"
  public static let about = "A branch of the script becomes active."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var message: String = ""
  public var branch: String = ""
  public var before: String?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "the message whose dispatch activated it")
    fields.field("branch", &branch, "the branch that is now active")
    fields.nullable("before", &before, "the one before, or null")
  }
}
