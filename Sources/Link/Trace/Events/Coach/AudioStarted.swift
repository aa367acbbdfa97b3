/// The event `audio.start`.
public struct AudioStarted: TraceEventKind {
  public static let name: TraceEvent.Name = "audio.start"
  public static let about = "A line begins to be spoken."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var utterance: Int64 = 0
  public var message: String = ""
  public var words: Int64 = 0
  public var lasts: Double = 0
  public var rendered: String?

  public init() {}
  public var body: EventBody { .audioStart(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("utterance", &utterance, "counts from 1")
    fields.field("message", &message, "the message")
    fields.field("words", &words, "how many words it has")
    fields.number("lasts", &lasts, places: 1, "in seconds, one decimal")
    fields.field("rendered", &rendered, "in a planned race: the file that is played")
  }
}
