/// A kind of event that happens to one device.
public protocol DeviceEvent: TraceEventKind {
  /// The device.
  var target: NodeRole { get set }
}
