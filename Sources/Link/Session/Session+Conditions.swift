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
