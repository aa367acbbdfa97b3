/// Restarts a device, which stays locked for a while.
public struct RebootFault: NodeFault {
  /// The device.
  public var node: NodeRole
  /// The time from the reboot until the user unlocks it; nil for never.
  public var unlockAfter: VirtualTime.Span?
  /// Whether the device loses its power, so that what its store has not synced may be lost.
  public var losesPower: Bool

  public init(_ node: NodeRole, unlockAfter: VirtualTime.Span? = nil, losesPower: Bool = false) {
    self.node = node
    self.unlockAfter = unlockAfter
    self.losesPower = losesPower
  }

  public static let kind = "reboot"
  public static let example = Self(.phone, unlockAfter: .seconds(20))
  public static let lasts = false
  public static let page = FaultPage(
    about: "The device goes down with its app, and is unreachable until it is unlocked; then the app starts again.",
    formula: "a kill at `at`; the app is started unlockAfter later, in a new epoch, and nothing reaches it before. With"
      + " power, a device of durability `normal` also loses the latest of the commits since its store was last synced: as"
      + " many as are drawn from the seed, evenly from none to all.",
    reality:
      "Until a phone is first unlocked after its boot, its files are sealed and its app is not reachable; the watch can"
      + " query this (iOSDeviceNeedsUnlockAfterRebootForReachability, WatchConnectivity). A database with a write-ahead log that is"
      + " synced at checkpoints only may lose its last transactions when the battery is empty (SQLite, PRAGMA synchronous)."
  )
  public static let story = FaultStory(ending: "the reboot is over", isReportedByDevice: true) { fault in
    fault.isTrue("power") ? "the \(fault.device)'s power fails" : "the \(fault.device) reboots"
  }
  public static let parameters = besideDevice(
    Self(.watch), "the device",
    [
      Field(
        "unlockAfter", \.unlockAfter, .duration(max: .hours(24)), "from the reboot until it is unlocked",
        .otherwise("stays locked")),
      Field(
        "power", \.losesPower, .bool,
        "whether its power fails: a store of `durability` `normal` then loses commits that it has not synced"
      ).omittedAtDefault,
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
  public var simpler: [Self] { losesPower ? [Self(node, unlockAfter: unlockAfter)] : [] }
  public static let deaths = [(cause: kind, words: "reboots"), (cause: "power", words: "loses its power")]
  public var orders: [NodeOrder] {
    [.kill(cause: losesPower ? "power" : Self.kind, point: nil, restartAfter: unlockAfter)]
  }
}
