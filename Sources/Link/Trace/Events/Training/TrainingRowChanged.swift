/// The event `training.row`.
public struct TrainingRowChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "training.row"
  public static let about =
    "The user added or changed a row that gives no result: a photo, a scan, a task, a plan, the weather."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var table: String = ""
  public var rowId: Identifier = .none
  public var what: String = ""
  public var rows: Int64 = 0
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingRowChanged(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("table", &table, "its table")
    fields.field("rowId", &rowId, "the row")
    fields.field("what", &what, "`added`, `completed` for a task, `weather` for a session")
    fields.field("rows", &rows, "how many rows were stored, its parts included")
    fields.field("phone", &phone, "2 for the second phone")
  }
}
