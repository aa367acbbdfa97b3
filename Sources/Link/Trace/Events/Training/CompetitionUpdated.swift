/// The event `training.competition`.
public struct CompetitionUpdated: TraceEventKind {
  public static let name: TraceEvent.Name = "training.competition"
  public static let about = "A competition refers to a session, or its cached result of one changed."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var competition: Identifier = .none
  public var discipline: String = ""
  public var sessionId: Identifier = .none
  public var result: Int64?
  public var phone: Int64?

  public init() {}
  public var body: EventBody { .competitionUpdated(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("competition", &competition, "the competition")
    fields.field("discipline", &discipline, "of the session")
    fields.field("sessionId", &sessionId, "the session that gives the result")
    fields.field("result", &result, "the cached result, as in `training.stored`")
    fields.field("phone", &phone, "2 for the second phone")
  }
}
