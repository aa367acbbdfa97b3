/// The event `node.started`.
public struct NodeStarted: DeviceEvent {
  public static let name: TraceEvent.Name = "node.started"
  public static let about = "A device's app starts."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  /// The values of `cause`.
  public enum Cause: String, EventWord { case launch, restart }

  public var target: NodeRole = .watch
  public var epoch: Int64 = 0
  public var cause: Cause = .launch

  public init() {}
  public var body: EventBody { .nodeStarted(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("epoch", &epoch, "counts the starts of the app, from 1")
    fields.field("cause", &cause, "why")
  }
}
