/// Has a device go on believing what it believed of its counterpart.
public struct ReachabilityStuckFault: MessageErrorFault {
  /// The device that is stuck.
  public var node: NodeRole
  public var error: SessionError?

  /// Creates a fault.
  public init(_ node: NodeRole, error: SessionError? = nil) {
    self.node = node
    self.error = error
  }

  public static let quirk = SessionQuirk.reachabilityStuck
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "The side goes on believing the other reachable, or not, as it did when the fault began. Stuck on no, every"
      + " message is refused though it would arrive; stuck on yes, messages reach nobody, and fail as those of"
      + " phantomReachable do. Queued transfers"
      + " and contexts go by the truth.",
    formula:
      "reachable(t) = reachable(begin) from begin to end, then the truth again, with the quirk as the cause of that"
      + " `reachability` line. An app started meanwhile is stuck on no.",
    reality:
      "Minutes to hours, until the watch was restarted: the phone said no for good while messages went through in"
      + " both directions (SundialKit pull request 84, real devices; BookPlayer issue 703).",
    parameters: [.init("reachabilityStuck", "watch, phone", standard: nil, "the device that is stuck"), errorParameter])
}
