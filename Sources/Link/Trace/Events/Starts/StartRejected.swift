/// The event `start.declined`.
public struct StartRejected: TraceEventKind {
  public static let name: TraceEvent.Name = "start.declined"
  public static let about = "Written when the watch declines, and when the phone learns of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// Why a watch declines a start.
  public enum Reason: String, EventWord {
    case alreadyRunning
    /// The command is too old, was cancelled, or its run is over.
    case void
    /// The user does not allow recording workouts.
    case notAuthorised
  }

  public var runId: Identifier = .none
  public var reason: Reason = .alreadyRunning

  public init() {}
  public var body: EventBody { .startDeclined(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("reason", &reason, "why")
  }
}
