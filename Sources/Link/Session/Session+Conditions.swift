/// The conditions of this device and its counterpart, and the deliveries that wait while the app is suspended.
extension Session {
  /// Deliveries for a suspended app, in the order in which it will get them.
  ///
  /// Queued events and files are not included: they wait in the inbox.
  struct HeldBack: Sendable, Equatable {
    /// The latest start of the peer's app.
    var peerStarted: SessionDelivery?
    /// The latest change of reachability.
    var reachability: SessionDelivery?
    /// The latest context.
    var context: SessionDelivery?
    /// Outcomes of this side's messages and transfers: at most as many as were pending.
    var results: [SessionDelivery] = []
    /// The progress of the current file.
    var progress: SessionDelivery?
  }

  /// Handles a condition of this device or its counterpart; the node itself handles that of the clock.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - clock: This side's clock in nanoseconds since 1970, for a hello.
  ///   - turn: Receives frames, lines and changes for the store.
  public mutating func receive(condition: NodeCondition, clock: Int64, in turn: inout Turn) {
    switch condition {
    case .peer(let isRunning):
      guard isRunning != peerIsRunning else { return }
      peerIsRunning = isRunning
      if isRunning {
        startHelloIfUnconfirmed(clock: clock, in: &turn)
      } else {
        handshake.deadline = .distantFuture
      }
      updateReachability(cause: "peer", in: &turn)
      if !isRunning { failPendingMessages(.deliveryFailed, in: &turn) }
    case .peerInstalled(let isInstalled):
      peerIsInstalled = isInstalled
      updateReachability(cause: isInstalled ? "installed" : "notInstalled", in: &turn)
      if !isInstalled { failPendingMessages(.peerNotInstalled, in: &turn) }
    case .disk(let isFull): diskIsFull = isFull
    case .suspended: isSuspended = true
    case .resumed: wakeUp(in: &turn)
    case .quirk(let quirk, let isOn, let error):
      setQuirk(quirk, isOn: isOn, error: error, in: &turn)
    case .runEnds: isEnding = true
    case .messagesLaunchPeer(let isOn):
      launchesPeer = isOn
      updateBelief(cause: "launch", in: &turn)
    case .launchedByMessage: launchBox = LaunchBox()
    case .clock, .peerLocked, .sendsFail, .unknown: break
    }
  }

  /// Delivers what waited: the latest of each state first, then the queues, then the outcomes.
  private mutating func wakeUp(in turn: inout Turn) {
    guard isSuspended else { return }
    isSuspended = false
    let held = heldBack
    heldBack = HeldBack()
    for state in [held.peerStarted, held.reachability] { if let state { turn.deliveries.append(state) } }
    if quirks.on[.contextBurst] {
      handOverBurst(isNew: held.context != nil, in: &turn)
    } else if let context = held.context {
      turn.deliveries.append(context)
    }
    handOverAll(in: &turn)
    turn.deliveries += held.results
    if let progress = held.progress { turn.deliveries.append(progress) }
    handOverLaunchBox(in: &turn)
    failOverdueMessages(in: &turn)
  }

  /// Delivers anything except queued entries and messages, or stores it until the app resumes; not what a quirk withholds.
  mutating func deliver(_ delivery: SessionDelivery, in turn: inout Turn) {
    guard !isWithheld(delivery) else { return }
    guard isSuspended else { return turn.deliveries.append(delivery) }
    switch delivery {
    case .peerStarted: heldBack.peerStarted = delivery
    case .reachability: heldBack.reachability = delivery
    case .context: heldBack.context = delivery
    case .progress: heldBack.progress = delivery
    case .finished(.file, _, _), .transferFailed, .transferCancelled:
      // The outcome comes after the progress.
      if let progress = heldBack.progress { heldBack.results.append(progress) }
      heldBack.progress = nil
      heldBack.results.append(delivery)
    case .reply, .received, .failed, .finished: heldBack.results.append(delivery)
    case .message, .userInfo, .file:
      preconditionFailure("a suspended app gets no messages, and the inbox holds its entries")
    }
  }

  /// Delivers what earlier epochs left for the app, once in an epoch.
  ///
  /// The line of a context was written when it was received.
  mutating func activate(in turn: inout Turn) {
    guard !isActivated else { return }
    if let context = contexts.received {
      let isWaiting = configuration.contextAtStart.delivers(context.seq)
      if quirks.on[.contextBurst], !isSuspended {
        handOverBurst(isNew: isWaiting, in: &turn)
      } else if quirks.on[.contextRepeated] {
        repeatContext(context, isWaiting: isWaiting, in: &turn)
      } else if isWaiting {
        deliver(.context(payload: context.payload, seq: context.seq), in: &turn)
      }
    }
    isActivated = true
    recordRedelivered(in: &turn)
    handOverAll(in: &turn)
  }
}

/// Messages that launch the peer's app, as a watch launches its phone's.
///
/// The host starts the app and passes in the message first. The new session does not know the sender yet, so this
/// message and those after it wait in a box until both sides know each other's epoch. The answer to the sender's hello
/// names them, so that the sender does not consider them lost with the previous start.
extension Session {
  /// Messages that arrived before their sender's hello.
  struct LaunchBox: Sendable, Equatable {
    /// The capacity; later messages are lost.
    static let countMax = 64
    /// In the order of arrival; the first one launched the app.
    var frames: [Frame] = []
  }

  /// Whether a message has a receiver, which it may have to launch.
  var isWithinReach: Bool {
    reachable || launchesPeer && linkIsUp && peerIsInstalled && (handshake.peerEpoch.rawValue > 0 || !peerIsRunning)
  }

  /// Stores a message until its sender's hello.
  ///
  /// Messages with lower numbers than the first one may have reached an earlier start of the app.
  mutating func storeForLaunch(_ frame: Frame, in turn: inout Turn) {
    guard frame.seq.rawValue > 0, let held = launchBox?.frames, held.count < LaunchBox.countMax,
      held.first.map({ $0.epoch == frame.epoch && $0.seq <= frame.seq }) ?? true
    else { return refuse(frame, why: "before the hello of its sender", in: &turn) }
    guard !held.contains(where: { $0.seq == frame.seq }) else { return }
    launchBox?.frames.append(frame)
  }

  /// Fixes which messages the answer to a hello names.
  mutating func acceptLaunchBox(of sender: Epoch) {
    guard let held = launchBox?.frames else { return }
    if held.first?.epoch != sender { launchBox = nil }
    acceptedAtLaunch = launchBox?.frames.map(\.seq) ?? []
  }

  /// Delivers the waiting messages once both sides know each other and the app is awake.
  mutating func handOverLaunchBox(in turn: inout Turn) {
    guard let held = launchBox?.frames, reachable, !isSuspended else { return }
    launchBox = nil
    for frame in held {
      // The hello marked the accepted messages as seen; any other came after it.
      guard acceptedAtLaunch.contains(frame.seq) || messages.filter.insert(frame.seq) else { continue }
      deliverMessage(frame, isStale: false, in: &turn)
    }
  }
}

extension SequenceNumber {
  /// The number as eight bytes, little-endian.
  package var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(8 * $0)) } }

  /// Decodes a list of numbers; empty if the bytes are not one, or if it exceeds the capacity of a launch box.
  static func decodeList(_ bytes: [UInt8]) -> [SequenceNumber] {
    guard bytes.count % 8 == 0, bytes.count / 8 <= Session.LaunchBox.countMax else { return [] }
    return stride(from: 0, to: bytes.count, by: 8).map { SequenceNumber(bytes.littleEndian(UInt64.self, at: $0)) }
  }
}

/// Deliberate misbehaviour of a session, as seen in the real framework.
///
/// A quirk changes the app's notifications and the time of sending, but no guarantee: messages at most once, queued
/// items exactly once, the latest context eventually.
extension Session {
  /// The state of a session's quirks.
  struct QuirkState: Sendable, Equatable {
    /// The most contexts stored for a burst.
    static let contextsMax = 8
    /// The most unreported transfers that are listed as outstanding.
    static let unreportedMax = LaneRecord.pageMax

    /// The active quirks.
    var on = SessionQuirkSet()
    /// Those of them that keep deliveries from the app.
    var withholding: [SessionQuirk] = []
    /// The error of messages while ``SessionQuirk/phantomReachable`` is on; nil to draw it for each.
    var phantomError: SessionError?
    /// The same for ``SessionQuirk/reachabilityStuck``.
    var stuckError: SessionError?
    /// The latest contexts since the beginning of ``SessionQuirk/contextBurst``, the newest last.
    var contexts: [SessionRecord.ContextSlot] = []
    /// The number of bursts in this epoch.
    var bursts: UInt64 = 0
    /// Transfers that the peer has without a report to the app, in the order of their confirmations.
    var unreported: [QueueEntry] = []
    /// The last entries that an earlier epoch handled, one for each lane that stored it.
    var handledBefore: [QueueEntry] = []
  }

  /// Switches a quirk on or off.
  mutating func setQuirk(_ quirk: SessionQuirk, isOn: Bool, error: SessionError?, in turn: inout Turn) {
    guard quirks.on[quirk] != isOn else { return }
    quirks.on[quirk] = isOn
    quirks.withholding.removeAll { $0 == quirk }
    if isOn, quirk.withholds != nil { quirks.withholding.append(quirk) }
    quirk.switched?(&self, isOn, error, &turn)
  }

  /// Whether a quirk keeps a delivery from the app.
  func isWithheld(_ delivery: SessionDelivery) -> Bool {
    quirks.withholding.contains { $0.withholds?(self, delivery) == true }
  }

  // MARK: Reachability

  /// Whether a quirk keeps the app's belief as it is.
  private var isStuck: Bool { quirks.on[.reachabilityStuck] || quirks.on[.reachabilityUntrue] }

  /// Whether a message may be sent: as the app believes, or as it is.
  var admitsMessages: Bool { quirks.on[.reachabilityUntrue] ? isWithinReach : believesReachable }

  /// Updates the reachability that the app sees.
  mutating func updateBelief(cause: String, in turn: inout Turn) {
    let isReachable =
      quirks.on[.phantomReachable] || (isStuck ? believesReachable : isWithinReach)
    guard isReachable != believesReachable else { return }
    believesReachable = isReachable
    let isTold = !quirks.on[.reachabilityEdgeLost] && !(isReachable && quirks.on[.reachabilityRiseLost])
    turn.record(ReachabilityChanged.self, on: configuration.role.place) {
      $0.reachable = isReachable
      $0.cause = cause
      if !isTold { $0.told = false }
    }
    if isTold { deliver(.reachability(isReachable), in: &turn) }
  }

  /// Updates a belief that a quirk makes wrong, and fails messages that the app no longer believes possible.
  mutating func reviewBelief(cause: String, in turn: inout Turn) {
    updateBelief(cause: cause, in: &turn)
    if !believesReachable { failPendingMessages(.notReachable, in: &turn) }
  }

  // MARK: Messages

  /// How long a message without a receiver takes to fail; the framework's times are not recorded.
  private static let deliveryFailsAfter = VirtualTime.Span.seconds(5)
  private static let transferTimesOutAfter = VirtualTime.Span.seconds(60)

  /// Whether a quirk makes the app believe that an unreachable peer is reachable.
  var believesWrongly: Bool { believesReachable && !isWithinReach && !quirks.on[.reachabilityUntrue] }

  /// The error of a message that cannot arrive because of a quirk: the fault's, or drawn for each message.
  private func quirkError(for seq: SequenceNumber) -> SessionError {
    if let error = quirks.on[.phantomReachable] ? quirks.phantomError : quirks.stuckError { return error }
    let key = RandomStream.key(0x7068_616E_746F_6D00 ^ UInt64(epoch.rawValue), seq.rawValue)
    return SessionQuirk.messageErrors[Int(configuration.random.number(below: 3, for: key))]
  }

  /// Whether a message is refused at the call although the app believes the peer reachable.
  func isRefusedByQuirk(_ seq: SequenceNumber) -> Bool { believesWrongly && quirkError(for: seq) == .notReachable }

  /// Sets the time and the error for a message sent because of a quirk; never later than without the quirk.
  func failByQuirk(_ message: inout PendingMessage, at now: VirtualTime) {
    let error = quirkError(for: message.seq)
    let wait: VirtualTime.Span =
      switch error {
      case .notReachable: .zero
      case .deliveryFailed: Self.deliveryFailsAfter
      default: Self.transferTimesOutAfter
      }
    guard now + wait < message.deadline else { return }
    message.error = error
    message.deadline = now + wait
  }
}
