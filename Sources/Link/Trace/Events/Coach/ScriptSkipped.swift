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
  /// Nil in traces of phones that do not record it.
  public var cause: SkipCause?

  public init() {}
  public var body: EventBody { .scriptSkipped(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "its id")
    fields.field("trigger", &trigger, "the trigger's type")
    fields.field("first", &first, "the first skipped multiple")
    fields.field("last", &last, "the last one")
    figures.visit(&fields)
    fields.field(
      "cause", &cause,
      "why: `gap` (no snapshot came in between), `notRunning` (the phone believed that the run was not on), `heldBack` (due, but the window, another line or a full disk held it back), `script` (the script came later), `branch` (its branch opened later, or the script of the branch came later)"
    )
  }
}
