/// Files that this side receives: recorded, written chunk by chunk, moved to the inbox once they match the offer.
extension Session {
  /// Continues with the file that the previous epoch was receiving, or had refused.
  mutating func resumeFile(with partial: PartialFile) {
    precondition(
      partial.seq.rawValue == inboxes[.file].receivedThrough + 1, "file \(partial.seq.rawValue) is not the next one")
    if let refused = RefusedFile(partial) {
      files.refused = refused
    } else {
      files.receiver = FileReceiver(partial)
      precondition(files.receiver != nil, "the store holds a valid partial file")
    }
  }

  /// The file being received: its transfer, its offer and its bytes so far, if any.
  public var incomingFile: (transfer: Identifier, offer: FileOffer, receivedBytes: UInt64)? {
    files.receiver.map { ($0.partial.transfer, $0.offer, $0.partial.receivedBytes) }
  }

  /// Refuses the rest of the file being received and removes its bytes.
  ///
  /// Its sender records it as cancelled by the receiver.
  ///
  /// - Returns: Whether that file was being received.
  @discardableResult
  public mutating func cancelIncoming(_ transfer: Identifier, in turn: inout Turn) -> Bool {
    guard let partial = files.receiver?.partial, partial.transfer == transfer else { return false }
    refuseFile(transfer, partial.seq, .cancelled, in: &turn)
    if reachable {
      turn.send(
        Frame(
          kind: .ack, channel: .file, epoch: epoch, peerEpoch: handshake.peerEpoch, seq: partial.seq,
          offset: partial.receivedBytes, transfer: transfer, payload: FileAnswer(.cancelled).encoded))
    }
    return true
  }

  /// Refuses a file permanently and removes its bytes.
  ///
  /// The refusal is durable before any answer: late frames and restarts on either side get the same answer, until the
  /// sender has passed the file's number.
  private mutating func refuseFile(
    _ transfer: Identifier, _ seq: SequenceNumber, _ reason: FileAnswer.Status, in turn: inout Turn
  ) {
    let hasBytes = files.receiver != nil
    let refused = RefusedFile(transfer: transfer, seq: seq, reason: reason)
    files.receiver = nil
    files.refused = refused
    // One small row, which fits even on a full disk (decision 24).
    turn.commit(.partial(refused.record))
    if hasBytes { turn.items.append(.file(.discardIncoming(transfer))) }
  }

  private mutating func refuseForSpace(_ frame: Frame, in turn: inout Turn) {
    refuseFile(frame.transfer, frame.seq, .full, in: &turn)
    sendAnswer(frame, .full, in: &turn)
  }

  /// The offer in an entry of this lane, which was checked on arrival.
  func offer(in entry: QueueEntry) -> FileOffer {
    guard let offer = FileOffer(entry.payload) else { preconditionFailure("an entry of this lane holds an offer") }
    return offer
  }

  private func sendAnswer(_ frame: Frame, _ status: FileAnswer.Status, in turn: inout Turn) {
    turn.send(
      Frame(
        kind: .ack, channel: .file, attempt: frame.attempt, epoch: epoch, peerEpoch: frame.epoch, seq: frame.seq,
        offset: frame.kind == .chunk ? frame.offset : UInt64(frame.attempt), transfer: frame.transfer,
        payload: FileAnswer(status, files.receiver?.partial.receivedBytes ?? 0).encoded))
  }

  /// Handles the offer of a file, or the void of a cancelled one.
  mutating func receiveOfferOrVoid(_ frame: Frame, in turn: inout Turn) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", in: &turn)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", in: &turn) }
    let next = inboxes[.file].receivedThrough + 1
    guard frame.seq.rawValue >= next else { return sendAnswer(frame, .complete, in: &turn) }
    // Files come one at a time: the next is offered once this one is settled.
    guard frame.seq.rawValue == next else {
      return refuse(frame, why: "a file ahead of its turn", in: &turn)
    }
    if let current = files.receiver?.partial.transfer ?? files.refused?.transfer, current != frame.transfer {
      return refuse(frame, why: "another file in the place of one", in: &turn)
    }
    if frame.flags.contains(.void) {
      skipFile(frame, in: &turn)
    } else if let refused = files.refused {
      sendAnswer(frame, refused.reason, in: &turn)
    } else if files.receiver == nil {
      receiveOffer(frame, in: &turn)
    } else if diskIsFull {
      refuseForSpace(frame, in: &turn)
    } else {
      continueFile(frame, .ready, in: &turn)
    }
  }

  private mutating func receiveOffer(_ frame: Frame, in turn: inout Turn) {
    guard let offer = FileOffer(frame.payload) else {
      return refuse(frame, why: "no offer of a file", in: &turn)
    }
    guard !diskIsFull else { return refuseForSpace(frame, in: &turn) }
    let receiver = FileReceiver(frame, offer: offer)
    files.receiver = receiver
    // An empty file has no chunk that would create it; a crash must not come between it and its offer.
    if offer.byteCount == 0 { turn.items.append(.file(.write(frame.transfer, offset: 0, []))) }
    turn.commit(.partial(receiver.partial))
    turn.items.append(.crashPoint(.fileOffered))
    continueFile(frame, .ready, in: &turn)
  }

  mutating func receiveChunk(_ frame: Frame, in turn: inout Turn) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", in: &turn)
    }
    guard frame.seq.rawValue > inboxes[.file].receivedThrough else {
      return sendAnswer(frame, .complete, in: &turn)
    }
    if let refused = files.refused, refused.transfer == frame.transfer, refused.seq == frame.seq {
      return sendAnswer(frame, refused.reason, in: &turn)
    }
    guard let partial = files.receiver?.partial, partial.transfer == frame.transfer, partial.seq == frame.seq else {
      return refuse(frame, why: "a chunk of a file that was not offered", in: &turn)
    }
    guard files.receiver?.contains(offset: frame.offset, count: frame.payload.count) == true else {
      return refuse(frame, why: "a chunk outside its file", in: &turn)
    }
    guard !diskIsFull else { return refuseForSpace(frame, in: &turn) }
    if let fresh = files.receiver?.acceptChunk(frame.payload, at: frame.offset), let receiver = files.receiver {
      turn.items.append(.file(.write(frame.transfer, offset: fresh.offset, fresh.bytes)))
      turn.commit(.partial(receiver.partial))
      turn.items.append(.crashPoint(.fileChunk))
    }
    continueFile(frame, .received, in: &turn)
  }

  /// Answers with the progress, or completes the file if all of it has arrived.
  private mutating func continueFile(_ frame: Frame, _ status: FileAnswer.Status, in turn: inout Turn) {
    guard let receiver = files.receiver, receiver.isWhole else { return sendAnswer(frame, status, in: &turn) }
    guard receiver.isAsOffered else {
      files.receiver?.restart()
      if let restarted = files.receiver, restarted.mismatches < FileSender.mismatchesMax {
        turn.commit(.partial(restarted.partial))
      } else {
        refuseFile(frame.transfer, frame.seq, .digestMismatch, in: &turn)
      }
      return sendAnswer(frame, .digestMismatch, in: &turn)
    }
    let partial = receiver.partial
    turn.items.append(.file(.moveToInbox(partial.transfer)))
    turn.items.append(.crashPoint(.fileRenamed))
    files.receiver = nil
    turn.items.append(.change(.partial(nil)))
    let entry = QueueEntry(
      transfer: partial.transfer, lane: .file, seq: partial.seq, flags: partial.flags, payload: partial.offer)
    guard storeEntry(entry, in: &turn) else { preconditionFailure("the caller has checked the disk") }
    turn.items.append(.crashPoint(.inboxCommitted))
    sendAnswer(frame, .complete, in: &turn)
    turn.items.append(.crashPoint(.inboxAcked))
    deliverArrived(.file, in: &turn)
  }

  /// Settles the number of a cancelled file and removes its bytes.
  private mutating func skipFile(_ frame: Frame, in turn: inout Turn) {
    let entry = QueueEntry(frame, lane: .file)
    // Its number waits in the inbox if earlier files wait for the app; that needs room.
    guard !diskIsFull || inboxes[.file].isSettled else { return }
    let hasBytes = files.receiver != nil
    if hasBytes || files.refused != nil { turn.items.append(.change(.partial(nil))) }
    files.receiver = nil
    files.refused = nil
    guard storeEntry(entry, in: &turn) else { preconditionFailure("the caller has checked the disk") }
    if hasBytes { turn.items.append(.file(.discardIncoming(frame.transfer))) }
    turn.items.append(.crashPoint(.inboxCommitted))
    sendAnswer(frame, .complete, in: &turn)
    turn.items.append(.crashPoint(.inboxAcked))
    deliverArrived(.file, in: &turn)
  }
}
