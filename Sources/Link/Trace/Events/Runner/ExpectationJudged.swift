/// The event `expectation`.
public struct ExpectationJudged: TraceEventKind {
  public static let name: TraceEvent.Name = "expectation"
  public static let about = "An expectation is judged."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var index: Int64 = 0
  public var expectation: JSONText = .none
  public var passed: Bool = false
  public var lines: JSONText = .none
  public var why: String?

  public init() {}
  public var body: EventBody { .expectation(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("index", &index, "counts the expectations from 0")
    fields.field("expectation", &expectation, "as the scenario has it")
    fields.field("passed", &passed, "whether it is met")
    fields.field("lines", &lines, "the lines that show it")
    fields.field("why", &why, "if it failed")
  }
}
