/// The event `transfer.failed`.
public struct TransferFailed: TraceEventKind {
  public static let name: TraceEvent.Name = "transfer.failed"
  public static let about = "The sender gets an error for the transfer."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var identity = TransferIdentity()
  public var error: String = ""
  public var kind: String?

  public init() {}
  public var body: EventBody { .transferFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    identity.visit(&fields)
    fields.field("error", &error, "the error")
    fields.field("kind", &kind, "of an app: the transfer's name, if the scenario has `payload`")
  }
}
