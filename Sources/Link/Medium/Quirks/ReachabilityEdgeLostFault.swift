/// Changes a device's reachability without notifying its app.
public struct ReachabilityEdgeLostFault: SessionQuirkFault {
  /// The device whose app is not notified.
  public var node: NodeRole
  /// Whether a short absence of the counterpart's app is noticed at once, and only its return is not told.
  public var brief = false

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.reachabilityEdgeLost
  public static let choices = [
    (
      quirk: SessionQuirk.reachabilityRiseLost,
      effect: "does not report to its app that its peer is reachable again; the line has `told` false: `brief` of"
        + " `reachabilityEdgeLost`"
    )
  ]
  public static let effect =
    "does not report changes of reachability to its app; the line has `told` false"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "Reachability changes, and sends depend on it, but the app gets no notification: its last one is out of date"
      + " until the next. With `brief` an absence of the counterpart's app is noticed at once, however short, and the"
      + " app gets one callback for the two changes.",
    formula:
      "from begin to end each `reachability` line of the device has `told` false, and the app gets no callback; with"
      + " `brief` each that is true. An absence that began before, and ends within the supervision time, is noticed at its"
      + " end.",
    reality:
      "Lowering and raising the wrist within 1 to 2 s gave the callback for unreachable but none for reachable (openradar"
      + " 23337218).")
  public static let story = FaultStory(ending: "changes of reachability are reported again") {
    "the \($0.device)'s app gets no changes of reachability"
  }
  public static let parameters = besideDevice(
    Self(.watch), "the device whose app is not notified",
    [
      Field("brief", \.brief, .bool, "whether short absences are noticed, and only the return is not told")
        .omittedAtDefault
    ])

  public var orders: [NodeOrder] {
    [.impose(brief ? .reachabilityRiseLost : .reachabilityEdgeLost, error: nil)]
  }
}

extension SessionQuirk {
  /// The app gets no notification of changes of reachability.
  public static let reachabilityEdgeLost = SessionQuirk("reachabilityEdgeLost", number: 6)

  /// The app is not notified that its peer is reachable; the run notices short absences of the peer's app.
  public static let reachabilityRiseLost = SessionQuirk("reachabilityRiseLost", number: 24)
}
