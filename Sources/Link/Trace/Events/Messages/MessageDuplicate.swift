/// The event `message.duplicate`.
public struct MessageDuplicate: TraceEventKind {
  public static let name: TraceEvent.Name = "message.duplicate"
  public static let about = "A message was received before, or is of an earlier epoch."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var from: NodeRole = .watch
  public var epoch: Int64 = 0
  public var seq: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("from", &from, "the sender")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
  }
}
