/// The event `daily.posted`.
public struct DaysPosted: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.posted"
  public static let about = "The phone posts days to `/insights/sync`."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var store: Identifier?
  public var days: JSONText = .none
  public var digest: String = ""
  public var chatFrom: Int64?
  public var chatCount: Int64?

  public init() {}
  public var body: EventBody { .daysPosted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("store", &store, "the server's store as far as the phone knows; missing before the first answer")
    fields.field("days", &days, "an array: `date` and `revision` of each day")
    fields.field("digest", &digest, "the first 16 hex digits of the SHA-256 of the body")
    fields.field("chatFrom", &chatFrom, "the number of the first posted chat message; missing if there is none")
    fields.field("chatCount", &chatCount, "how many chat messages are posted; missing if the app has no chat")
  }
}
