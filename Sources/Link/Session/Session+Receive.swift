/// Arriving frames.
extension Session {
  /// Handles a frame from the medium.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - clock: This side's clock in nanoseconds since 1970, to compare with a hello's.
  ///   - turn: Receives frames, lines and changes for the store.
  public mutating func receive(_ frame: Frame, clock: Int64, in turn: inout Turn) {
    switch (frame.kind, frame.channel) {
    case (_, .http): refuse(frame, why: "of the uplink", in: &turn)
    case (_, .health), (_, .mirror): refuse(frame, why: "of the health store", in: &turn)
    case (.data, .message): receiveMessage(frame, in: &turn)
    case (.reply, _): receiveReply(frame, in: &turn)
    case (.hello, _): receiveHello(frame, clock: clock, in: &turn)
    case (.ack, .message) where frame.seq.rawValue > 0: receiveReceipt(frame, in: &turn)
    case (.ack, .message): confirmHello(frame, in: &turn)
    case (.data, .applicationContext): receiveContext(frame, in: &turn)
    case (.ack, .applicationContext): confirmContext(frame, in: &turn)
    case (.data, .userInfo): receiveEvent(frame, in: &turn)
    case (.ack, .userInfo): confirmEvent(frame, in: &turn)
    case (.data, .file): receiveOfferOrVoid(frame, in: &turn)
    case (.ack, .file): receiveAnswer(frame, in: &turn)
    case (.chunk, .file): receiveChunk(frame, in: &turn)
    case (.chunk, _): refuse(frame, why: "a chunk of no file", in: &turn)
    }
    if files.isOwed { sendChunks(in: &turn) }
  }

  private mutating func receiveMessage(_ frame: Frame, in turn: inout Turn) {
    if launchBox != nil { return storeForLaunch(frame, in: &turn) }
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", in: &turn)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", in: &turn) }
    // No app is awake to handle it; a message that is not delivered may still arrive again.
    guard !isSuspended else { return }
    let isStale = frame.epoch < handshake.peerEpoch || !messages.filter.insert(frame.seq)
    deliverMessage(frame, isStale: isStale, in: &turn)
  }

  /// Delivers a message to the app.
  ///
  /// - Parameter isStale: Whether it must have no effect.
  mutating func deliverMessage(_ frame: Frame, isStale: Bool, in turn: inout Turn) {
    if isStale {
      turn.record(MessageDuplicate.self, on: configuration.role.place) {
        $0.from = configuration.role.peer
        $0.epoch = Int64(frame.epoch.rawValue)
        $0.seq = Int64(clamping: frame.seq.rawValue)
      }
    }
    // Only its digest is read.
    if turn.isRecording, frame.isDigested() { messages.lastReceived = frame.digestedPayload }
    turn.deliveries.append(
      .message(
        payload: frame.heldPayload(), flags: frame.flags, epoch: frame.epoch, seq: frame.seq, isStale: isStale))
    if frame.flags.contains(.wantsReceipt), !isStale, configuration.sendsReceipts {
      confirmMessage(frame.seq, of: frame.epoch, in: &turn)
    }
  }

  /// Whether a hello has announced the frame's epoch.
  func isAnnounced(_ frame: Frame) -> Bool { frame.epoch.rawValue > 0 && frame.epoch <= handshake.peerEpoch }

  private mutating func receiveHello(_ frame: Frame, clock: Int64, in turn: inout Turn) {
    guard let hello = Hello(frame.payload), frame.epoch.rawValue > 0 else {
      return refuse(frame, why: "no hello", in: &turn)
    }
    guard frame.epoch >= handshake.peerEpoch else { return }  // An earlier epoch: its sender is gone.
    let isNew = frame.epoch > handshake.peerEpoch
    if isNew {
      handshake.peerEpoch = frame.epoch
      peerIsRunning = true
      // Messages sent before this hello were meant for an earlier epoch of this side.
      messages.filter = DuplicateFilter(next: hello.nextSeqs[Int(Channel.message.rawValue)])
      deliver(.peerStarted(frame.epoch, clockDifference: hello.clockDifference(to: clock)), in: &turn)
    }
    if isNew { acceptLaunchBox(of: frame.epoch) }
    turn.send(
      Frame(
        kind: .ack, channel: .message, epoch: epoch, peerEpoch: frame.epoch, seq: SequenceNumber(0),
        offset: UInt64(frame.attempt), payload: acceptedAtLaunch.flatMap { $0.bytes }))
    // The new app does not know this side, unless a hello is in flight.
    if isNew, handshake.deadline == .distantFuture { startHelloIfUnconfirmed(clock: clock, in: &turn) }
    updateReachability(cause: "hello", in: &turn)
    handOverLaunchBox(in: &turn)
  }

  private mutating func confirmHello(_ frame: Frame, in turn: inout Turn) {
    // An acknowledgement by an earlier epoch does not confirm anything for the current one.
    guard frame.peerEpoch == epoch, frame.epoch >= handshake.confirmedBy, frame.epoch >= handshake.peerEpoch else {
      return
    }
    let isNew = frame.epoch > handshake.confirmedBy
    handshake.confirmedBy = frame.epoch
    handshake.deadline = .distantFuture
    if isNew {
      failMessagesOfEarlierEpochs(but: SequenceNumber.decodeList(frame.payload), in: &turn)
    }
    updateReachability(cause: "hello", in: &turn)
    handOverLaunchBox(in: &turn)
  }

  /// Sends the hello with the clock at this attempt, since the peer judges the age of commands by it.
  mutating func sendHello(clock: Int64, in turn: inout Turn) {
    handshake.attempts = Self.saturatingIncrement(handshake.attempts)
    handshake.waits = Self.saturatingIncrement(handshake.waits)
    let hello = Hello(
      clock: clock,
      nextSeqs: [
        messages.nextSeq.rawValue, (contexts.sent?.seq.rawValue ?? 0) + 1, outboxes[.userInfo].nextSeq.rawValue,
        outboxes[.file].nextSeq.rawValue,
      ], nextComplication: outboxes[.complication].nextSeq.rawValue)
    let frame = Frame(
      kind: .hello, channel: .message, attempt: handshake.attempts, epoch: epoch, peerEpoch: handshake.peerEpoch,
      seq: SequenceNumber(0), payload: hello.encoded)
    turn.send(frame)
    handshake.deadline = turn.now + backOff(after: handshake.waits, key: frame.drawKey)
  }

  private mutating func receiveContext(_ frame: Frame, in turn: inout Turn) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", in: &turn)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", in: &turn) }
    if frame.seq > contexts.received?.seq ?? SequenceNumber(0) {
      // Neither stored nor acknowledged: it will be retransmitted when there is room.
      guard !diskIsFull else { return }
      let slot = SessionRecord.ContextSlot(seq: frame.seq, payload: frame.payload)
      contexts.received = slot
      storeContext(slot)
      turn.commit(.contextReceived(frame.seq, frame.payload))
      turn.record(ContextReceived.self, on: configuration.role.place) {
        $0.seq = Int64(clamping: frame.seq.rawValue)
        $0.digest = EventDigest(bits: Digest.prefix(frame.payload))
      }
      turn.items.append(.crashPoint(.contextCommitted))
      deliver(.context(payload: frame.payload, seq: frame.seq), in: &turn)
    }
    turn.send(
      Frame(
        kind: .ack, channel: .applicationContext, epoch: epoch, peerEpoch: frame.epoch, seq: frame.seq,
        offset: UInt64(frame.attempt)))
  }

  private mutating func confirmContext(_ frame: Frame, in turn: inout Turn) {
    guard let sent = contexts.sent, sent.seq == frame.seq, !contexts.isAcknowledged else { return }
    contexts.isAcknowledged = true
    turn.commit(.contextAcknowledged(frame.seq))
    contexts.deadline = .distantFuture
    contexts.isHeld = false
  }

  mutating func sendContext(in turn: inout Turn) {
    guard let sent = contexts.sent, !contexts.isAcknowledged, contexts.deadline == .distantFuture else { return }
    contexts.attempts = Self.saturatingIncrement(contexts.attempts)
    contexts.waits = Self.saturatingIncrement(contexts.waits)
    let frame = Frame(
      kind: .data, channel: .applicationContext, flags: .dictionary, attempt: contexts.attempts, epoch: epoch,
      peerEpoch: handshake.peerEpoch, seq: sent.seq, payload: sent.payload)
    turn.send(frame)
    contexts.deadline = turn.now + backOff(after: contexts.waits, key: frame.drawKey)
  }

  func refuse(_ frame: Frame, why: String, in turn: inout Turn) {
    let now = turn.now
    turn.record(frame.refused(why: why, at: now, on: configuration.role))
  }
}

/// The receiving half of the queued channels: arrivals in order, and their handling by the app.
extension Session {
  mutating func receiveEvent(_ frame: Frame, in turn: inout Turn) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", in: &turn)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", in: &turn) }
    let lane: Lane = frame.flags.contains(.complication) ? .complication : .userInfo
    guard inboxes[lane].isInReach(frame.seq) else {
      return refuse(frame, why: "beyond the window", in: &turn)
    }
    let isNew = !inboxes[lane].hasReceived(frame.seq)
    let isLost = isNew && losesEvent(lane, frame.seq)
    if isLost {
      inboxes[lane].skip(frame.seq)
      turn.commit(.handled(lane, frame.seq))
    } else if isNew {
      guard storeEntry(QueueEntry(frame, lane: lane), in: &turn) else { return }
      turn.items.append(.crashPoint(.inboxCommitted))
    }
    turn.send(
      Frame(
        kind: .ack, channel: .userInfo, flags: lane == .complication ? .complication : [], epoch: epoch,
        peerEpoch: frame.epoch, seq: frame.seq, offset: UInt64(frame.attempt), transfer: frame.transfer))
    turn.items.append(.crashPoint(.inboxAcked))
    if isNew, !isLost { deliverArrived(lane, in: &turn) }
  }

  /// Stores a new entry durably, in the transaction of earlier changes; returns false if there is no room.
  ///
  /// A cancelled entry that is next while the inbox is empty needs no room: the mark of handled entries skips it.
  mutating func storeEntry(_ entry: QueueEntry, in turn: inout Turn) -> Bool {
    let lane = entry.lane
    if entry.flags.contains(.void), inboxes[lane].isSettled, entry.seq.rawValue == inboxes[lane].nextToHandle {
      inboxes[lane].skip(entry.seq)
      turn.commit(.handled(lane, entry.seq))
    } else {
      guard !diskIsFull else { return false }
      inboxes[lane].insert(entry)
      turn.commit(.received(entry))
    }
    orderInboxPage(lane, in: &turn)
    return true
  }

  /// Delivers everything that has arrived in order, in all lanes.
  mutating func handOverAll(in turn: inout Turn) {
    for lane in [Lane.complication, .userInfo, .file] { deliverArrived(lane, in: &turn) }
  }

  /// Delivers the next entries that have arrived in order; skips cancelled ones.
  mutating func deliverArrived(_ lane: Lane, in turn: inout Turn) {
    guard !isSuspended else { return }
    while let entry = inboxes[lane].nextToDeliver {
      if entry.flags.contains(.void) {
        // If the app still has to handle an earlier entry, the mark moves past both at once.
        if entry.seq.rawValue == inboxes[lane].nextToHandle {
          recordHandled(entry, in: &turn)
          turn.items.append(.commit)
        } else {
          inboxes[lane].recordHandOver(entry.seq)
        }
        continue
      }
      inboxes[lane].recordHandOver(entry.seq)
      turn.deliveries.append(lane == .file ? .file(entry, offer(in: entry)) : .userInfo(entry))
    }
  }

  /// Records that the app has handled an entry, in the transaction of the app's own changes.
  ///
  /// The caller closes the transaction: with ``commitHandled(_:in:)``, or itself if the entry is not a file.
  public mutating func markHandled(_ entry: QueueEntry, in turn: inout Turn) {
    precondition(
      entry.seq.rawValue == inboxes[entry.lane].nextToHandle,
      "handled \(entry.seq) while \(inboxes[entry.lane].nextToHandle) is next")
    recordHandled(entry, in: &turn)
  }

  private mutating func recordHandled(_ entry: QueueEntry, in turn: inout Turn) {
    let last = inboxes[entry.lane].lastVoid(behind: entry.seq)
    // Before the change: the page is answered at once, and no transaction is open then.
    let count = Int(last.rawValue - entry.seq.rawValue) + 1
    if let order = inboxes[entry.lane].pageOrder(entry.lane, handled: count) { turn.items.append(.page(order)) }
    inboxes[entry.lane].markHandled(through: last)
    turn.items.append(.change(handledChange(entry.lane, through: last)))
  }

  /// Closes the transaction in which the app handled an entry, with any changes of the app.
  ///
  /// Orders the commit, the removal of a file that the app did not keep, and then the crash point. Lines about the
  /// handling must be recorded before this call: after the crash point they would be lost with the process.
  public func commitHandled(_ entry: QueueEntry, in turn: inout Turn) {
    turn.items.append(.commit)
    if entry.lane == .file { turn.items.append(.file(.discardIncoming(entry.transfer))) }
    turn.items.append(.crashPoint(.handlerCommitted))
  }

  /// Requests a page of entries for the app if few are left in memory.
  private mutating func orderInboxPage(_ lane: Lane, in turn: inout Turn) {
    if let order = inboxes[lane].pageOrder(lane) { turn.items.append(.page(order)) }
  }
}

extension QueueEntry {
  /// The entry that a frame brings; of a cancelled one only its number.
  init(_ frame: Frame, lane: Lane) {
    self.init(
      transfer: frame.transfer, lane: lane, seq: frame.seq, flags: frame.flags,
      payload: frame.flags.contains(.void) ? [] : frame.payload)
  }
}
