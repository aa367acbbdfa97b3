/// The event `ai.cached`.
public struct AIAnsweredFromCache: AnswerEvent {
  public static let name: TraceEvent.Name = "ai.cached"
  public static let about =
    "The same request was made before, and nothing was sent. `id` is that of the attempt before, or a new one if nothing was sent before."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var answer = AnswerFields()

  public init() {}
  public var body: EventBody { .aiCached(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    answer.visit(&fields)
  }
}
