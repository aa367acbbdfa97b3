/// The event `command.dropped`.
public struct CommandDropped: DeviceEvent {
  public static let name: TraceEvent.Name = "command.dropped"
  public static let about = "A command of the scenario meets a device whose app is down."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  public var target: NodeRole = .watch
  public var kind: String = ""
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("kind", &kind, "the command")
    fields.field("why", &why, "the device's app was down")
  }
}
