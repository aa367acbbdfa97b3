/// Makes a device appear to lack the app.
public struct NotInstalledFault: NodeFault {
  /// The device that appears to lack it.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let kind = "notInstalled"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The framework of the other side reports that this device does not have the app: there every send fails at the"
      + " call, queued transfers wait, and the device is not reachable. The device's own sends still arrive.",
    formula:
      "from begin to end; the error is companionAppNotInstalled on the watch (WCError 7018) and watchAppNotInstalled on"
      + " the phone (7006).",
    reality:
      "Happened without an app being removed: the flag was false for every transfer while messages of that app"
      + " arrived, even after a restart of both apps, until the app was reinstalled: hours to days (a field report from"
      + " the Loop project, real devices).")
  public static let story = FaultStory(ending: "the app is there again") {
    "the \($0.device)'s app seems not to be installed"
  }
  public static let parameters = besideDevice(Self(.watch), "the device that appears to lack the app")

  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.pickNode()) }

  public var orders: [NodeOrder] { [.hideApp] }
}
