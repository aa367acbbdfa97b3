/// Puts a device's app to sleep.
public struct SuspendFault: NodeFault {
  /// The device whose app sleeps.
  public var node: NodeRole
  /// Whether a message wakes it.
  public var wakes: Bool

  /// Creates a fault; nil for what the device does by itself: a message wakes the phone, and not the watch.
  public init(_ node: NodeRole, wakes: Bool? = nil) {
    self.node = node
    self.wakes = wakes ?? (node == .phone)
  }

  public static let kind = "suspend"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The app sleeps: none of its timers rings and nothing is handed to it. The system goes on receiving and"
      + " confirming queued transfers, and hands them over when the app goes on.",
    formula:
      "asleep from begin to end. A message (data or reply) wakes it where wake is true, and is lost as `suspended` where"
      + " it is false; a user's command wakes it always. Woken, it sleeps again 10 s after the last input. An app started"
      + " meanwhile is awake for as long.",
    reality:
      "watchOS suspends an app seconds after the screen goes dark, unless a workout, audio or an extended session runs;"
      + " a message from the watch wakes the iOS app, one from the phone never wakes the watch app; queued data comes in"
      + " a burst at resume (WatchConnectivity's pages; reports from apps). The 10 s are assumed.",
    parameters: [
      .init("suspend", "watch, phone", standard: nil, "whose app sleeps"),
      .init("wake", "true, false", standard: "true for the phone, false for the watch", "whether a message wakes it"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.node()
    return Self(node, wakes: dice.happens(percent: 25) ? node != .phone : nil)
  }

  public var simpler: [Self] { [Self(node)] }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    let node = Self.readNode(value)
    let wakes = fault.bool("wake")
    guard let node, wakes != nil || !fault.has("wake") else { return nil }
    self.init(node, wakes: wakes)
  }

  public var params: [JSONMember] { [nodeParameter, JSONMember("wake", .bool(wakes))] }
  public var spelling: [JSONMember] { [nodeSpelling, JSONMember("wake", .bool(wakes))] }
  public var order: NodeOrder { .suspend(wakes: wakes) }
}
