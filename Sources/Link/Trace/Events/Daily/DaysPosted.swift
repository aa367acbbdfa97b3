/// The event `daily.posted`.
public struct DaysPosted: TraceEventKind {
  public static let name: TraceEvent.Name = "daily.posted"
  public static let about = "The phone posts days to `/insights/sync`."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var store: Identifier?
  public var days: JSONText = .none
  public var digest: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("store", &store, "the server's store as far as the phone knows; missing before the first answer")
    fields.field("days", &days, "an array: `date` and `revision` of each day")
    fields.field("digest", &digest, "the first 16 hex digits of the SHA-256 of the body")
  }
}
