/// The event `fault.end`.
public struct FaultEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "fault.end"
  public static let about = "A fault ends."
  public static let places: TraceEvent.Writers = [.init(.link), .init(.uplink), .init(.runner)]
  public static let isReserved = true

  public var fault: String = ""
  public var kind: String = ""

  public init() {}
  public var body: EventBody { .faultEnd(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("fault", &fault, "its id")
    fields.field("kind", &kind, "its kind")
  }
}
