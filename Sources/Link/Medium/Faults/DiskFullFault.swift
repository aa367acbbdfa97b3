/// Fills a device's disk.
public struct DiskFullFault: NodeFault {
  /// The device.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let kind = "diskFull"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "What would grow the device's store is refused: nothing new is queued, taken from the other side, spoken or"
      + " recorded. What it had stays, and it goes on when there is room.",
    formula:
      "full while any diskFull of the device is on, also for an app started meanwhile. Queued transfers of the other side"
      + " are not confirmed and are sent again; an own transfer fails at the call with insufficientSpace; files are"
      + " answered with `full`; removing, and replacing a small row in place, stays possible.",
    reality:
      "The receiving side's full disk is a documented failure of a transfer (WCError 7015, insufficientSpace); it has"
      + " been reported falsely too.",
    parameters: [.init("diskFull", "watch, phone", standard: nil, "the device")])

  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.node()) }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let node = Self.readNode(value) else { return nil }
    self.init(node)
  }

  public var params: [JSONMember] { [nodeParameter] }
  public var spelling: [JSONMember] { [nodeSpelling] }
  public var order: NodeOrder { .fillDisk }
}
