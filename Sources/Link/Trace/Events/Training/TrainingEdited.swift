/// The event `training.edited`.
public struct TrainingEdited: TraceEventKind {
  public static let name: TraceEvent.Name = "training.edited"
  public static let about = "The user changed a session, on this phone or on the other one."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var sessionId: Identifier = .none
  public var discipline: String = ""
  public var what: String = ""
  public var result: Int64?
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .trainingEdited(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("sessionId", &sessionId, "the session's row")
    fields.field("discipline", &discipline, "its discipline")
    fields.field(
      "what", &what, "`shot` for a corrected shot, `score` for a judge's score, `merge` for rows of the other phone")
    fields.field("result", &result, "what it counts now, as in `training.stored`")
    fields.field("phone", &phone, "2 for the second phone")
  }
}
