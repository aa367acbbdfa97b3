/// The event `app.act`.
public struct AppActTaken: TraceEventKind {
  public static let name: TraceEvent.Name = "app.act"
  public static let about = "A user does something in an app, and a handler of the app takes it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var action: String = ""
  public var arguments: JSONText?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("do", &action, "what is done, as the scenario names it")
    fields.field("with", &arguments, "its arguments, an object")
  }
}
