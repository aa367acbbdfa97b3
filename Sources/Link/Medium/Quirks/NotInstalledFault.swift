/// Makes a device seem to be without the app.
public struct NotInstalledFault: NodeFault {
  /// The device that seems to lack it.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let kind = "notInstalled"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The other side is told that this device does not have the app: there every send fails at the call, queued"
      + " transfers wait, and the device is not reachable. The device's own sends still arrive.",
    formula:
      "from begin to end; the error is companionAppNotInstalled on the watch (WCError 7018) and watchAppNotInstalled on"
      + " the phone (7006).",
    reality:
      "Met without anybody removing an app: the flag was false while messages of that very app came in, for every"
      + " transfer, past a restart of both apps, until the app was installed anew: hours to days (a field report from"
      + " the Loop project, real devices).",
    parameters: [.init("notInstalled", "watch, phone", standard: nil, "the device that seems to lack the app")])

  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.node()) }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let node = Self.readNode(value) else { return nil }
    self.init(node)
  }

  public var params: [JSONMember] { [nodeParameter] }
  public var spelling: [JSONMember] { [nodeSpelling] }
  public var order: NodeOrder { .hideApp }
}
