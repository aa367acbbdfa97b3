/// The event `node.failed`.
public struct NodeFailed: DeviceEvent {
  public static let name: TraceEvent.Name = "node.failed"
  public static let about = "The node died, hung or broke the protocol by itself, and the run broke off."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""
  public var detail: String?

  public init() {}
  public var body: EventBody { .nodeFailed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "what happened")
    fields.field("detail", &detail, "of an app in virtual time: threads, owners, calls")
  }
}
