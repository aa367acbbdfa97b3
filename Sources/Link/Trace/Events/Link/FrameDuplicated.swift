/// The event `frame.duplicated`.
public struct FrameDuplicated: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.duplicated"
  public static let about = "The link makes copies of a frame."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var id: Int64 = 0
  public var copies: Int64 = 0

  public init() {}
  public var body: EventBody { .frameDuplicated(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the frame")
    fields.field("copies", &copies, "how many were made, besides the original")
  }
}
