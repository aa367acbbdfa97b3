/// Calls of the app.
extension Session {
  /// Sends a message, once.
  ///
  /// A refused message uses up its number, so that the receiver sees the gap.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - kind: The app's name for it, for the trace.
  ///   - flags: How the payload is coded.
  ///   - wantsReply: Whether a ``SessionDelivery/reply(to:payload:flags:)`` or a failure must follow.
  ///   - wantsReceipt: For a message without reply, whether a ``SessionDelivery/received(_:)`` or a failure must
  ///     follow.
  ///   - turn: Receives frames, lines and changes for the store.
  /// - Returns: The message's number, and the error if it was not sent.
  @discardableResult
  public mutating func sendMessage(
    _ payload: consuming [UInt8], kind: @autoclosure () -> String, flags: Frame.Flags = .dictionary,
    wantsReply: Bool = false, wantsReceipt: Bool = false,
    in turn: inout Turn
  ) -> (seq: SequenceNumber, error: SessionError?) {
    let now = turn.now
    let seq = messages.nextSeq
    messages.nextSeq = SequenceNumber(seq.rawValue + 1)
    let isTooLarge = payload.count > Self.payloadBytesMax(on: .message)
    let waits = wantsReply || wantsReceipt
    let failure = sendFailures == nil ? nil : drawSendFailure(on: .message)
    if isTooLarge || !admitsMessages || !peerIsInstalled || waits && isRefusedByQuirk(seq)
      || failure?.moment == .call
    {
      if configuration.plants.contains(.silentRefusal) { return (seq, nil) }
      let error: SessionError =
        !peerIsInstalled
        ? .peerNotInstalled
        : isTooLarge ? .payloadTooLarge : admitsMessages ? failure?.error ?? .notReachable : .notReachable
      recordRefusal(of: seq, kind: kind(), error, in: &turn)
      return (seq, error)
    }
    if let failure {
      recordRefusal(of: seq, kind: kind(), failure.error, in: &turn)
      if waits { failLater(seq, failure.error, wantsReply: wantsReply, at: now) }
      return (seq, nil)
    }
    var flags = flags
    if waits {
      flags.insert(wantsReply ? .wantsReply : .wantsReceipt)
      awaitOutcome(of: seq, wantsReply: wantsReply, at: now)
    }
    let frame = Frame(
      kind: .data, channel: .message, flags: flags, epoch: epoch, peerEpoch: handshake.peerEpoch, seq: seq,
      payload: consume payload)
    turn.items.append(.frame(consume frame))
    return (seq, nil)
  }

  /// Records that a message is not sent.
  private func recordRefusal(of seq: SequenceNumber, kind: String, _ error: SessionError, in turn: inout Turn) {
    turn.record(MessageRefused.self, on: configuration.role.place) {
      $0.kind = kind
      $0.epoch = Int64(epoch.rawValue)
      $0.seq = Int64(seq.rawValue)
      $0.error = error.text(on: configuration.role)
    }
  }

  /// Answers a message that expects a reply.
  ///
  /// - Returns: Why it was not sent: the peer is unreachable or its epoch is over (`messageReplyFailed`), or the answer
  ///   is too large; nil if it was sent.
  @discardableResult
  public mutating func reply(
    to seq: SequenceNumber, of peer: Epoch, _ payload: [UInt8], flags: Frame.Flags = .dictionary,
    in turn: inout Turn
  ) -> SessionError? {
    guard payload.count <= Self.payloadBytesMax(on: .message) else { return .payloadTooLarge }
    guard peer == handshake.peerEpoch, reachable else { return .messageReplyFailed }
    turn.send(
      Frame(
        kind: .reply, channel: .message, flags: flags, epoch: epoch, peerEpoch: handshake.peerEpoch, seq: seq,
        payload: payload))
    return nil
  }

  /// Sets the application context.
  ///
  /// Setting an equal value changes nothing and sends nothing; a line says so.
  public mutating func updateApplicationContext(_ payload: [UInt8], in turn: inout Turn) throws(SessionError) {
    let now = turn.now
    guard peerIsInstalled else { throw .peerNotInstalled }
    guard payload.count <= Self.payloadBytesMax(on: .applicationContext) else { throw .payloadTooLarge }
    if let sent = contexts.sent, sent.payload == payload {
      return turn.record(ContextUnchanged.self, on: configuration.role.place) {
        $0.seq = Int64(sent.seq.rawValue)
        $0.digest = EventDigest(bits: Digest.prefix(payload))
      }
    }
    guard !diskIsFull else { throw .insufficientSpace }
    try failAtCall(.applicationContext)
    let seq = SequenceNumber((contexts.sent?.seq.rawValue ?? 0) + 1)
    contexts.sent = SessionRecord.ContextSlot(seq: seq, payload: payload)
    contexts.isAcknowledged = false
    turn.commit(.contextSet(seq, payload))
    turn.record(ContextSet.self, on: configuration.role.place) {
      $0.seq = Int64(seq.rawValue)
      $0.digest = EventDigest(bits: Digest.prefix(payload))
    }
    contexts.attempts = 0
    contexts.waits = 0
    // A context that waits for the end of the delay is replaced and never sent.
    guard !contexts.isHeld else { return }
    contexts.deadline = .distantFuture
    guard reachable else { return }
    if delaysBackground { holdContext(at: now) } else { sendContext(in: &turn) }
  }

  /// Queues an event: committed before this returns, delivered exactly once, in order.
  ///
  /// The app's changes in the turn since the last `commit` become durable with it.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - flags: How the payload is coded.
  ///   - details: The app's fields for the trace.
  ///   - ghost: The workout of a leftover session, if the event is of one; for the trace.
  ///   - turn: Receives frames, lines and changes for the store.
  /// - Returns: The transfer's identifier.
  /// - Throws: `peerNotInstalled`, `payloadTooLarge`, `insufficientSpace`; then nothing is queued.
  @discardableResult
  public mutating func transferUserInfo(
    _ payload: [UInt8], flags: Frame.Flags = .dictionary, details: @autoclosure () -> TransferDetails,
    ghost: Identifier? = nil, in turn: inout Turn
  ) throws(SessionError) -> Identifier {
    try checkRoom(for: payload)
    let later = try failAtCall(.userInfo)
    let entry = QueueEntry(
      transfer: nextTransfer(in: .userInfo), seq: outboxes[.userInfo].nextSeq, flags: flags, payload: payload)
    enqueue(entry, details: details(), ghost: ghost, failingWith: later, in: &turn)
    return entry.transfer
  }

  /// Queues an event ahead of the ordinary ones; after 50 in a day, an ordinary one.
  ///
  /// Days are counted since 1970 by this side's clock; a clock set to another day starts a new count.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - flags: How the payload is coded.
  ///   - clock: This side's clock in nanoseconds since 1970.
  ///   - details: The app's fields for the trace.
  ///   - turn: Receives frames, lines and changes for the store.
  /// - Returns: The transfer's identifier, and whether it is a complication transfer.
  /// - Throws: As ``transferUserInfo(_:flags:details:ghost:in:)``.
  @discardableResult
  public mutating func transferComplicationUserInfo(
    _ payload: [UInt8], flags: Frame.Flags = .dictionary, clock: Int64,
    details: @autoclosure () -> TransferDetails, in turn: inout Turn
  ) throws(SessionError) -> (transfer: Identifier, isComplication: Bool) {
    let used = ComplicationBudget.perDay - remainingComplicationTransfers(clock: clock)
    guard used < ComplicationBudget.perDay else {
      if configuration.plants.contains(.budgetDropped) {
        return (try dropOverBudget(payload, flags: flags, details: details(), in: &turn), false)
      }
      let transfer = try transferUserInfo(payload, flags: flags, details: details(), in: &turn)
      return (transfer, false)
    }
    try checkRoom(for: payload)
    let later = try failAtCall(.userInfo)
    budget = ComplicationBudget(day: Self.day(of: clock), used: used + 1)
    turn.items.append(.change(.budget(budget)))
    let entry = QueueEntry(
      transfer: nextTransfer(in: .complication), lane: .complication, seq: outboxes[.complication].nextSeq,
      flags: flags.union(.complication), payload: payload)
    enqueue(entry, details: details(), failingWith: later, in: &turn)
    return (entry.transfer, true)
  }

  /// How many complication transfers are left today, by this side's clock in nanoseconds since 1970.
  public func remainingComplicationTransfers(clock: Int64) -> Int {
    ComplicationBudget.perDay - (budget.day == Self.day(of: clock) ? budget.used : 0)
  }

  /// Days since 1970, rounded down.
  private static func day(of clock: Int64) -> Int64 {
    let day: Int64 = 86_400_000_000_000
    return clock / day - (clock % day < 0 ? 1 : 0)
  }

  private func checkRoom(for payload: [UInt8]) throws(SessionError) {
    guard peerIsInstalled else { throw .peerNotInstalled }
    guard payload.count <= Self.payloadBytesMax(on: .userInfo) else { throw .payloadTooLarge }
    guard !diskIsFull else { throw .insufficientSpace }
  }

  /// The identifier of the next transfer of a lane.
  public func nextTransfer(in lane: Lane) -> Identifier { name(lane, outboxes[lane].nextSeq) }

  /// The number that the next transfer of a lane will have.
  public func nextSeq(in lane: Lane) -> SequenceNumber { outboxes[lane].nextSeq }

  /// The identifier of a transfer of this side, derived from its lane and number.
  func name(_ lane: Lane, _ seq: SequenceNumber) -> Identifier {
    Identifier(
      configuration.random, for: RandomStream.key(0x7472_616E_7366_6572 ^ UInt64(lane.rawValue) << 56, seq.rawValue))
  }

  /// Stores a transfer durably and sends it if it fits in the window.
  ///
  /// - Parameter error: Has it never be sent, and fail later; nil for one that does not fail.
  mutating func enqueue(
    _ entry: QueueEntry, details: @autoclosure () -> TransferDetails, ghost: Identifier? = nil,
    failingWith error: SessionError? = nil, in turn: inout Turn
  ) {
    // Before the new entry, which may have to wait itself.
    if entry.lane == .userInfo { releaseOldest(in: &turn) }
    if reachable, delaysBackground, entry.lane != .complication { holdQueue(entry.lane, seq: entry.seq, at: turn.now) }
    outboxes[entry.lane].enqueue(entry)
    turn.commit(.enqueued(entry))
    turn.record(TransferQueued.self, on: configuration.role.place) {
      $0.describe(entry.transfer, entry.lane, entry.seq, entry.payload)
      $0.details = details()
      $0.ghost = ghost
    }
    if let error { withhold(entry, failingWith: error, in: &turn) }
    turn.items.append(.crashPoint(.outboxCommitted))
    if reachable, entry.lane != .file { fillWindow(entry.lane, in: &turn) }
  }
}

/// Outstanding transfers, and cancelling them.
extension Session {
  /// The first owed transfers of a lane in order, at most ``LaneRecord/pageMax``, without cancelled ones.
  public func outstanding(in lane: Lane) -> [QueueEntry] {
    let owed = outboxes[lane].slots.elements.lazy.map(\.entry).filter { !$0.flags.contains(.void) }
    return quirks.unreported.isEmpty ? Array(owed) : quirks.unreported.filter { $0.lane == lane } + owed
  }

  /// The number of owed transfers of a lane.
  ///
  /// Entries cancelled in an earlier epoch count until they are in memory, that is, until few entries are before them.
  public func outstandingCount(in lane: Lane) -> Int {
    outboxes[lane].owedCount + quirks.unreported.count { $0.lane == lane }
  }

  /// Cancels a queued transfer.
  ///
  /// Its number is still sent, flagged `void`, so that the receiver's order has no gap. If the peer's inbox already has
  /// the transfer, it may still be delivered; neither side can tell.
  ///
  /// - Parameters:
  ///   - lane: The lane of the transfer.
  ///   - seq: Its sequence number.
  ///   - transfer: Its identifier, as returned when it was queued.
  ///   - turn: Receives frames, lines and changes for the store.
  /// - Returns: Whether it was cancelled; false, with nothing changed, if it is unknown, finished or already cancelled.
  ///   An entry that an earlier epoch cancelled, and that is not in memory yet, is cancelled again.
  @discardableResult
  public mutating func cancel(_ lane: Lane, seq: SequenceNumber, transfer: Identifier, in turn: inout Turn) -> Bool {
    guard transfer == name(lane, seq), outboxes[lane].voidTransfer(seq, transfer) else { return false }
    turn.commit(.voided(lane, seq))
    turn.record(TransferCancelled.self, on: configuration.role.place) {
      $0.identity = TransferIdentity(transfer, lane, seq)
      $0.by = "sender"
    }
    if lane == .file {
      turn.items.append(.file(.discardOutgoing(transfer)))
      if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(in: &turn) }
    }
    return true
  }

  /// Cancels all owed transfers of a lane, in memory or not.
  public mutating func cancelAll(in lane: Lane, in turn: inout Turn) {
    guard let first = outboxes[lane].slots.first?.seq.rawValue else { return }
    for number in first..<nextSeq(in: lane).rawValue {
      let seq = SequenceNumber(number)
      cancel(lane, seq: seq, transfer: name(lane, seq), in: &turn)
    }
  }
}

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
