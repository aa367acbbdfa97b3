/// The event `link.down`.
public struct LinkWentDown: TraceEventKind {
  public static let name: TraceEvent.Name = "link.down"
  public static let about = "The radio is cut; the nodes notice later."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var cause: String = ""

  public init() {}
  public var body: EventBody { .linkDown(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("cause", &cause, "the id of the fault")
  }
}
