/// Changes a device's reachability without notifying its app.
public struct ReachabilityEdgeLostFault: SessionQuirkFault {
  /// The device whose app is not notified.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.reachabilityEdgeLost
  public static let effect =
    "does not report changes of reachability to its app; the line has `told` false"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "Reachability changes, and sends depend on it, but the app gets no notification: its last one is out of date"
      + " until the next.",
    formula:
      "from begin to end each `reachability` line of the device has `told` false, and the app gets no callback.",
    reality:
      "Lowering and raising the wrist within 1 to 2 s gave the callback for unreachable but none for reachable (openradar"
      + " 23337218).")
  public static let story = FaultStory(ending: "changes of reachability are reported again") {
    "the \($0.device)'s app gets no changes of reachability"
  }
  public static let parameters = besideDevice(Self(.watch), "the device whose app is not notified")
}

extension SessionQuirk {
  /// The app gets no notification of changes of reachability.
  public static let reachabilityEdgeLost = SessionQuirk("reachabilityEdgeLost", number: 6)
}
