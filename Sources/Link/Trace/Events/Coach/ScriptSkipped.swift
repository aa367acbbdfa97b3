/// The event `script.skipped`.
public struct ScriptSkipped: TraceEventKind {
  public static let name: TraceEvent.Name = "script.skipped"
  public static let about = "Multiples of a message are skipped."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var message: String = ""
  public var trigger: String = ""
  public var first: Int64 = 0
  public var last: Int64 = 0
  public var figures = SnapshotFigures()

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "its id")
    fields.field("trigger", &trigger, "the trigger's type")
    fields.field("first", &first, "the first skipped multiple")
    fields.field("last", &last, "the last one")
    figures.visit(&fields)
  }
}
