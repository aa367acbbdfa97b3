/// Suspends a device's app.
public struct SuspendFault: NodeFault {
  /// The device whose app is suspended.
  public var node: NodeRole
  /// Whether a message wakes it.
  public var wakes: Bool

  /// Creates a fault; nil for the device's default: a message wakes the phone, but not the watch.
  public init(_ node: NodeRole, wakes: Bool? = nil) {
    self.node = node
    self.wakes = wakes ?? (node == .phone)
  }

  public static let kind = "suspend"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The app is suspended: its timers do not fire and nothing is delivered to it. The system keeps receiving and"
      + " confirming queued transfers, and delivers them when the app resumes.",
    formula:
      "suspended from begin to end. A message (data or reply) wakes it if wake is true, and otherwise is lost as"
      + " `suspended`; a user's command always wakes it. It is suspended again 10 s after the last input, also if it was"
      + " started meanwhile.",
    reality:
      "watchOS suspends an app seconds after the screen goes dark, unless a workout, audio or an extended session runs;"
      + " a message from the watch wakes the iOS app, one from the phone never wakes the watch app; queued data arrives"
      + " in a burst at resume (WatchConnectivity's documentation; reports from apps). The 10 s are assumed.")
  public static let story = FaultStory(ending: "the sleep is over", isReportedByDevice: true) {
    "the \($0.device)'s app is put to sleep"
  }
  public static let parameters = besideDevice(
    Self(.watch), "whose app is suspended",
    [
      Field(
        "wake", \.wakes, .bool, "whether a message wakes it", .otherwise("true for the phone, false for the watch"))
    ]
  ) { fault, reader in
    if !reader.has("wake") { fault = Self(fault.node) }
    return true
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.pickNode()
    return Self(node, wakes: dice.happens(percent: 25) ? node != .phone : nil)
  }

  public var simpler: [Self] { [Self(node)] }

  public var orders: [NodeOrder] { [.suspend(wakes: wakes)] }
}
