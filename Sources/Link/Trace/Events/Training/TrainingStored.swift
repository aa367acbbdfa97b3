/// The event `training.stored`.
public struct TrainingStored: TraceEventKind {
  public static let name: TraceEvent.Name = "training.stored"
  public static let about = "A session and all its parts are stored, in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var sessionId: Identifier = .none
  public var workoutId: Identifier = .none
  public var discipline: String = ""
  public var distance: Int64 = 0
  public var duration: Int64 = 0
  public var points: Int64 = 0
  public var rows: Int64 = 0
  public var result: Int64?
  public var startedAt: Int64?
  public var endedAt: Int64?
  public var parts: Int64?

  public init() {}
  public var body: EventBody { .trainingStored(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("sessionId", &sessionId, "the session's row")
    fields.field("workoutId", &workoutId, "the workout on the watch")
    fields.field("discipline", &discipline, "`running`, `riding`, `swimming` or `shooting`")
    fields.field("distance", &distance, "millimetres")
    fields.field("duration", &duration, "milliseconds without pauses")
    fields.field("points", &points, "how many points its route has")
    fields.field("rows", &rows, "how many rows were stored, the session's included")
    fields.field(
      "result", &result,
      "what it counts in a competition, in thousandths: seconds of a run or swim, points of a ride or of shots")
    fields.field("startedAt", &startedAt, "nanoseconds since 1970 by the watch's clock")
    fields.field("endedAt", &endedAt, "likewise")
    fields.field("parts", &parts, "how many splits of a run or a swim, gaits of a ride, or shots were stored")
  }
}
