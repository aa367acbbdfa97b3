/// The event `edge.profiled`.
public struct ProfileExtracted: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.profiled"
  public static let about = "A message of the chat changed the user's profile on the server."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var message: Int64 = 0
  public var profile: JSONText = .none

  public init() {}
  public var body: EventBody { .profileExtracted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("message", &message, "the number of the chat message")
    fields.field("profile", &profile, "the profile as in `profile.json`")
  }
}
