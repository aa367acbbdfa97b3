/// A condition of a node's device or of its counterpart, apart from the radio.
public enum NodeCondition: Sendable, Equatable {
  /// Whether the counterpart's app runs or can be woken; otherwise no message can be sent.
  case peer(isRunning: Bool)
  /// Whether the counterpart's app is installed; otherwise every send fails at the call.
  case peerInstalled(Bool)
  /// The device's clock shows true time plus `offset` nanoseconds, and gains `driftPPM` millionths from now on.
  case clock(offset: Int64, driftPPM: Double)
  /// Whether the device's disk is full: it then refuses whatever would grow its store.
  case disk(isFull: Bool)
  /// The app is suspended: its timers do not fire, and transfers for it are received and stored.
  case suspended
  /// The app resumes.
  case resumed
  /// Whether this side misbehaves as the real framework does.
  ///
  /// `error` is one of ``SessionQuirk/messageErrors``, for quirks whose messages fail; nil to draw it for each.
  case quirk(SessionQuirk, isOn: Bool, error: SessionError? = nil)
  /// Whether the counterpart is a phone that was rebooted and is still locked.
  ///
  /// Sent only to a node with its own timers, whose app can query it.
  case peerLocked(Bool)
  /// The run has reached its end: owed items are still transferred, and the app sends nothing new.
  ///
  /// Sent only to a node with its own timers.
  case runEnds
  /// Whether a message of this side launches the counterpart's app, so that the app is reachable while it is not
  /// running.
  ///
  /// Sent to a watch.
  case messagesLaunchPeer(Bool)
  /// A message has launched this app and follows: messages that arrive before their sender's hello wait for it.
  case launchedByMessage
  /// Makes the app's sends fail on purpose; nil ends that.
  ///
  /// Sent only to an app.
  case sendsFail(SendFailures?)
  /// A condition of a later release; ignored.
  case unknown(UInt8)
}
