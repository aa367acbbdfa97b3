/// What a side learns of its device and of its counterpart, and what waits while its app sleeps.
extension Session {
  /// What came for the app while it sleeps, in the order in which it is handed over.
  ///
  /// Queued events and files are not here: they wait in the inbox.
  struct HeldBack: Sendable, Equatable {
    /// The latest start of the peer's app.
    var peerStarted: SessionDelivery?
    /// The latest change of reachability.
    var reachability: SessionDelivery?
    /// The latest context.
    var context: SessionDelivery?
    /// What became of messages and transfers of ours: as many at most as were owed.
    var results: [SessionDelivery] = []
    /// How far the file under way has come.
    var progress: SessionDelivery?
  }

  /// Takes what this side learns of its device, or of its counterpart; the clock's is the node's alone.
  ///
  /// - Parameter clock: This side's clock in nanoseconds since 1970, for a hello.
  public mutating func receive(
    condition: NodeCondition, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    switch condition {
    case .peer(let isRunning):
      guard isRunning != peerIsRunning else { return }
      peerIsRunning = isRunning
      if isRunning {
        sayHelloIfUnknown(clock: clock, at: now, into: &output)
      } else {
        helloDeadline = .distantFuture
      }
      updateReachability(cause: "peer", at: now, into: &output, delivering: &deliveries)
      if !isRunning { failPendingMessages(.deliveryFailed, at: now, into: &output, delivering: &deliveries) }
    case .peerInstalled(let isInstalled):
      peerIsInstalled = isInstalled
      updateReachability(
        cause: isInstalled ? "installed" : "notInstalled", at: now, into: &output, delivering: &deliveries)
      if !isInstalled { failPendingMessages(.peerNotInstalled, at: now, into: &output, delivering: &deliveries) }
    case .disk(let isFull): diskIsFull = isFull
    case .suspended: isSuspended = true
    case .resumed: wakeUp(at: now, into: &output, delivering: &deliveries)
    case .quirk(let quirk, let isOn, let error):
      set(quirk, isOn: isOn, error: error, at: now, into: &output, delivering: &deliveries)
    case .runEnds: isEnding = true
    case .messagesLaunchPeer(let isOn):
      launchesPeer = isOn
      updateBelief(cause: "launch", at: now, into: &output, delivering: &deliveries)
    case .launchedByMessage: launchBox = LaunchBox()
    case .clock, .peerLocked, .unknown: break
    }
  }

  /// Hands over what waited: the latest of each state first, then the queues, then what became of our own.
  private mutating func wakeUp(
    at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard isSuspended else { return }
    isSuspended = false
    let held = heldBack
    heldBack = HeldBack()
    for state in [held.peerStarted, held.reachability] { if let state { deliveries.append(state) } }
    if quirks.on[.contextBurst] {
      handOverBurst(isNew: held.context != nil, at: now, into: &output, delivering: &deliveries)
    } else if let context = held.context {
      deliveries.append(context)
    }
    handOverAll(into: &output, delivering: &deliveries)
    deliveries += held.results
    if let progress = held.progress { deliveries.append(progress) }
    handOverLaunchBox(at: now, into: &output, delivering: &deliveries)
    failOverdueMessages(at: now, into: &output, delivering: &deliveries)
  }

  /// Hands the app something other than a queued entry or a message, or keeps it until the app goes on.
  mutating func deliver(_ delivery: SessionDelivery, to deliveries: inout [SessionDelivery]) {
    guard isSuspended else { return deliveries.append(delivery) }
    switch delivery {
    case .peerStarted: heldBack.peerStarted = delivery
    case .reachability: heldBack.reachability = delivery
    case .context: heldBack.context = delivery
    case .progress: heldBack.progress = delivery
    case .finished(.file, _, _), .transferFailed, .transferCancelled:
      // What became of it comes behind how far it had come.
      if let progress = heldBack.progress { heldBack.results.append(progress) }
      heldBack.progress = nil
      heldBack.results.append(delivery)
    case .reply, .received, .failed, .finished: heldBack.results.append(delivery)
    case .message, .userInfo, .file: preconditionFailure("a sleeping app is handed what waits elsewhere, or nothing")
    }
  }

  /// Hands over what the epochs before left for the app, once in an epoch.
  ///
  /// The context is the same one as before, or one that the app had not got: its line stands where it was received.
  mutating func activate(
    at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard !isActivated else { return }
    isActivated = true
    if let context = contextReceived {
      if quirks.on[.contextBurst], !isSuspended {
        handOverBurst(isNew: true, at: now, into: &output, delivering: &deliveries)
      } else {
        deliver(.context(payload: context.payload, seq: context.seq), to: &deliveries)
      }
    }
    takeRedelivered(at: now, into: &output)
    handOverAll(into: &output, delivering: &deliveries)
  }
}
