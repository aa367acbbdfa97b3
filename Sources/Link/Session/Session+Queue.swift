/// The sending half of the queued events: window, retransmission, acknowledgement.
extension Session {
  /// Sends the entries that fit in the window, oldest first.
  mutating func fillWindow(_ lane: Lane, in turn: inout Turn) {
    while let index = outboxes[lane].nextToSend { transmit(lane, index, waits: 1, in: &turn) }
    refreshQueueDeadline()
  }

  /// Retransmits entries that were in flight when the peer became unreachable, then fills the window.
  mutating func resume(_ lane: Lane, in turn: inout Turn) {
    for index in 0..<outboxes[lane].sentCount where outboxes[lane].isReleased(index) {
      transmit(lane, index, waits: 1, in: &turn)
    }
    fillWindow(lane, in: &turn)
  }

  /// Releases the oldest user info held by a stalled queue.
  mutating func releaseOldest(in turn: inout Turn) {
    guard let index = outboxes[.userInfo].releaseOldest(), reachable else { return }
    transmit(.userInfo, index, waits: 1, in: &turn)
  }

  /// Saturating increment.
  static func saturatingIncrement(_ count: UInt16) -> UInt16 { count < .max ? count + 1 : count }

  private mutating func transmit(_ lane: Lane, _ index: Int, waits: UInt16, in turn: inout Turn) {
    let slot = outboxes[lane].slots[index]
    let attempt = Self.saturatingIncrement(slot.attempt)
    let frame = Frame(
      kind: .data, channel: .userInfo, flags: slot.entry.flags, attempt: attempt, epoch: epoch,
      peerEpoch: handshake.peerEpoch,
      seq: slot.entry.seq, transfer: slot.entry.transfer, payload: slot.entry.payload)
    turn.send(frame)
    outboxes[lane].recordSent(
      index, attempt: attempt, waits: waits, deadline: turn.now + backOff(after: waits, key: frame.drawKey))
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

  mutating func confirmEvent(_ frame: Frame, in turn: inout Turn) {
    let lane: Lane = frame.flags.contains(.complication) ? .complication : .userInfo
    guard let index = outboxes[lane].slots.index(of: frame.seq),
      outboxes[lane].slots[index].entry.transfer == frame.transfer, !outboxes[lane].slots[index].isAcknowledged
    else { return }
    outboxes[lane].acknowledge(at: index)
    // Transfers finish in the order of queueing: an early confirmation waits for those before it.
    while let entry = outboxes[lane].removeFirstAcknowledged() {
      turn.commit(.acknowledged(lane, entry.seq))
      // The cancellation was reported before.
      if !entry.flags.contains(.void) { reportFinished(entry, in: &turn) }
    }
    orderOutboxPage(lane, in: &turn)
    if reachable { fillWindow(lane, in: &turn) }
  }

  /// Requests a page of owed entries if few are left in memory.
  mutating func orderOutboxPage(_ lane: Lane, in turn: inout Turn) {
    if let order = outboxes[lane].pageOrder(lane) { turn.items.append(.page(order)) }
  }

  /// Handles the store's answer to a ``PageOrder`` of this session.
  ///
  /// The host passes it in at once, before any other input.
  public mutating func receive(page: StorePage, in turn: inout Turn) {
    switch page {
    case .outbox(let lane, let entries):
      outboxes[lane].insertPage(entries)
      orderOutboxPage(lane, in: &turn)
      if reachable, lane != .file { fillWindow(lane, in: &turn) }
      if files.isOwed { sendChunks(in: &turn) }
    case .inbox(let lane, let entries):
      inboxes[lane].insertPage(entries)
      deliverArrived(lane, in: &turn)
    }
  }

  /// Fires due timers: retransmissions and deadlines of messages.
  ///
  /// Called once all inputs of the instant are handled.
  ///
  /// - Parameters:
  ///   - clock: This side's clock in nanoseconds since 1970, for a hello.
  ///   - turn: Receives frames, lines and changes for the store.
  public mutating func fire(clock: Int64, in turn: inout Turn) {
    let now = turn.now
    if handshake.deadline <= now { sendHello(clock: clock, in: &turn) }
    if contexts.deadline <= now {
      contexts.deadline = .distantFuture
      contexts.isHeld = false
      sendContext(in: &turn)
    }
    if queueDeadline <= now {
      if delaysBackground { releaseHeld(in: &turn) }
      retransmit(.complication, in: &turn)
      retransmit(.userInfo, in: &turn)
      refreshQueueDeadline()
    }
    if !isSuspended { failOverdueMessages(in: &turn) }
    if files.deadline <= now { retryFile(in: &turn) }
    if files.isOwed { sendChunks(in: &turn) }
  }

  private mutating func retransmit(_ lane: Lane, in turn: inout Turn) {
    let now = turn.now
    guard outboxes[lane].soonest <= now else { return }
    for index in 0..<outboxes[lane].sentCount where outboxes[lane].slots[index].deadline <= now {
      transmit(lane, index, waits: Self.saturatingIncrement(outboxes[lane].slots[index].waits), in: &turn)
    }
  }
}
