/// The event `violation`.
public struct ViolationFound: TraceEventKind {
  public static let name: TraceEvent.Name = "violation"
  public static let about = "An invariant is broken."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var invariant: String = ""
  public var t0: Int64 = 0
  public var detail: String = ""
  public var lines: JSONText = .none

  public init() {}
  public var body: EventBody { .violation(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("invariant", &invariant, "its name")
    fields.field("t0", &t0, "when the event that shows it happened")
    fields.field("detail", &detail, "what is wrong")
    fields.field("lines", &lines, "the lines that show it")
  }
}
