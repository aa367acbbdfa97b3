/// The event `frame.delivered`.
public struct FrameDelivered: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.delivered"
  public static let about = "A copy of a frame arrives."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var id: Int64 = 0
  public var copy: Int64 = 0

  public init() {}
  public var body: EventBody { .frameDelivered(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the frame")
    fields.field("copy", &copy, "0 for the original")
  }
}
