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
  ///   - now: The current time.
  ///   - output: Receives frames, lines and changes for the store.
  ///   - deliveries: Receives what is for the app.
  public mutating func receive(
    condition: NodeCondition, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    switch condition {
    case .peer(let isRunning):
      guard isRunning != peerIsRunning else { return }
      peerIsRunning = isRunning
      if isRunning {
        startHelloIfUnconfirmed(clock: clock, at: now, into: &output)
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
      setQuirk(quirk, isOn: isOn, error: error, at: now, into: &output, delivering: &deliveries)
    case .runEnds: isEnding = true
    case .messagesLaunchPeer(let isOn):
      launchesPeer = isOn
      updateBelief(cause: "launch", at: now, into: &output, delivering: &deliveries)
    case .launchedByMessage: launchBox = LaunchBox()
    case .clock, .peerLocked, .sendsFail, .unknown: break
    }
  }

  /// Delivers what waited: the latest of each state first, then the queues, then the outcomes.
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

  /// Delivers anything except queued entries and messages, or stores it until the app resumes; not what a quirk withholds.
  mutating func deliver(_ delivery: SessionDelivery, to deliveries: inout [SessionDelivery]) {
    guard !isWithheld(delivery) else { return }
    guard isSuspended else { return deliveries.append(delivery) }
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
  /// The context is delivered again, or for the first time; its line was written when it was received.
  mutating func activate(
    at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard !isActivated else { return }
    if let context = contextReceived {
      if quirks.on[.contextBurst], !isSuspended {
        handOverBurst(isNew: true, at: now, into: &output, delivering: &deliveries)
      } else {
        deliver(.context(payload: context.payload, seq: context.seq), to: &deliveries)
      }
    }
    isActivated = true
    recordRedelivered(at: now, into: &output)
    handOverAll(into: &output, delivering: &deliveries)
  }
}
