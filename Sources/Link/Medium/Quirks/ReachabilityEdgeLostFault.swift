/// Changes what a device believes of its counterpart without telling its app.
public struct ReachabilityEdgeLostFault: SessionQuirkFault {
  /// The device whose app is not told.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.reachabilityEdgeLost
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "Reachability changes, and sends go by it, but the app is not told: what it heard last is out of date until"
      + " it is told of a later change.",
    formula:
      "from begin to end each `reachability` line of the device has told: false, and nothing is handed to the app.",
    reality:
      "A wrist that went down and up within 1 to 2 s gave the callback for no and never the one for yes (openradar"
      + " 23337218).",
    parameters: [.init("reachabilityEdgeLost", "watch, phone", standard: nil, "the device whose app is not told")])
}
