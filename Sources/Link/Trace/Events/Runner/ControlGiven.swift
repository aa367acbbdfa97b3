/// The event `control`.
public struct ControlGiven: TraceEventKind {
  public static let name: TraceEvent.Name = "control"
  public static let about =
    "A user controlled the run. The effects follow as faults; the header does not list them, since it has the plan at the start."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var by: String = ""
  public var command: String = ""
  public var effect: String = ""
  public var fault: String?
  public var refused: Bool?

  public init() {}
  public var body: EventBody { .control(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("by", &by, "where the order came from: key, ctl")
    fields.field("command", &command, "the order")
    fields.field("effect", &effect, "what it does")
    fields.field("fault", &fault, "the fault that it began")
    fields.field("refused", &refused, "only true: it was refused")
  }
}
