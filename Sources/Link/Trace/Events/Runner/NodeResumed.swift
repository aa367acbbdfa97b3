/// The event `node.resumed`.
public struct NodeResumed: DeviceEvent {
  public static let name: TraceEvent.Name = "node.resumed"
  public static let about = "The system resumes a device's app."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""

  public init() {}
  public var body: EventBody { .nodeResumed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "message, command, ended")
  }
}
