/// The event `audio.dropped`.
public struct AudioDropped: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.dropped"
  public static let about = "A waiting line will not be spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var message: String = ""
  public var cause: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "the message")
    fields.field("cause", &cause, "muted, cleared")
  }
}
