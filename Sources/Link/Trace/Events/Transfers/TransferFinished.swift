/// The event `transfer.finished`.
public struct TransferFinished: TraceEventKind {
  public static let name: TraceEvent.Name = "transfer.finished"
  public static let about = "The receiver has the transfer."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferFinished(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("kind", &kind, "of an app: the transfer's name, if the scenario has `payload`")
  }
}
