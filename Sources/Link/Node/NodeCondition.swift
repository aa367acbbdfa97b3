/// What a node learns of its device, or of its counterpart, other than of the radio.
public enum NodeCondition: Sendable, Equatable {
  /// Whether the counterpart's app runs or can be woken: without it nothing can be sent by message.
  case peer(isRunning: Bool)
  /// Whether the counterpart's app is installed: without it every send fails at the call.
  case peerInstalled(Bool)
  /// What the device's clock reads from now on: real time plus `offset` nanoseconds, drifting by `driftPPM`
  /// millionths from now on.
  case clock(offset: Int64, driftPPM: Double)
  /// Whether the device's disk is full: what would grow the store is refused until it is not.
  case disk(isFull: Bool)
  /// The app sleeps: no timer of it rings, and what is queued for it is received and kept.
  case suspended
  /// The app goes on.
  case resumed
  /// Whether this side gets something wrong as the real framework does.
  ///
  /// `error` is one of ``SessionQuirk/messageErrors``, for the quirks whose messages fail; nil to draw it for each.
  case quirk(SessionQuirk, isOn: Bool, error: SessionError? = nil)
  /// Whether the counterpart is a phone that was restarted, and that nobody has unlocked since: told only to a node
  /// with timers of its own, whose app may ask.
  case peerLocked(Bool)
  /// The run has reached its end: what is owed still passes, and the app sends nothing new. Told only to a node with
  /// timers of its own.
  case runEnds
  /// Whether a message of this side launches the counterpart's app, so that the app need not run to be in reach; told to
  /// a watch.
  case messagesLaunchPeer(Bool)
  /// A message has launched this app, and follows: messages that come before their sender's hello wait for it.
  case launchedByMessage
  /// A condition that this release does not know: ignored.
  case unknown(UInt8)
}
