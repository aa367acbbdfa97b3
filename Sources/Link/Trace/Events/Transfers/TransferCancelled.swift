/// The event `transfer.cancelled`.
public struct TransferCancelled: NarratedEvent {
  public static let name: TraceEvent.Name = "transfer.cancelled"
  public static let about = "The transfer is given up."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var by: String = ""
  public var error: String?
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferCancelled(self) }

  public var sentence: EventSentence {
    .init("gives up its transfer" + (kind.map { " \"\($0)\"" } ?? ""))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("by", &by, "which side cancelled it: sender, receiver")
    fields.field("error", &error, "if the sender's app gets one: fileAccessDenied")
    fields.field("kind", &kind, "of an app: the transfer's name, if the scenario has `payload`")
  }
}
