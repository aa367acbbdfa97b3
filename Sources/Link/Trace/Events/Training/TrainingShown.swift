/// The event `training.shown`.
public struct TrainingShown: TraceEventKind {
  public static let name: TraceEvent.Name = "training.shown"
  public static let about =
    "A phone shows a row of the other one: a session, a score, a photo, a task, a plan, an exercise."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var table: String = ""
  public var rowId: Identifier = .none
  public var source: Identifier = .none

  public init() {}
  public var body: EventBody { .trainingShown(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("table", &table, "its table")
    fields.field("rowId", &rowId, "the row, as this phone shows it")
    fields.field("source", &source, "the row in the cloud")
  }
}
