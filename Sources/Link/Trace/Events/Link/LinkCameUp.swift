/// The event `link.up`.
public struct LinkCameUp: TraceEventKind {
  public static let name: TraceEvent.Name = "link.up"
  public static let about = "The radio is back; the nodes notice later."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var cause: String = ""

  public init() {}
  public var body: EventBody { .linkUp(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("cause", &cause, "the id of the fault")
  }
}
