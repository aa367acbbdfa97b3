/// The event `node.killed`.
public struct NodeKilled: DeviceEvent {
  public static let name: TraceEvent.Name = "node.killed"
  public static let about = "A device's app is killed. The node did exactly what the lines before this one say."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var cause: String = ""
  public var point: String?

  public init() {}
  public var body: EventBody { .nodeKilled(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "kill, reboot, power; signal if `torture` killed it at a random moment")
    fields.field("point", &point, "the crash point that the kill used")
  }
}
