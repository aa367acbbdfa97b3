/// The event `daily.synced`.
public struct DaysSynced: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.synced"
  public static let about = "The server answered: the posted days are in its store."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var store: Identifier = .none
  public var pending: Int64 = 0
  public var chatPending: Int64?

  public init() {}
  public var body: EventBody { .daysSynced(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("store", &store, "the server's store")
    fields.field("pending", &pending, "how many days wait for another post; 0 if the server has everything")
    fields.field(
      "chatPending", &chatPending,
      "how many chat messages wait for another post; missing if the app has no chat")
  }
}
