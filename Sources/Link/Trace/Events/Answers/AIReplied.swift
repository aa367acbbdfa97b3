/// The event `ai.reply`.
public struct AIReplied: AnswerEvent {
  public static let name: TraceEvent.Name = "ai.reply"
  public static let about = "The answer was in time."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var answer = AnswerFields()

  public init() {}
  public var body: EventBody { .aiReply(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    answer.visit(&fields)
  }
}
