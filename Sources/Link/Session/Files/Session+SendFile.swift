/// Files that this side sends: one at a time, in order, beside the other channels.
extension Session {
  /// Queues a file.
  ///
  /// The app's changes in the turn since the last `commit` become durable with it.
  ///
  /// - Parameters:
  ///   - offer: The file's name, size, digest and metadata.
  ///   - content: The content of the file, whose creation is ordered before the commit; nil if the caller has ordered
  ///     that, under the name ``nextTransfer(in:)``.
  ///   - details: The app's fields for the trace.
  ///   - turn: Receives frames, lines and changes for the store.
  /// - Returns: The transfer's identifier.
  /// - Throws: `peerNotInstalled`, `invalidParameter`, `payloadTooLarge` or `payloadUnsupportedTypes` of the metadata,
  ///   `insufficientSpace`; then nothing is queued or created.
  @discardableResult
  public mutating func transferFile(
    _ offer: FileOffer, content: FileContent?, details: @autoclosure () -> TransferDetails = .init(),
    in turn: inout Turn
  ) throws(SessionError) -> Identifier {
    guard peerIsInstalled else { throw .peerNotInstalled }
    if let problem = offer.problem { throw problem }
    guard content == nil || content?.byteCount == offer.byteCount else { throw .invalidParameter }
    guard !diskIsFull else { throw .insufficientSpace }
    let later = try failAtCall(.file)
    let entry = QueueEntry(
      transfer: nextTransfer(in: .file), lane: .file, seq: outboxes[.file].nextSeq, flags: [], payload: offer.encoded)
    if let content { turn.items.append(.file(.create(entry.transfer, content))) }
    enqueue(entry, details: details(), failingWith: later, in: &turn)
    files.isOwed = true
    sendChunks(in: &turn)
    return entry.transfer
  }

  /// Whether traffic waits that a file must not delay; the file then uses little of the link.
  private func isCrowded(at now: VirtualTime) -> Bool {
    awaitsReply(at: now) || (contexts.sent != nil && !contexts.isAcknowledged)
      || outboxes[.userInfo].count > 0 || outboxes[.complication].count > 0
  }

  /// Starts the next file if none is in progress, and sends the chunks that fit in the window.
  mutating func sendChunks(in turn: inout Turn) {
    let now = turn.now
    guard reachable, let slot = outboxes[.file].slots.first, outboxes[.file].isReleased(0) else { return }
    if files.sender.phase == .idle {
      let isVoid = slot.entry.flags.contains(.void)
      files.sender.beginFile(byteCount: isVoid ? nil : offer(in: slot.entry).byteCount)
      return sendOfferOrVoid(in: &turn)
    }
    guard files.sender.phase == .sending else { return }
    let isCrowded = isCrowded(at: now)
    while let chunk = files.sender.nextChunk(isCrowded: isCrowded, at: now) {
      let frame = chunkFrame(slot.entry, at: chunk.offset)
      if files.deadline == .distantFuture { awaitAnswer(to: frame, at: now) }
      turn.items.append(.chunk(frame, count: chunk.count))
    }
    // A receiver that has all bytes but does not report completion is queried again.
    if files.deadline == .distantFuture { awaitAnswer(to: chunkFrame(slot.entry, at: files.sender.sent), at: now) }
  }

  private func chunkFrame(_ entry: QueueEntry, at offset: UInt64) -> Frame {
    Frame(
      kind: .chunk, channel: .file, attempt: files.sender.round, epoch: epoch, peerEpoch: handshake.peerEpoch,
      seq: entry.seq,
      offset: offset, transfer: entry.transfer)
  }

  private mutating func awaitAnswer(to frame: Frame, at now: VirtualTime) {
    files.deadline = now + backOff(after: files.sender.waits, key: frame.drawKey)
  }

  /// Sends the offer of the first file, or a void if it was cancelled.
  private mutating func sendOfferOrVoid(in turn: inout Turn) {
    guard let entry = outboxes[.file].slots.first?.entry else { return }
    files.sender.recordOfferSent()
    let frame = Frame(
      kind: .data, channel: .file, flags: entry.flags, attempt: files.sender.attempt, epoch: epoch,
      peerEpoch: handshake.peerEpoch, seq: entry.seq, transfer: entry.transfer, payload: entry.payload)
    turn.send(frame)
    awaitAnswer(to: frame, at: turn.now)
  }

  /// Queries the receiver's progress after it was unreachable.
  mutating func resumeFile(in turn: inout Turn) {
    guard files.isOwed else { return }
    guard files.sender.phase != .idle else { return sendChunks(in: &turn) }
    files.sender.queryReceiver()
    sendOfferOrVoid(in: &turn)
  }

  /// Handles the file's timeout: no answer arrived in time.
  mutating func retryFile(in turn: inout Turn) {
    files.deadline = .distantFuture
    if files.sender.handleTimeout() {
      sendOfferOrVoid(in: &turn)
    } else {
      sendChunks(in: &turn)
    }
  }

  // MARK: Answers

  mutating func receiveAnswer(_ frame: Frame, in turn: inout Turn) {
    let now = turn.now
    guard let answer = FileAnswer(frame.payload) else {
      return refuse(frame, why: "no answer to a file", in: &turn)
    }
    // Attempts restart in each epoch, so an answer to an earlier epoch could be confused with one to this.
    guard frame.peerEpoch == epoch, files.sender.phase != .idle, let entry = outboxes[.file].slots.first?.entry,
      entry.seq == frame.seq, entry.transfer == frame.transfer
    else { return }
    if entry.flags.contains(.void) {
      // A cancelled file has already been reported.
      if answer.status == .complete { settleFile(entry, in: &turn) }
      return
    }
    let before = files.sender.acknowledged
    let outcome = files.sender.receive(
      answer, to: frame.attempt, offset: frame.offset, isCrowded: isCrowded(at: now), at: now)
    switch outcome {
    case .unchanged: return
    case .progressed:
      // Frames that wait for an answer were sent now, or have just progressed: restart the wait.
      files.deadline = .distantFuture
      if files.sender.isInFlight { awaitAnswer(to: chunkFrame(entry, at: files.sender.acknowledged), at: now) }
      if files.sender.acknowledged > before {
        reportProgress(entry, received: files.sender.acknowledged, in: &turn)
      }
    case .complete:
      finishFile(entry, in: &turn)
    case .cancelled:
      let ending = TraceEvent(TransferCancelled.self, at: now, on: configuration.role.place) {
        $0.identity = TransferIdentity(entry.transfer, .file, entry.seq)
        $0.by = "receiver"
      }
      abandonFile(entry, ending, in: &turn)
      deliver(.transferCancelled(.file, transfer: entry.transfer, seq: entry.seq), in: &turn)
    case .failed(let error):
      let ending = TraceEvent(TransferFailed.self, at: now, on: configuration.role.place) {
        $0.identity = TransferIdentity(entry.transfer, .file, entry.seq)
        $0.error = error.rawValue
      }
      abandonFile(entry, ending, in: &turn)
      deliver(.transferFailed(.file, transfer: entry.transfer, seq: entry.seq, error), in: &turn)
    }
  }

  /// Reports the progress of a file to the app, and each quarter to the trace.
  private mutating func reportProgress(_ entry: QueueEntry, received: UInt64, in turn: inout Turn) {
    let byteCount = files.sender.byteCount
    deliver(.progress(transfer: entry.transfer, received: received, of: byteCount), in: &turn)
    let quarters = byteCount == 0 ? 0 : received * 4 / byteCount
    guard quarters > files.sender.reportedQuarters else { return }
    files.sender.reportedQuarters = quarters
    turn.record(TransferProgressed.self, on: configuration.role.place) {
      $0.transfer = entry.transfer
      $0.received = Int64(received)
      $0.bytes = Int64(byteCount)
    }
  }

  private mutating func finishFile(_ entry: QueueEntry, in turn: inout Turn) {
    if files.sender.acknowledged < files.sender.byteCount {
      reportProgress(entry, received: files.sender.byteCount, in: &turn)
    }
    settleFile(entry, in: &turn)
    reportFinished(entry, in: &turn)
  }

  /// Removes the first file from the outbox: the receiver has settled its number.
  private mutating func settleFile(_ entry: QueueEntry, in turn: inout Turn) {
    outboxes[.file].remove(at: 0)
    turn.commit(.acknowledged(.file, entry.seq))
    turn.items.append(.file(.discardOutgoing(entry.transfer)))
    files.sender = FileSender()
    files.deadline = .distantFuture
    files.isOwed = outboxes[.file].count > 0
    orderOutboxPage(.file, in: &turn)
  }

  /// Ends a transfer that will not arrive, and continues with its void.
  private mutating func abandonFile(_ entry: QueueEntry, _ ending: TraceEvent, in turn: inout Turn) {
    guard outboxes[.file].voidTransfer(entry.seq, entry.transfer) else { return }
    turn.commit(.voided(.file, entry.seq))
    turn.record(ending)
    turn.items.append(.file(.discardOutgoing(entry.transfer)))
    voidCurrentFile(in: &turn)
  }

  /// Continues with the void of the first file, which has just been cancelled.
  mutating func voidCurrentFile(in turn: inout Turn) {
    guard files.sender.phase != .idle else { return sendChunks(in: &turn) }
    files.sender.voidFile()
    files.deadline = .distantFuture
    if reachable { sendOfferOrVoid(in: &turn) }
  }
}

/// The file that is being sent and the one that is being received.
@usableFromInline struct SessionFiles: Sendable, Equatable {
  /// The file that is being sent, or its void number.
  var sender = FileSender()
  /// The file that is being received, if any.
  var receiver: FileReceiver?
  /// A file whose rest was refused; every frame of it gets the same answer until its sender has passed its number.
  var refused: RefusedFile?
  /// Whether a file is owed; read often.
  var isOwed: Bool
  /// The next repetition of an offer or a chunk; ``VirtualTime/distantFuture`` for never.
  @usableFromInline var deadline = VirtualTime.distantFuture
}

/// Files that their sender can no longer read.
extension Session {
  /// Withdraws a queued file because its bytes can no longer be read, and reports the error to the app.
  ///
  /// As with ``cancel(_:seq:transfer:in:)``, a receiver that already has the whole file may still deliver it.
  ///
  /// - Returns: Whether it was withdrawn; false, with nothing changed, if it is unknown, finished or already withdrawn.
  @discardableResult
  public mutating func withdrawFile(
    seq: SequenceNumber, transfer: Identifier, error: SessionError, in turn: inout Turn
  ) -> Bool {
    guard transfer == name(.file, seq), outboxes[.file].voidTransfer(seq, transfer) else { return false }
    turn.commit(.voided(.file, seq))
    turn.record(TransferCancelled.self, on: configuration.role.place) {
      $0.identity = TransferIdentity(transfer, .file, seq)
      $0.by = "sender"
      $0.error = error.rawValue
    }
    turn.items.append(.file(.discardOutgoing(transfer)))
    if outboxes[.file].slots.first?.seq == seq { voidCurrentFile(in: &turn) }
    deliver(.transferFailed(.file, transfer: transfer, seq: seq, error), in: &turn)
    return true
  }
}
