/// The event `node.restarted`.
public struct NodeRestarted: DeviceEvent {
  public static let name: TraceEvent.Name = "node.restarted"
  public static let about =
    "A message of the watch launches the phone's app, or a user opens an app that is down; its `node.started` follows."
  public static let places: TraceEvent.Writers = .runner
  public static let isReserved = true

  /// The values of `cause`.
  public enum Cause: String, EventWord { case message, act }

  public var target: NodeRole = .watch
  public var cause: Cause = .message

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("target", &target, "the device")
    fields.field("cause", &cause, "what launches it")
  }
}
