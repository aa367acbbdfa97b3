/// The event `node.suspended`.
public struct NodeSuspended: DeviceEvent {
  public static let name: TraceEvent.Name = "node.suspended"
  public static let about = "The system suspends a device's app."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""

  public init() {}
  public var body: EventBody { .nodeSuspended(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "suspend; idle after 10 s awake without input")
  }
}
