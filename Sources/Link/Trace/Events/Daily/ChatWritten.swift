/// The event `daily.chat`.
public struct ChatWritten: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.chat"
  public static let about = "The user wrote in the chat, and the phone stores the message."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var number: Int64 = 0
  public var date: String = ""
  public var text: String = ""

  public init() {}
  public var body: EventBody { .chatWritten(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("number", &number, "counts the messages of the chat from 1")
    fields.field("date", &date, "when it was written by the phone's clock, in UTC")
    fields.field("text", &text, "what was written")
  }
}
