/// The event `training.removed`.
public struct TrainingRemoved: TraceEventKind {
  public static let name: TraceEvent.Name = "training.removed"
  public static let about = "A session and all its parts are removed, in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var sessionId: Identifier = .none
  public var discipline: String = ""
  public var rows: Int64 = 0
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingRemoved(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("sessionId", &sessionId, "the session's row")
    fields.field("discipline", &discipline, "its discipline")
    fields.field("rows", &rows, "how many rows were removed, the session's included")
    fields.field("phone", &phone, "2 for the second phone")
  }
}
