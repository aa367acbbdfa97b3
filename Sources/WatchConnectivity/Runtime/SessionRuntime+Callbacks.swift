import Foundation
import Link

/// Callbacks to the app: each on the one queue, in order, one after the other.
extension SessionRuntime {
  /// Enqueues everything that the device has for the app; the lock is held.
  ///
  /// While the watch is switched, later deliveries wait for the next activation.
  func notifyApp() {
    guard keeper != nil, activationState != .notActivated else { return }
    for notice in withNode({ $0.takeNotices() }) { report(notice) }
  }

  private func report(_ notice: SessionNode.Notice) {
    switch notice {
    case .delivery(let delivery): report(delivery)
    case .installedDidChange:
      callDelegate { delegate, session in
        if session.runtime.role == .phone {
          delegate.sessionWatchStateDidChange(session)
        } else {
          delegate.sessionCompanionAppInstalledDidChange(session)
        }
      }
    case .result(let result): report(result)
    case .again(let entry): deliver(entry, isExtra: true)
    case .watchIsSwitched: switchWatch()
    case .watchStateDidChange: changeWatchState()
    }
  }

  private func report(_ delivery: SessionDelivery) {
    switch delivery {
    case .message(_, _, _, _, isStale: true), .peerStarted: break
    case .message(let payload, let flags, let epoch, let seq, isStale: false):
      receive(payload, flags, ReplyAddress(seq: seq, epoch: epoch))
    case .reply(let seq, let payload, let flags): receiveReply(seq, payload, flags)
    case .received(let seq): handlers[seq.rawValue] = nil
    case .failed(let seq, let error): fail(seq, code(error))
    case .context(let payload, let seq):
      let context = Payload.dictionary(payload) ?? [:]
      callDelegate(isContent: true, as: "session(_:didReceiveApplicationContext:)") { delegate, session in
        delegate.session(session, didReceiveApplicationContext: context)
      }
      // Until then it waits, also over a crash.
      enqueue { [self] in
        condition.withLock {
          _ = act { (node: inout SessionNode, turn: inout Turn) in
            node.appendChange(EarlierMarks.told(seq), in: &turn)
            turn.items.append(.commit)
          }
        }
      }
    case .userInfo(let entry): deliver(entry)
    case .file(let entry, _): deliver(entry)
    case .progress(let transfer, let received, _):
      guard let file = fileTransfers.first(where: { $0.ticket.place?.transfer == transfer }) else { return }
      enqueue { file.setReceived(Int64(clamping: received)) }
    case .reachability:
      callDelegate(as: "sessionReachabilityDidChange(_:)") { delegate, session in
        delegate.sessionReachabilityDidChange(session)
      }
    case .finished, .transferFailed, .transferCancelled:
      preconditionFailure("the end of a transfer is reported as a result")
    }
  }

  // MARK: The queue

  /// Runs a closure on the app's queue.
  ///
  /// - Parameters:
  ///   - isContent: Whether it delivers received content.
  ///   - name: What it is, for the checks of apps.
  func enqueue(isContent: Bool = false, as name: String = "a callback", _ body: @escaping () -> Void) {
    let body = Unchecked(body)
    callbacks += 1
    if isContent {
      contentPending += 1
      holdQueue()
    }
    queue.async { [self] in
      beginCallback(name)
      body.value()
      // Before the observers are called: apps complete their task in the background when nothing is pending.
      if isContent { condition.withLock { contentPending -= 1 } }
      session?.noticeChanges()
      condition.lock()
      endCallback()
      callbacks -= 1
      condition.broadcast()
      condition.unlock()
    }
  }

  /// Holds the queue back until a watch's app behind the foreground has its task for the content; the lock is held.
  private func holdQueue() {
    // A getter that waits for the queue may block the main queue, which hands the task.
    guard !isQueueHeld, AppLife.shared.holdsContent, keeper == nil || !withNode(\.gettersBlock) else { return }
    isQueueHeld = true
    queue.suspend()
    AppLife.shared.announceContent { [self] in
      condition.withLock { isQueueHeld = false }
      queue.resume()
    }
  }

  /// Calls the current delegate when its turn comes; no effect without one.
  func callDelegate(
    isContent: Bool = false, as name: String = "a callback",
    _ call: @escaping (any WCSessionDelegate, WCSession) -> Void
  ) {
    let call = Unchecked(call)
    enqueue(isContent: isContent, as: name) { [self] in
      guard let session, let delegate = session.delegate else { return }
      if MissingMethod.isMissing(of: delegate, in: { call.value(delegate, session) }), isContent {
        log("the delegate has no session(_:didReceiveApplicationContext:)")
      }
    }
  }

  // MARK: Messages

  /// The message to answer.
  struct ReplyAddress: Sendable {
    var seq: SequenceNumber
    var epoch: Epoch
  }

  private func receive(_ payload: [UInt8], _ flags: Frame.Flags, _ address: ReplyAddress) {
    let wantsReply = flags.contains(.wantsReply)
    enqueue(as: "session(_:didReceiveMessage:)") { [self] in
      var isMissing = true
      if let session, let delegate = session.delegate {
        let address = wantsReply ? address : nil
        if !flags.contains(.dictionary) {
          isMissing = MissingMethod.isMissing(of: delegate) { hand(Data(payload), to: delegate, session, address) }
        } else if let message = Payload.dictionary(payload) {
          isMissing = MissingMethod.isMissing(of: delegate) { hand(message, to: delegate, session, address) }
        }
      }
      let wantsReceipt = flags.contains(.wantsReceipt)
      guard isMissing else {
        if wantsReceipt { confirm(address) }
        return
      }
      log("the delegate has no method for a message \(wantsReply ? "that wants a reply" : "without reply")")
      // Even if no reply is wanted: the message ends in the sender's error handler.
      if wantsReply || wantsReceipt { reply(nil, flags: [], isHandled: false, to: address) }
    }
  }

  private func hand(
    _ data: Data, to delegate: any WCSessionDelegate, _ session: WCSession, _ address: ReplyAddress?
  ) {
    guard let address else { return delegate.session(session, didReceiveMessageData: data) }
    let once = Once()
    delegate.session(session, didReceiveMessageData: data) { [self] answer in
      if once.isFirst() { reply([UInt8](answer), flags: [], to: address) }
    }
  }

  private func hand(
    _ message: [String: Any], to delegate: any WCSessionDelegate, _ session: WCSession, _ address: ReplyAddress?
  ) {
    guard let address else { return delegate.session(session, didReceiveMessage: message) }
    let once = Once()
    delegate.session(session, didReceiveMessage: message) { [self] answer in
      if once.isFirst() { reply(Payload.bytes(of: answer), flags: .dictionary, to: address) }
    }
  }

  /// Replies to a message; an unsendable reply fails it.
  ///
  /// - Parameter isHandled: Whether the app has handled the message.
  private func reply(_ payload: [UInt8]?, flags: Frame.Flags, isHandled: Bool = true, to address: ReplyAddress) {
    condition.withLock {
      let isGood = (payload?.count ?? .max) <= Session.payloadBytesMax(on: .message)
      if isHandled, !isGood { log("a reply that cannot be sent: too large, or no property list") }
      let bytes = isGood ? payload ?? [] : isHandled ? [Session.failedReply] : []
      _ = act { (node: inout SessionNode, turn: inout Turn) in
        node.session.reply(to: address.seq, of: address.epoch, bytes, flags: isGood ? flags : .failure, in: &turn)
      }
    }
  }

  /// Confirms to the sender of a message without reply that the app has handled it.
  private func confirm(_ address: ReplyAddress) {
    condition.withLock {
      _ = act { (node: inout SessionNode, turn: inout Turn) in
        node.session.confirmMessage(address.seq, of: address.epoch, in: &turn)
      }
    }
  }

  private func receiveReply(_ seq: SequenceNumber, _ payload: [UInt8], _ flags: Frame.Flags) {
    guard let waiting = handlers.removeValue(forKey: seq.rawValue) else { return }
    switch waiting.reply {
    case nil: break
    case .data(let handler): enqueue(as: "a reply handler") { handler(Data(payload)) }
    case .dictionary(let handler):
      guard flags.contains(.dictionary), let answer = Payload.dictionary(payload) else {
        return report(.messageReplyFailed, to: waiting.error)
      }
      enqueue(as: "a reply handler") { handler(answer) }
    }
  }

  /// Ends the wait for a reply with an error.
  func fail(_ seq: SequenceNumber, _ code: WCError.Code) {
    guard let waiting = handlers.removeValue(forKey: seq.rawValue) else { return }
    report(code, to: waiting.error)
  }

  /// Calls an error handler, if there is one.
  func report(_ code: WCError.Code, to handler: ((any Error) -> Void)?) {
    guard let handler else { return log("a message failed, and it has no errorHandler: \(code.text)") }
    let call = Unchecked(handler)
    let error = error(code)
    let owed = oweHandler(code)
    enqueue(as: "an error handler") { [self] in
      condition.withLock { checked.owed[owed] = nil }
      call.value(error)
    }
  }

  // MARK: Ends of transfers

  private func report(_ result: TransferResult) {
    let transfer = result.entry.transfer
    let error = result.error.map { self.error(code($0)) }
    if result.lane == .file {
      // Before the app is notified, and may delete the file.
      if result.error == nil, let file = sources?[transfer], let problem = file.problem {
        warn(of: file, problem, "too late to keep it from arriving")
      }
      let object = fileTransfers.first { $0.ticket.place?.transfer == transfer } ?? fileTransfer(result.entry)
      fileTransfers.removeAll { $0 === object }
      object.ticket.end()
      callDelegate { delegate, session in delegate.session(session, didFinish: object, error: error) }
    } else {
      let object =
        userInfoTransfers.first { $0.ticket.place?.transfer == transfer }
        ?? WCSessionUserInfoTransfer(
          userInfo: Payload.dictionary(result.entry.payload) ?? [:], ticket: TransferTicket(self))
      userInfoTransfers.removeAll { $0 === object }
      object.ticket.end()
      callDelegate { delegate, session in delegate.session(session, didFinish: object, error: error) }
    }
    enqueue { [self] in
      condition.withLock {
        _ = act { (node: inout SessionNode, turn: inout Turn) in
          node.appendChange(.set(key: result.key, nil), in: &turn)
          turn.items.append(.commit)
          if result.lane == .file { node.forgetFile(transfer, in: &turn) }
        }
      }
    }
  }

  private func fileTransfer(_ entry: QueueEntry) -> WCSessionFileTransfer {
    let offer = FileOffer(entry.payload)
    let metadata = offer.flatMap { $0.metadata.isEmpty ? nil : Payload.dictionary($0.metadata) }
    let file = WCSessionFile(
      fileURL: URL(fileURLWithPath: "/\(offer?.name ?? entry.transfer.text)"), metadata: metadata)
    return WCSessionFileTransfer(
      file: file, byteCount: Int64(offer?.byteCount ?? 0), ticket: TransferTicket(self))
  }

  /// Ends a refused transfer at once, with an error.
  func refuse(_ transfer: WCSessionUserInfoTransfer, _ code: WCError.Code) {
    recordRefusal(.userInfo, code)
    let error = error(code)
    callDelegate { delegate, session in delegate.session(session, didFinish: transfer, error: error) }
  }

  /// Ends a refused file transfer at once, with an error.
  func refuse(_ transfer: WCSessionFileTransfer, _ code: WCError.Code) {
    recordRefusal(.file, code)
    let error = error(code)
    callDelegate { delegate, session in delegate.session(session, didFinish: transfer, error: error) }
  }

  private func recordRefusal(_ channel: Channel, _ code: WCError.Code) {
    log("a transfer was refused: \(code.text)")
    guard keeper != nil else { return }
    put([
      .event(
        TraceEvent(TransferRefused.self, at: now, on: role.place) {
          $0.channel = channel
          $0.error = "\(code)"
        })
    ])
  }
}
