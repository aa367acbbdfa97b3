/// Restarts a device, which stays locked for a while.
public struct RebootFault: NodeFault {
  /// The device.
  public var node: NodeRole
  /// The time from the reboot until the user unlocks it; nil for never.
  public var unlockAfter: VirtualTime.Span?

  public init(_ node: NodeRole, unlockAfter: VirtualTime.Span? = nil) {
    self.node = node
    self.unlockAfter = unlockAfter
  }

  public static let kind = "reboot"
  public static let example = Self(.phone, unlockAfter: .seconds(20))
  public static let lasts = false
  public static let page = FaultPage(
    about: "The device goes down with its app, and is unreachable until it is unlocked; then the app starts again.",
    formula: "a kill at `at`; the app is started unlockAfter later, in a new epoch, and nothing reaches it before.",
    reality:
      "Until a phone is first unlocked after its boot, its files are sealed and its app is not reachable; the watch can"
      + " query this (iOSDeviceNeedsUnlockAfterRebootForReachability, WatchConnectivity).")
  public static let parameters = besideDevice(
    Self(.watch), "the device",
    [
      Field(
        "unlockAfter", \.unlockAfter, .duration(max: .hours(24)), "from the reboot until it is unlocked",
        .otherwise("stays locked"))
    ]
  ) { _, reader in
    guard reader.has("for") else { return true }
    reader.error("a reboot has no length: unlockAfter sets when the device is reachable again")
    return false
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(dice.pickNode(), unlockAfter: dice.partOfLength(percent: 20...100))
  }

  public var locksDevice: Bool { true }
  public var order: NodeOrder { .kill(cause: Self.kind, point: nil, restartAfter: unlockAfter) }
}
