/// Makes a device believe its counterpart reachable, whether it is or not.
public struct PhantomReachableFault: MessageErrorFault {
  /// The device with the wrong belief.
  public var node: NodeRole
  public var error: SessionError?

  public init(_ node: NodeRole, error: SessionError? = nil) {
    self.node = node
    self.error = error
  }

  public static let quirk = SessionQuirk.phantomReachable
  public static let effect =
    "believes its peer reachable, and overrides 5: messages do not arrive, and fail if their sender requested"
    + " the outcome"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "The side reports the other as reachable although its app is not running or the link is down. Messages are lost,"
      + " and fail if their sender has a reply or an error handler. Queued transfers and contexts follow the true"
      + " state.",
    formula:
      "reachable(t) = true from begin to end, overriding reachabilityStuck; then the true state. Messages are dropped"
      + " for the reason that makes the peer unreachable: nodeDown, suspended, disconnected. A message fails with"
      + " `error`: notReachable (7007) at the call, deliveryFailed (7014) after 5 s, transferTimedOut (7017) after"
      + " 60 s; if `replyTimeout` is shorter, with messageReplyTimedOut (7012) at that time. These times are assumed.",
    reality:
      "Sends failed with WCError 7007, 7014 or 7017 although isReachable was true, for seconds to minutes (openradar"
      + " 30104132); apps try three times before they give up. The length is assumed.")
  public static let story = FaultStory(ending: "the phantom reachability is over") {
    "the \($0.device) believes the other side reachable, whether it is or not"
  }
  public static let parameters = besideDevice(Self(.watch), "the device with the wrong belief", [errorField])
}

extension SessionQuirk {
  /// The side believes its peer reachable, whether it is or not.
  public static let phantomReachable = Self("phantomReachable", number: 7) {
    session, _, error, turn in
    session.quirks.phantomError = error
    session.reviewBelief(cause: "phantomReachable", in: &turn)
  }
}
