/// Has a device believe its counterpart reachable, whether it is or not.
public struct PhantomReachableFault: MessageErrorFault {
  /// The device that is wrong.
  public var node: NodeRole
  public var error: SessionError?

  /// Creates a fault.
  public init(_ node: NodeRole, error: SessionError? = nil) {
    self.node = node
    self.error = error
  }

  public static let quirk = SessionQuirk.phantomReachable
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The side says that the other is reachable though its app, or the link, is not there. A message reaches nobody,"
      + " and fails where its sender wants to know: it has a reply or an error handler. Queued transfers and contexts go"
      + " by the truth.",
    formula:
      "reachable(t) = true from begin to end, ahead of reachabilityStuck; then the truth again. What was sent is"
      + " lost by what makes the peer unreachable: nodeDown, suspended, disconnected. A message fails with `error`:"
      + " notReachable (7007) at the call, deliveryFailed (7014) after 5 s, transferTimedOut (7017) after 60 s; where"
      + " `replyTimeout` is shorter, with messageReplyTimedOut (7012) then. These times are assumed.",
    reality:
      "Sends failed with WCError 7007, 7014 or 7017 though isReachable was true, for seconds to minutes (openradar"
      + " 30104132); apps try three times before they believe it. The length is assumed.",
    parameters: [.init("phantomReachable", "watch, phone", standard: nil, "the device that is wrong"), errorParameter])
}
