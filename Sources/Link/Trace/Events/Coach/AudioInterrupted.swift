/// The event `audio.interrupted`.
public struct AudioInterrupted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.interrupted"
  public static let about = "A line breaks off."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var utterance: Int64 = 0
  public var message: String = ""
  public var cause: String = ""

  public init() {}
  public var body: EventBody { .audioInterrupted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "the utterance")
    fields.field("message", &message, "the message")
    fields.field("cause", &cause, "mute, interruption")
  }
}
