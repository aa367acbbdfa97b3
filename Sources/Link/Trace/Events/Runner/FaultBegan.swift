/// The event `fault.begin`.
public struct FaultBegan: TraceEventKind {
  public static let name: TraceEvent.Name = "fault.begin"
  public static let about = "A fault begins."
  public static let places: TraceEvent.Writers = [.init(.link), .init(.uplink), .init(.runner)]
  public static let isReserved = true

  public var fault: String = ""
  public var kind: String = ""
  public var params: JSONText = .none

  public init() {}
  public var body: EventBody { .faultBegin(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("fault", &fault, "its id")
    fields.field("kind", &kind, "its kind")
    fields.field("params", &params, "its parameters, as numbers")
  }
}
