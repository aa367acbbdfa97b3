/// The event `start.declined`.
public struct StartRejected: TraceEventKind {
  public static let name: TraceEvent.Name = "start.declined"
  public static let about = "Written when the watch declines, and when the phone learns of it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  /// The values of `reason`.
  public enum Reason: String, EventWord { case alreadyRunning, void, notAuthorised }

  public var runId: Identifier = .none
  public var reason: Reason = .alreadyRunning

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("runId", &runId, "the run")
    fields.field("reason", &reason, "why")
  }
}
