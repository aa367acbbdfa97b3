/// Freezes a device's view of its counterpart.
public struct ReachabilityStuckFault: MessageErrorFault {
  /// The device with the frozen view.
  public var node: NodeRole
  public var error: SessionError?
  /// Whether messages are judged by the true state, so that they arrive although the app believes its peer unreachable.
  public var delivers = false

  public init(_ node: NodeRole, error: SessionError? = nil) {
    self.node = node
    self.error = error
  }

  public static let quirk = SessionQuirk.reachabilityStuck
  public static let choices = [
    (
      quirk: SessionQuirk.reachabilityUntrue,
      effect: "reports reachability to its app as 5 does, and sends messages by the true state: `delivers` of"
        + " `reachabilityStuck`"
    )
  ]
  public static let effect =
    "reports reachability to its app, and refuses messages, by its belief at the beginning of the quirk"
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "The side keeps believing the other reachable or unreachable, as it did when the fault began. If it is stuck at"
      + " unreachable, every message is refused, even one that would arrive; if at reachable, messages may be lost,"
      + " and then fail as under phantomReachable. With `delivers` the app's property alone is stuck: messages follow the"
      + " true state, too. Queued transfers and contexts always do.",
    formula:
      "reachable(t) = reachable(begin) from begin to end, then the true state, with the quirk as the cause of that"
      + " `reachability` line. An app started meanwhile is stuck at unreachable.",
    reality:
      "Minutes to hours, until the watch was restarted: the phone kept reporting unreachable while messages arrived in"
      + " both directions (SundialKit pull request 84, real devices; BookPlayer issue 703).")
  public static let story = FaultStory(ending: "reachability is reported correctly again") {
    "the \($0.device) is stuck in its belief about reachability"
  }
  public static let parameters = besideDevice(
    Self(.watch), "the device with the frozen view",
    [
      errorField,
      Field("delivers", \.delivers, .bool, "whether a message that would arrive does, whatever the app believes")
        .omittedAtDefault,
    ])

  public var orders: [NodeOrder] {
    delivers ? [.impose(.reachabilityUntrue, error: nil)] : [.impose(.reachabilityStuck, error: error)]
  }
}

extension SessionQuirk {
  /// The side keeps its belief about reachability.
  public static let reachabilityStuck = Self("reachabilityStuck", number: 5) {
    session, _, error, turn in
    session.quirks.stuckError = error
    session.reviewBelief(cause: "reachabilityStuck", in: &turn)
  }

  /// The app's property keeps its value, and messages follow the true state.
  public static let reachabilityUntrue = Self("reachabilityUntrue", number: 14) { session, _, _, turn in
    session.updateBelief(cause: "reachabilityStuck", in: &turn)
  }
}
