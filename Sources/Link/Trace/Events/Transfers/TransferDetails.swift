/// The app's own fields in the lines of a transfer.
public struct TransferDetails: Sendable, Equatable {
  public var kind: String?
  public var workoutId: Identifier?
  public var startedAt: Int64?
  public var discipline: String?
  public var healthKitWorkoutUUID: Identifier?
  public var sentAt: Int64?
  public var note: Identifier?
  public var runId: Identifier?
  public var n: Int64?
  public var report: JSONText?

  public init() {}

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "of the app's event")
    fields.field("workoutId", &workoutId, "of workout events: the workout")
    fields.field("startedAt", &startedAt, "of workout events: when it started")
    fields.field(
      "discipline", &discipline,
      "of `workoutStarted`: what is trained, if it is no run; only where the coach accompanies runs alone"
        + " ([disciplines.md](disciplines.md#the-coach))")
    fields.field("healthKitWorkoutUUID", &healthKitWorkoutUUID, "of workout events: the workout in the health store")
    fields.field("sentAt", &sentAt, "of workout events: when the event was sent")
    fields.field("note", &note, "of voice notes")
    fields.field("runId", &runId, "of voice notes: the run")
    fields.field("n", &n, "of test traffic: its number")
    fields.field(
      "report", &report,
      "of a `sessionReport`: what the watch recorded, as an object ([disciplines.md](disciplines.md#from-the-watch))")
  }
}
