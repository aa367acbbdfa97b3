/// The sending half of the guaranteed events: window, retransmission, acknowledgement.
extension Session {
  /// Sends what the window has room for, oldest first.
  mutating func fillWindow(_ lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    while let index = outboxes[lane].nextToSend { transmit(lane, index, waits: 1, at: now, into: &output) }
    noteQueueDeadline()
  }

  /// Sends again what was under way when the peer went out of reach, and then what the window has room for.
  mutating func resume(_ lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    for index in 0..<outboxes[lane].sentCount where outboxes[lane].isReleased(index) {
      transmit(lane, index, waits: 1, at: now, into: &output)
    }
    fillWindow(lane, at: now, into: &output)
  }

  /// Lets the oldest user info go that a stalled queue holds.
  mutating func releaseOldest(at now: VirtualTime, into output: inout NodeOutput) {
    guard let index = outboxes[.userInfo].releaseOldest(), reachable else { return }
    transmit(.userInfo, index, waits: 1, at: now, into: &output)
  }

  /// One more, up to the most that a frame's header can say.
  static func next(_ count: UInt16) -> UInt16 { count < .max ? count + 1 : count }

  private mutating func transmit(
    _ lane: Lane, _ index: Int, waits: UInt16, at now: VirtualTime, into output: inout NodeOutput
  ) {
    let slot = outboxes[lane].slots[index]
    let attempt = Self.next(slot.attempt)
    let frame = Frame(
      kind: .data, channel: .userInfo, flags: slot.entry.flags, attempt: attempt, epoch: epoch, peerEpoch: peerEpoch,
      seq: slot.entry.seq, transfer: slot.entry.transfer, payload: slot.entry.payload)
    output.send(frame)
    outboxes[lane].noteSent(
      index, attempt: attempt, waits: waits, deadline: now + backOff(after: waits, key: frame.drawKey))
  }

  /// Keeps the soonest deadline of both lanes of events: it is asked for often.
  mutating func noteQueueDeadline() {
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
    // Transfers finish in the order of queueing: one whose confirmation was quicker waits for those before it.
    while let entry = outboxes[lane].removeFirstAcknowledged() {
      output.commit(.acknowledged(lane, entry.seq))
      // A cancelled one was reported already.
      if !entry.flags.contains(.void) { tellFinished(entry, at: now, into: &output, delivering: &deliveries) }
    }
    orderOutboxPage(lane, into: &output)
    if reachable { fillWindow(lane, at: now, into: &output) }
  }

  /// Asks the store for more of what is owed, once little of it is left in memory.
  mutating func orderOutboxPage(_ lane: Lane, into output: inout NodeOutput) {
    if let order = outboxes[lane].pageOrder(lane) { output.items.append(.page(order)) }
  }

  /// Takes what the store had to a ``PageOrder`` of this session.
  ///
  /// The host hands it over at once, before any other input.
  public mutating func receive(
    page: StorePage, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    switch page {
    case .outbox(let lane, let entries):
      outboxes[lane].take(entries)
      orderOutboxPage(lane, into: &output)
      if reachable, lane != .file { fillWindow(lane, at: now, into: &output) }
      if owesFile { sendChunks(at: now, into: &output) }
    case .inbox(let lane, let entries):
      inboxes[lane].take(entries)
      handOver(lane, into: &output, delivering: &deliveries)
    }
  }

  /// Does what is due: retransmissions and deadlines of messages.
  ///
  /// Called once every input of the instant has been taken.
  ///
  /// - Parameter clock: This side's clock in nanoseconds since 1970, for a hello.
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
      noteQueueDeadline()
    }
    if !isSuspended { failOverdueMessages(at: now, into: &output, delivering: &deliveries) }
    if fileDeadline <= now { retryFile(at: now, into: &output) }
    if owesFile { sendChunks(at: now, into: &output) }
  }

  private mutating func retransmit(_ lane: Lane, at now: VirtualTime, into output: inout NodeOutput) {
    guard outboxes[lane].soonest <= now else { return }
    for index in 0..<outboxes[lane].sentCount where outboxes[lane].slots[index].deadline <= now {
      transmit(lane, index, waits: Self.next(outboxes[lane].slots[index].waits), at: now, into: &output)
    }
  }
}
