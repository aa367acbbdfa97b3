/// The event `frame.dropped`.
public struct FrameDropped: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.dropped"
  public static let about = "A copy of a frame is lost."
  public static let places: TraceEvent.Writers = .media
  public static let isReserved = true

  public var id: Int64 = 0
  public var copy: Int64 = 0
  public var cause: DropCause = .loss
  public var fault: String?

  public init() {}
  public var body: EventBody { .frameDropped(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the frame")
    fields.field("copy", &copy, "0 for the original")
    fields.field("cause", &cause, "why: a quirk has its own name")
    fields.field("fault", &fault, "the fault that caused it")
  }
}
