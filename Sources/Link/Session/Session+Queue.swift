/// The sending half of the queued events: window, retransmission, acknowledgement.
extension Session {
  /// Sends the entries that fit in the window, oldest first.
  mutating func fillWindow(_ lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    while let index = outboxes[lane].nextToSend { transmit(lane, index, waits: 1, at: now, into: &output) }
    refreshQueueDeadline()
  }

  /// Retransmits entries that were in flight when the peer became unreachable, then fills the window.
  mutating func resume(_ lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    for index in 0..<outboxes[lane].sentCount where outboxes[lane].isReleased(index) {
      transmit(lane, index, waits: 1, at: now, into: &output)
    }
    fillWindow(lane, at: now, into: &output)
  }

  /// Releases the oldest user info held by a stalled queue.
  mutating func releaseOldest(at now: VirtualTime, into output: inout NodeOutput) {
    guard let index = outboxes[.userInfo].releaseOldest(), reachable else { return }
    transmit(.userInfo, index, waits: 1, at: now, into: &output)
  }

  /// Saturating increment.
  static func saturatingIncrement(_ count: UInt16) -> UInt16 { count < .max ? count + 1 : count }

  private mutating func transmit(
    _ lane: Lane, _ index: Int, waits: UInt16, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let slot = outboxes[lane].slots[index]
    let attempt = Self.saturatingIncrement(slot.attempt)
    let frame = Frame(
      kind: .data, channel: .userInfo, flags: slot.entry.flags, attempt: attempt, epoch: epoch, peerEpoch: peerEpoch,
      seq: slot.entry.seq, transfer: slot.entry.transfer, payload: slot.entry.payload)
    output.send(frame)
    outboxes[lane].recordSent(
      index, attempt: attempt, waits: waits, deadline: now + backOff(after: waits, key: frame.drawKey))
  }

  /// Caches the earliest deadline of both event lanes, which is read often.
  mutating func refreshQueueDeadline() {
    guard reachable else {
      queueDeadline = .distantFuture
      return
    }
    queueDeadline = min(outboxes[.userInfo].soonest, outboxes[.complication].soonest)
    if delaysBackground { queueDeadline = min(queueDeadline, outboxes[.userInfo].heldUntil, outboxes[.file].heldUntil) }
  }

  mutating func confirmEvent(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    let lane: Lane = frame.flags.contains(.complication) ? .complication : .userInfo
    guard let index = outboxes[lane].slots.index(of: frame.seq),
      outboxes[lane].slots[index].entry.transfer == frame.transfer, !outboxes[lane].slots[index].isAcknowledged
    else { return }
    outboxes[lane].acknowledge(at: index)
    // Transfers finish in the order of queueing: an early confirmation waits for those before it.
    while let entry = outboxes[lane].removeFirstAcknowledged() {
      output.commit(.acknowledged(lane, entry.seq))
      // The cancellation was reported before.
      if !entry.flags.contains(.void) { reportFinished(entry, at: now, into: &output, delivering: &deliveries) }
    }
    orderOutboxPage(lane, into: &output)
    if reachable { fillWindow(lane, at: now, into: &output) }
  }

  /// Requests a page of owed entries if few are left in memory.
  mutating func orderOutboxPage(_ lane: Lane, into output: inout NodeOutput) {
    if let order = outboxes[lane].pageOrder(lane) { output.items.append(.page(order)) }
  }

  /// Handles the store's answer to a ``PageOrder`` of this session.
  ///
  /// The host passes it in at once, before any other input.
  public mutating func receive(
    page: StorePage, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    switch page {
    case .outbox(let lane, let entries):
      outboxes[lane].insertPage(entries)
      orderOutboxPage(lane, into: &output)
      if reachable, lane != .file { fillWindow(lane, at: now, into: &output) }
      if owesFile { sendChunks(at: now, into: &output) }
    case .inbox(let lane, let entries):
      inboxes[lane].insertPage(entries)
      deliverArrived(lane, into: &output, delivering: &deliveries)
    }
  }

  /// Fires due timers: retransmissions and deadlines of messages.
  ///
  /// Called once all inputs of the instant are handled.
  ///
  /// - Parameters:
  ///   - clock: This side's clock in nanoseconds since 1970, for a hello.
  ///   - now: The current time.
  ///   - output: Receives frames, lines and changes for the store.
  ///   - deliveries: Receives what is for the app.
  public mutating func fire(
    clock: Int64, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    if helloDeadline <= now { sendHello(clock: clock, at: now, into: &output) }
    if contextDeadline <= now {
      contextDeadline = .distantFuture
      contextIsHeld = false
      sendContext(at: now, into: &output)
    }
    if queueDeadline <= now {
      if delaysBackground { releaseHeld(at: now, into: &output) }
      retransmit(.complication, at: now, into: &output)
      retransmit(.userInfo, at: now, into: &output)
      refreshQueueDeadline()
    }
    if !isSuspended { failOverdueMessages(at: now, into: &output, delivering: &deliveries) }
    if fileDeadline <= now { retryFile(at: now, into: &output) }
    if owesFile { sendChunks(at: now, into: &output) }
  }

  private mutating func retransmit(_ lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    guard outboxes[lane].soonest <= now else { return }
    for index in 0..<outboxes[lane].sentCount where outboxes[lane].slots[index].deadline <= now {
      transmit(lane, index, waits: Self.saturatingIncrement(outboxes[lane].slots[index].waits), at: now, into: &output)
    }
  }
}
