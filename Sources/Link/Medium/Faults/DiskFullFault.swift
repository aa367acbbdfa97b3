/// Fills a device's disk.
public struct DiskFullFault: NodeFault {
  /// The device.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let kind = "diskFull"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The device refuses whatever would grow its store: nothing new is queued, accepted from the other side, spoken or"
      + " recorded. Stored data stays, and the device continues when there is room.",
    formula:
      "full while any diskFull of the device is on, also for an app started meanwhile. Queued transfers of the other side"
      + " are not confirmed and are sent again; its own transfers fail at the call with insufficientSpace; files are"
      + " answered with `full`; removing, and replacing a small row in place, remain possible.",
    reality:
      "A full disk at the receiver is a documented failure of a transfer (WCError 7015, insufficientSpace); false"
      + " reports occur too.")
  public static let story = FaultStory(ending: "there is room on the disk again") { "the \($0.device)'s disk is full" }
  public static let parameters = besideDevice(Self(.watch), "the device")

  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.pickNode()) }

  public var orders: [NodeOrder] { [.fillDisk] }
}
