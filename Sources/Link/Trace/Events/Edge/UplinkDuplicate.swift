/// The event `uplink.duplicate`.
public struct UplinkDuplicate: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.duplicate"
  public static let about = "Another copy of an answer, or of a request."
  public static let places: TraceEvent.Writers = [.init(.phone), .init(.edge)]

  public var id: Identifier = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
  }
}
