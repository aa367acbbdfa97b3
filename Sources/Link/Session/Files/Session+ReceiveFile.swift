/// Files that this side receives: recorded, written chunk by chunk, moved to the inbox once they match the offer.
extension Session {
  /// Continues with the file that the previous epoch was receiving, or had refused.
  mutating func resumeFile(with partial: PartialFile) {
    precondition(
      partial.seq.rawValue == inboxes[.file].receivedThrough + 1, "file \(partial.seq.rawValue) is not the next one")
    if let refused = RefusedFile(partial) {
      refusedFile = refused
    } else {
      fileReceiver = FileReceiver(partial)
      precondition(fileReceiver != nil, "the store holds a valid partial file")
    }
  }

  /// The file being received: its transfer, its offer and its bytes so far; nil for none.
  public var incomingFile: (transfer: Identifier, offer: FileOffer, receivedBytes: UInt64)? {
    fileReceiver.map { ($0.partial.transfer, $0.offer, $0.partial.receivedBytes) }
  }

  /// Refuses the rest of the file being received and removes its bytes.
  ///
  /// Its sender records it as cancelled by the receiver.
  ///
  /// - Returns: Whether that file was being received.
  @discardableResult
  public mutating func cancelIncoming(
    _ transfer: Identifier, at now: VirtualTime, into output: inout NodeOutput
  ) -> Bool {
    guard let partial = fileReceiver?.partial, partial.transfer == transfer else { return false }
    refuseFile(transfer, partial.seq, .cancelled, into: &output)
    if reachable {
      output.send(
        Frame(
          kind: .ack, channel: .file, epoch: epoch, peerEpoch: peerEpoch, seq: partial.seq,
          offset: partial.receivedBytes, transfer: transfer, payload: FileAnswer(.cancelled).encoded))
    }
    return true
  }

  /// Refuses a file permanently and removes its bytes.
  ///
  /// The refusal is durable before any answer: late frames and restarts on either side get the same answer, until the
  /// sender has passed the file's number.
  private mutating func refuseFile(
    _ transfer: Identifier, _ seq: SequenceNumber, _ reason: FileAnswer.Status, into output: inout NodeOutput
  ) {
    let hasBytes = fileReceiver != nil
    let refused = RefusedFile(transfer: transfer, seq: seq, reason: reason)
    fileReceiver = nil
    refusedFile = refused
    // One small row, which fits even on a full disk (decision 24).
    output.commit(.partial(refused.record))
    if hasBytes { output.items.append(.file(.discardIncoming(transfer))) }
  }

  private mutating func refuseForSpace(_ frame: Frame, into output: inout NodeOutput) {
    refuseFile(frame.transfer, frame.seq, .full, into: &output)
    sendAnswer(frame, .full, into: &output)
  }

  /// The offer in an entry of this lane, which was checked on arrival.
  func offer(in entry: QueueEntry) -> FileOffer {
    guard let offer = FileOffer(entry.payload) else { preconditionFailure("an entry of this lane holds an offer") }
    return offer
  }

  private func sendAnswer(_ frame: Frame, _ status: FileAnswer.Status, into output: inout NodeOutput) {
    output.send(
      Frame(
        kind: .ack, channel: .file, attempt: frame.attempt, epoch: epoch, peerEpoch: frame.epoch, seq: frame.seq,
        offset: frame.kind == .chunk ? frame.offset : UInt64(frame.attempt), transfer: frame.transfer,
        payload: FileAnswer(status, fileReceiver?.partial.receivedBytes ?? 0).encoded))
  }

  /// Handles the offer of a file, or the void of a cancelled one.
  mutating func receiveOfferOrVoid(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", at: now, into: &output)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", at: now, into: &output) }
    let next = inboxes[.file].receivedThrough + 1
    guard frame.seq.rawValue >= next else { return sendAnswer(frame, .complete, into: &output) }
    // Files come one at a time: the next is offered once this one is settled.
    guard frame.seq.rawValue == next else {
      return refuse(frame, why: "a file ahead of its turn", at: now, into: &output)
    }
    if let current = fileReceiver?.partial.transfer ?? refusedFile?.transfer, current != frame.transfer {
      return refuse(frame, why: "another file in the place of one", at: now, into: &output)
    }
    if frame.flags.contains(.void) {
      skipFile(frame, into: &output, delivering: &deliveries)
    } else if let refusedFile {
      sendAnswer(frame, refusedFile.reason, into: &output)
    } else if fileReceiver == nil {
      receiveOffer(frame, at: now, into: &output, delivering: &deliveries)
    } else if diskIsFull {
      refuseForSpace(frame, into: &output)
    } else {
      continueFile(frame, .ready, at: now, into: &output, delivering: &deliveries)
    }
  }

  private mutating func receiveOffer(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard let offer = FileOffer(frame.payload) else {
      return refuse(frame, why: "no offer of a file", at: now, into: &output)
    }
    guard !diskIsFull else { return refuseForSpace(frame, into: &output) }
    let receiver = FileReceiver(frame, offer: offer)
    fileReceiver = receiver
    // An empty file has no chunk that would create it; a crash must not come between it and its offer.
    if offer.byteCount == 0 { output.items.append(.file(.write(frame.transfer, offset: 0, []))) }
    output.commit(.partial(receiver.partial))
    output.items.append(.crashPoint(.fileOffered))
    continueFile(frame, .ready, at: now, into: &output, delivering: &deliveries)
  }

  mutating func receiveChunk(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", at: now, into: &output)
    }
    guard frame.seq.rawValue > inboxes[.file].receivedThrough else {
      return sendAnswer(frame, .complete, into: &output)
    }
    if let refusedFile, refusedFile.transfer == frame.transfer, refusedFile.seq == frame.seq {
      return sendAnswer(frame, refusedFile.reason, into: &output)
    }
    guard let partial = fileReceiver?.partial, partial.transfer == frame.transfer, partial.seq == frame.seq else {
      return refuse(frame, why: "a chunk of a file that was not offered", at: now, into: &output)
    }
    guard fileReceiver?.contains(offset: frame.offset, count: frame.payload.count) == true else {
      return refuse(frame, why: "a chunk outside its file", at: now, into: &output)
    }
    guard !diskIsFull else { return refuseForSpace(frame, into: &output) }
    if let fresh = fileReceiver?.acceptChunk(frame.payload, at: frame.offset), let receiver = fileReceiver {
      output.items.append(.file(.write(frame.transfer, offset: fresh.offset, fresh.bytes)))
      output.commit(.partial(receiver.partial))
      output.items.append(.crashPoint(.fileChunk))
    }
    continueFile(frame, .received, at: now, into: &output, delivering: &deliveries)
  }

  /// Answers with the progress, or completes the file if all of it has arrived.
  private mutating func continueFile(
    _ frame: Frame, _ status: FileAnswer.Status, at now: VirtualTime, into output: inout NodeOutput,
    delivering deliveries: inout [SessionDelivery]
  ) {
    guard let receiver = fileReceiver, receiver.isWhole else { return sendAnswer(frame, status, into: &output) }
    guard receiver.isAsOffered else {
      fileReceiver?.restart()
      if let restarted = fileReceiver, restarted.mismatches < FileSender.mismatchesMax {
        output.commit(.partial(restarted.partial))
      } else {
        refuseFile(frame.transfer, frame.seq, .digestMismatch, into: &output)
      }
      return sendAnswer(frame, .digestMismatch, into: &output)
    }
    let partial = receiver.partial
    output.items.append(.file(.moveToInbox(partial.transfer)))
    output.items.append(.crashPoint(.fileRenamed))
    fileReceiver = nil
    output.items.append(.change(.partial(nil)))
    let entry = QueueEntry(
      transfer: partial.transfer, lane: .file, seq: partial.seq, flags: partial.flags, payload: partial.offer)
    guard storeEntry(entry, into: &output) else { preconditionFailure("the caller has checked the disk") }
    output.items.append(.crashPoint(.inboxCommitted))
    sendAnswer(frame, .complete, into: &output)
    output.items.append(.crashPoint(.inboxAcked))
    deliverArrived(.file, into: &output, delivering: &deliveries)
  }

  /// Settles the number of a cancelled file and removes its bytes.
  private mutating func skipFile(
    _ frame: Frame, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    let entry = QueueEntry(frame, lane: .file)
    // Its number waits in the inbox if earlier files wait for the app; that needs room.
    guard !diskIsFull || inboxes[.file].isSettled else { return }
    let hasBytes = fileReceiver != nil
    if hasBytes || refusedFile != nil { output.items.append(.change(.partial(nil))) }
    fileReceiver = nil
    refusedFile = nil
    guard storeEntry(entry, into: &output) else { preconditionFailure("the caller has checked the disk") }
    if hasBytes { output.items.append(.file(.discardIncoming(frame.transfer))) }
    output.items.append(.crashPoint(.inboxCommitted))
    sendAnswer(frame, .complete, into: &output)
    output.items.append(.crashPoint(.inboxAcked))
    deliverArrived(.file, into: &output, delivering: &deliveries)
  }
}
