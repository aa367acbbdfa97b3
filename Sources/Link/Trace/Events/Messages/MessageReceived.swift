/// The event `message.received`.
public struct MessageReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "message.received"
  public static let about = "A message arrives."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var from: NodeRole = .watch
  public var kind: String?
  public var appKind: Nullable<String>?
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var workoutId: Identifier?
  public var sentAt: Int64?

  public init() {}
  public var body: EventBody { .messageReceived(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("from", &from, "the sender")
    fields.nullable("kind", &kind, "the kind of the app's message, null if it is none")
    fields.field("appKind", &appKind, "in recordings by an app: its name for the message, null if it cannot decode it")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the payload's digest")
    fields.field(
      "workoutId", &workoutId, "of `cancelStart`, `endWorkout`, and of workout events, which are usually queued")
    fields.field("sentAt", &sentAt, "of workout events")
  }
}
