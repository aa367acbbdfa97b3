/// Arriving frames.
extension Session {
  /// Handles a frame from the medium.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - clock: This side's clock in nanoseconds since 1970, to compare with a hello's.
  ///   - now: The current time.
  ///   - output: Receives frames, lines and changes for the store.
  ///   - deliveries: Receives what is for the app.
  public mutating func receive(
    _ frame: Frame, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    switch (frame.kind, frame.channel) {
    case (_, .http): refuse(frame, why: "of the uplink", at: now, into: &output)
    case (_, .health): refuse(frame, why: "of the health store", at: now, into: &output)
    case (.data, .message): receiveMessage(frame, at: now, into: &output, delivering: &deliveries)
    case (.reply, _): receiveReply(frame, at: now, into: &output, delivering: &deliveries)
    case (.hello, _): receiveHello(frame, clock: clock, at: now, into: &output, delivering: &deliveries)
    case (.ack, .message) where frame.seq.rawValue > 0: receiveReceipt(frame, delivering: &deliveries)
    case (.ack, .message): confirmHello(frame, at: now, into: &output, delivering: &deliveries)
    case (.data, .applicationContext): receiveContext(frame, at: now, into: &output, delivering: &deliveries)
    case (.ack, .applicationContext): confirmContext(frame, into: &output)
    case (.data, .userInfo): receiveEvent(frame, at: now, into: &output, delivering: &deliveries)
    case (.ack, .userInfo): confirmEvent(frame, at: now, into: &output, delivering: &deliveries)
    case (.data, .file): receiveOfferOrVoid(frame, at: now, into: &output, delivering: &deliveries)
    case (.ack, .file): receiveAnswer(frame, at: now, into: &output, delivering: &deliveries)
    case (.chunk, .file): receiveChunk(frame, at: now, into: &output, delivering: &deliveries)
    case (.chunk, _): refuse(frame, why: "a chunk of no file", at: now, into: &output)
    }
    if owesFile { sendChunks(at: now, into: &output) }
  }

  private mutating func receiveMessage(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    if launchBox != nil { return storeForLaunch(frame, at: now, into: &output) }
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", at: now, into: &output)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", at: now, into: &output) }
    // No app is awake to handle it; a message that is not delivered may still arrive again.
    guard !isSuspended else { return }
    let isStale = frame.epoch < peerEpoch || !messageFilter.insert(frame.seq)
    deliverMessage(frame, isStale: isStale, at: now, into: &output, delivering: &deliveries)
  }

  /// Delivers a message to the app.
  ///
  /// - Parameter isStale: Whether it must have no effect.
  mutating func deliverMessage(
    _ frame: Frame, isStale: Bool, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    if isStale {
      output.record(MessageDuplicate.self, at: now, on: configuration.role.place) {
        $0.from = configuration.role.peer
        $0.epoch = Int64(frame.epoch.rawValue)
        $0.seq = Int64(clamping: frame.seq.rawValue)
      }
    }
    // Only its digest is read.
    if output.isRecording, frame.isDigested() { lastReceived = frame.digestedPayload }
    deliveries.append(
      .message(
        payload: frame.heldPayload(), flags: frame.flags, epoch: frame.epoch, seq: frame.seq, isStale: isStale))
    if frame.flags.contains(.wantsReceipt), !isStale, configuration.sendsReceipts {
      confirmMessage(frame.seq, of: frame.epoch, into: &output)
    }
  }

  /// Whether a hello has announced the frame's epoch.
  func isAnnounced(_ frame: Frame) -> Bool { frame.epoch.rawValue > 0 && frame.epoch <= peerEpoch }

  private mutating func receiveHello(
    _ frame: Frame, clock: Int64, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    guard let hello = Hello(frame.payload), frame.epoch.rawValue > 0 else {
      return refuse(frame, why: "no hello", at: now, into: &output)
    }
    guard frame.epoch >= peerEpoch else { return }  // An earlier epoch: its sender is gone.
    let isNew = frame.epoch > peerEpoch
    if isNew {
      peerEpoch = frame.epoch
      peerIsRunning = true
      // Messages sent before this hello were meant for an earlier epoch of this side.
      messageFilter = DuplicateFilter(next: hello.nextSeqs[Int(Channel.message.rawValue)])
      deliver(.peerStarted(frame.epoch, clockDifference: hello.clockDifference(to: clock)), to: &deliveries)
    }
    if isNew { acceptLaunchBox(of: frame.epoch) }
    output.send(
      Frame(
        kind: .ack, channel: .message, epoch: epoch, peerEpoch: frame.epoch, seq: SequenceNumber(0),
        offset: UInt64(frame.attempt), payload: acceptedAtLaunch.flatMap { $0.bytes }))
    // The new app does not know this side, unless a hello is in flight.
    if isNew, helloDeadline == .distantFuture { startHelloIfUnconfirmed(clock: clock, at: now, into: &output) }
    updateReachability(cause: "hello", at: now, into: &output, delivering: &deliveries)
    handOverLaunchBox(at: now, into: &output, delivering: &deliveries)
  }

  private mutating func confirmHello(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    // An acknowledgement by an earlier epoch does not confirm anything for the current one.
    guard frame.peerEpoch == epoch, frame.epoch >= helloConfirmedBy, frame.epoch >= peerEpoch else { return }
    let isNew = frame.epoch > helloConfirmedBy
    helloConfirmedBy = frame.epoch
    helloDeadline = .distantFuture
    if isNew {
      failMessagesOfEarlierEpochs(
        but: SequenceNumber.decodeList(frame.payload), at: now, into: &output, delivering: &deliveries)
    }
    updateReachability(cause: "hello", at: now, into: &output, delivering: &deliveries)
    handOverLaunchBox(at: now, into: &output, delivering: &deliveries)
  }

  /// Sends the hello with the clock at this attempt, since the peer judges the age of commands by it.
  mutating func sendHello(clock: Int64, at now: VirtualTime, into output: inout NodeOutput) {
    helloAttempts = Self.saturatingIncrement(helloAttempts)
    helloWaits = Self.saturatingIncrement(helloWaits)
    let hello = Hello(
      clock: clock,
      nextSeqs: [
        nextMessageSeq.rawValue, (contextSent?.seq.rawValue ?? 0) + 1, outboxes[.userInfo].nextSeq.rawValue,
        outboxes[.file].nextSeq.rawValue,
      ], nextComplication: outboxes[.complication].nextSeq.rawValue)
    let frame = Frame(
      kind: .hello, channel: .message, attempt: helloAttempts, epoch: epoch, peerEpoch: peerEpoch,
      seq: SequenceNumber(0), payload: hello.encoded)
    output.send(frame)
    helloDeadline = now + backOff(after: helloWaits, key: frame.drawKey)
  }

  private mutating func receiveContext(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", at: now, into: &output)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", at: now, into: &output) }
    if frame.seq > contextReceived?.seq ?? SequenceNumber(0) {
      // Neither stored nor acknowledged: it will be retransmitted when there is room.
      guard !diskIsFull else { return }
      let slot = SessionRecord.ContextSlot(seq: frame.seq, payload: frame.payload)
      contextReceived = slot
      storeContext(slot)
      output.commit(.contextReceived(frame.seq, frame.payload))
      output.record(ContextReceived.self, at: now, on: configuration.role.place) {
        $0.seq = Int64(clamping: frame.seq.rawValue)
        $0.digest = EventDigest(bits: Digest.prefix(frame.payload))
      }
      output.items.append(.crashPoint(.contextCommitted))
      deliver(.context(payload: frame.payload, seq: frame.seq), to: &deliveries)
    }
    output.send(
      Frame(
        kind: .ack, channel: .applicationContext, epoch: epoch, peerEpoch: frame.epoch, seq: frame.seq,
        offset: UInt64(frame.attempt)))
  }

  private mutating func confirmContext(_ frame: Frame, into output: inout NodeOutput) {
    guard let sent = contextSent, sent.seq == frame.seq, !contextIsAcknowledged else { return }
    contextIsAcknowledged = true
    output.commit(.contextAcknowledged(frame.seq))
    contextDeadline = .distantFuture
    contextIsHeld = false
  }

  mutating func sendContext(at now: VirtualTime, into output: inout NodeOutput) {
    guard let sent = contextSent, !contextIsAcknowledged, contextDeadline == .distantFuture else { return }
    contextAttempts = Self.saturatingIncrement(contextAttempts)
    contextWaits = Self.saturatingIncrement(contextWaits)
    let frame = Frame(
      kind: .data, channel: .applicationContext, flags: .dictionary, attempt: contextAttempts, epoch: epoch,
      peerEpoch: peerEpoch, seq: sent.seq, payload: sent.payload)
    output.send(frame)
    contextDeadline = now + backOff(after: contextWaits, key: frame.drawKey)
  }

  func refuse(_ frame: Frame, why: String, at now: VirtualTime, into output: inout NodeOutput) {
    output.record(FrameRefused.self, at: now, on: configuration.role.place) {
      $0.kind = frame.kind
      $0.channel = frame.channel
      $0.epoch = Int64(frame.epoch.rawValue)
      $0.seq = Int64(clamping: frame.seq.rawValue)
      $0.why = why
    }
  }
}
