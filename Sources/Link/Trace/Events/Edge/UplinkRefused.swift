/// The event `uplink.refused`.
public struct UplinkRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.refused"
  public static let about = "A request is not sent."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var path: String = ""
  public var bytes: Int64 = 0
  public var error: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("path", &path, "the path")
    fields.field("bytes", &bytes, "the length of the body")
    fields.field("error", &error, "payloadTooLarge")
  }
}
