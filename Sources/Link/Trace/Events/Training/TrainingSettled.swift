/// The event `training.settled`.
public struct TrainingSettled: TraceEventKind {
  public static let name: TraceEvent.Name = "training.settled"
  public static let about = "Nothing is on its way to a phone, and nothing waits; each phone writes the event."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var phone: Int64 = 1
  public var rows: Int64 = 0
  public var digest: String = ""

  public init() {}
  public var body: EventBody { .trainingSettled(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("phone", &phone, "1, or 2 for the second phone")
    fields.field("rows", &rows, "how many rows it shows")
    fields.field("digest", &digest, "SHA-256 of all rows it shows, derived ones included")
  }
}
