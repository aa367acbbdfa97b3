/// The event `ai.fallback`.
public struct AIFellBack: AnswerEvent {
  public static let name: TraceEvent.Name = "ai.fallback"
  public static let about = "No answer arrived within 8 s, so a stock line replaces it."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var answer = AnswerFields()

  public init() {}
  public var body: EventBody { .aiFallback(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    answer.visit(&fields)
  }
}
