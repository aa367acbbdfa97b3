/// The event `script.loaded`.
public struct ScriptLoaded: TraceEventKind {
  public static let name: TraceEvent.Name = "script.loaded"
  public static let about = "A script is in force."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var source: String = ""
  public var script: JSONText = .none

  public init() {}
  public var body: EventBody { .scriptLoaded(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("source", &source, "scenario, edge, fallback")
    fields.field("script", &script, "the script, complete")
  }
}
