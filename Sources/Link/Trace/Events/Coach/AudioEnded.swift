/// The event `audio.end`.
public struct AudioEnded: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.end"
  public static let about = "A line has been spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var utterance: Int64 = 0
  public var message: String = ""

  public init() {}
  public var body: EventBody { .audioEnd(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "the utterance")
    fields.field("message", &message, "the message")
  }
}
