import Link

/// A user's command to a device, at its instant.
struct DeviceCommand {
  var at: VirtualTime
  var role: NodeRole
  var command: NodeCommand
  /// For an act: whether it starts an app that is down.
  var launches = false
}
