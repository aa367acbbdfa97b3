/// The event `start.asked`.
public struct StartAsked: TraceEventKind {
  public static let name: TraceEvent.Name = "start.asked"
  public static let about =
    "The phone asks the watch to start. Without an attempt: test traffic that asks the other side to start a run."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var runId: Identifier = .none
  public var channel: Channel = .message
  public var attempt: Int64?
  public var sentAt: Int64?
  public var error: String?

  public init() {}
  public var body: EventBody { .startAsked(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("channel", &channel, "message or applicationContext")
    fields.field("attempt", &attempt, "1 or 2")
    fields.field("sentAt", &sentAt, "when, by the phone's clock")
    fields.field("error", &error, "if it could not be sent")
  }
}
