/// Has a device believe its counterpart reachable, whether it is or not.
public struct PhantomReachableFault: SessionQuirkFault {
  /// The device that is wrong.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.phantomReachable
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The side says that the other is reachable though its app, or the link, is not there. A message is sent into"
      + " the void, and one that wants a reply fails when its time is up. Queued transfers and contexts go by the"
      + " truth.",
    formula:
      "reachable(t) = true from begin to end, ahead of reachabilityStuck; then the truth again. What was sent is"
      + " lost by what makes the peer unreachable: nodeDown, suspended, disconnected. A reply is waited for"
      + " `replyTimeout` (10 s).",
    reality:
      "Sends failed with WCError 7007, 7014 or 7017 though isReachable was true, for seconds to minutes (openradar"
      + " 30104132); apps try three times before they believe it. The length is assumed.",
    parameters: [.init("phantomReachable", "watch, phone", standard: nil, "the device that is wrong")])
}
