/// The event `edge.restarted`.
public struct ServerRestarted: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.restarted"
  public static let about = "The server starts again and reads its files."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var cause: String = ""
  public var store: Identifier = .none
  public var days: Int64 = 0

  public init() {}
  public var body: EventBody { .serverRestarted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("cause", &cause, "`restart`, `wipe` (all files are lost) or `powerLoss` (one file is half written)")
    fields.field("store", &store, "its store: a new one if `context_store.json` was lost")
    fields.field("days", &days, "how many days the store holds")
  }
}
