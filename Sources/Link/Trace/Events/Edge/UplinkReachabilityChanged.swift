/// The event `uplink.reachability`.
public struct UplinkReachabilityChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.reachability"
  public static let about = "The phone learns whether the edge is reachable."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var reachable: Bool = false

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reachable", &reachable, "whether it is")
  }
}
