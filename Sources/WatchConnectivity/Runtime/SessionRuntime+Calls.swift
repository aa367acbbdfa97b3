import Foundation
import Link

/// The app's calls.
extension SessionRuntime {
  // MARK: Preconditions

  /// Why nothing can be sent, in the order in which the framework checks; nil if sending is possible.
  func obstacle(hasDelegate: Bool) -> WCError.Code? {
    guard isSupported else { return .sessionNotSupported }
    guard hasDelegate else { return .sessionMissingDelegate }
    switch activationState {
    case .notActivated: return .sessionNotActivated
    case .inactive: return .sessionInactive
    case .activated: break
    }
    guard isPaired, !isWithoutRun else { return .deviceNotPaired }
    if isWatchOnly { return .watchOnlyApp }
    guard keeper != nil, !isOver, failure == nil else { return .genericError }
    return withNode { $0.session.isPeerInstalled } ? nil : notInstalled
  }

  /// Whether the run has reached its end, so that the app's sends have no effect; the lock is held.
  ///
  /// Otherwise an app with steady traffic would keep its run going for as long as the queues may drain.
  private func discardsSends() -> Bool {
    guard keeper != nil, withNode(\.isEnding) else { return false }
    if !hasLoggedEnd { log("the run has reached its end: what the app sends from here on is not sent") }
    hasLoggedEnd = true
    return true
  }

  /// Whether this is a watch whose app has no counterpart for the phone.
  var isWatchOnly: Bool { role == .watch && options.isWatchOnly }

  private var notInstalled: WCError.Code { role == .watch ? .companionAppNotInstalled : .watchAppNotInstalled }

  func code(_ error: SessionError) -> WCError.Code {
    switch error {
    case .peerNotInstalled: notInstalled
    case .notReachable: .notReachable
    case .invalidParameter: .invalidParameter
    case .payloadTooLarge: .payloadTooLarge
    case .payloadUnsupportedTypes: .payloadUnsupportedTypes
    case .messageReplyFailed: .messageReplyFailed
    case .messageReplyTimedOut: .messageReplyTimedOut
    case .fileAccessDenied: .fileAccessDenied
    case .deliveryFailed, .digestMismatch: .deliveryFailed
    case .transferTimedOut: .transferTimedOut
    case .insufficientSpace: .insufficientSpace
    }
  }

  /// The error as the app gets it.
  func error(_ code: WCError.Code) -> any Error { WCError(code) }

  // MARK: Messages

  /// Sends a message.
  ///
  /// - Parameter payload: Nil if it is no property list.
  func send(_ payload: [UInt8]?, flags: Frame.Flags, _ handlers: MessageHandlers, hasDelegate: Bool) {
    condition.lock()
    defer { condition.unlock() }
    guard !discardsSends() else { return }
    if let code = obstacle(hasDelegate: hasDelegate) { return report(code, to: handlers.error) }
    guard let payload else { return report(.payloadUnsupportedTypes, to: handlers.error) }
    let wantsReply = handlers.reply != nil
    let wantsReceipt = !wantsReply && handlers.error != nil
    let sent = act { (node: inout SessionNode, turn: inout Turn) in
      let kind = node.kind(flags, payload)
      let sent = node.act(in: &turn) { session, turn in
        session.sendMessage(
          payload, kind: kind, flags: flags, wantsReply: wantsReply, wantsReceipt: wantsReceipt,
          in: &turn)
      }
      guard sent.error == nil else { return sent }
      turn.record(MessageSent.self, on: node.role.place) {
        $0.kind = kind
        $0.epoch = Int64(node.session.epoch.rawValue)
        $0.seq = Int64(clamping: sent.seq.rawValue)
      }
      if wantsReply || wantsReceipt { node.naming?.remember(sent.seq, kind) }
      return sent
    }
    guard let sent else { return report(.genericError, to: handlers.error) }
    if let error = sent.error { return report(code(error), to: handlers.error) }
    if wantsReply || wantsReceipt { self.handlers[sent.seq.rawValue] = handlers }
  }

  // MARK: Contexts

  func updateApplicationContext(_ payload: [UInt8]?, isEmpty: Bool, hasDelegate: Bool) throws {
    condition.lock()
    defer { condition.unlock() }
    guard !discardsSends() else { return }
    if let code = obstacle(hasDelegate: hasDelegate) { throw error(code) }
    guard let payload else { throw error(.payloadUnsupportedTypes) }
    let result = act { (node: inout SessionNode, turn: inout Turn) -> SessionError? in
      // An empty context equals the counterpart's initial one.
      if isEmpty, node.session.applicationContext == nil { return nil }
      return node.act(in: &turn) { session, turn in
        do throws(SessionError) {
          try session.updateApplicationContext(payload, in: &turn)
          return nil
        } catch {
          return error
        }
      }
    }
    guard let result else { throw error(.genericError) }
    if let problem = result { throw error(code(problem)) }
  }

  // MARK: User infos

  func transferUserInfo(
    _ userInfo: [String: Any], isComplication: Bool, hasDelegate: Bool
  ) -> WCSessionUserInfoTransfer {
    let payload = Payload.bytes(of: userInfo)
    let transfer = WCSessionUserInfoTransfer(userInfo: userInfo, ticket: TransferTicket(self))
    condition.lock()
    defer { condition.unlock() }
    guard !discardsSends() else { return transfer }
    if let code = obstacle(hasDelegate: hasDelegate) {
      refuse(transfer, code)
      return transfer
    }
    guard let payload else {
      refuse(transfer, .payloadUnsupportedTypes)
      return transfer
    }
    let isUrgent = isComplication && role == .phone && isComplicationEnabled
    let queued = act { (node: inout SessionNode, turn: inout Turn) in
      Self.queue(payload, isUrgent: isUrgent, node: &node, in: &turn)
    }
    switch queued {
    case nil: refuse(transfer, .genericError)
    case .failure(let error)?: refuse(transfer, code(error))
    case .success(let place)?:
      transfer.ticket.begin(place)
      userInfoTransfers.append(transfer)
      if isComplication, role == .phone { makeCurrent(transfer) }
    }
    return transfer
  }

  private static func queue(
    _ payload: [UInt8], isUrgent: Bool, node: inout SessionNode, in turn: inout Turn
  ) -> Result<TransferTicket.Place, SessionError> {
    let clock = node.reading(at: turn.now)
    let details = node.details(.userInfo, payload)
    return node.act(in: &turn) { session, turn in
      Result { () throws(SessionError) in
        var lane = Lane.userInfo
        let seqs = (session.nextSeq(in: .complication), session.nextSeq(in: .userInfo))
        let transfer: Identifier
        if isUrgent {
          let made = try session.transferComplicationUserInfo(payload, clock: clock, details: details, in: &turn)
          transfer = made.transfer
          if made.isComplication { lane = .complication }
        } else {
          transfer = try session.transferUserInfo(payload, details: details, in: &turn)
        }
        return TransferTicket.Place(lane: lane, seq: lane == .complication ? seqs.0 : seqs.1, transfer: transfer)
      }
    }
  }

  /// Makes a transfer the complication's current one: the previous one stays queued as an ordinary one.
  func makeCurrent(_ transfer: WCSessionUserInfoTransfer) {
    currentComplication?.ticket.setCurrentComplication(false)
    transfer.ticket.setCurrentComplication(true)
    currentComplication = transfer
  }

  /// Withdraws a transfer.
  func cancel(_ place: TransferTicket.Place) {
    condition.lock()
    defer { condition.unlock() }
    let wasWithdrawn = act { (node: inout SessionNode, turn: inout Turn) in
      let wasWithdrawn = node.act(in: &turn) { session, turn in
        session.cancel(place.lane, seq: place.seq, transfer: place.transfer, in: &turn)
      }
      if wasWithdrawn, place.lane == .file { node.forgetFile(place.transfer, in: &turn) }
      return wasWithdrawn
    }
    guard wasWithdrawn == true else { return }
    let error = error(.genericError)
    if let index = userInfoTransfers.firstIndex(where: { $0.ticket.place?.transfer == place.transfer }) {
      let transfer = userInfoTransfers.remove(at: index)
      transfer.ticket.end()
      guard options.tellsCancellation else { return }
      callDelegate { delegate, session in delegate.session(session, didFinish: transfer, error: error) }
    } else if let index = fileTransfers.firstIndex(where: { $0.ticket.place?.transfer == place.transfer }) {
      let transfer = fileTransfers.remove(at: index)
      transfer.ticket.end()
      guard options.tellsCancellation else { return }
      callDelegate { delegate, session in delegate.session(session, didFinish: transfer, error: error) }
    }
  }

  // MARK: Files

  func transferFile(_ url: URL, metadata: [String: Any]?, hasDelegate: Bool) -> WCSessionFileTransfer {
    let metadataBytes = metadata.map { Payload.bytes(of: $0) }
    let outgoing = OutgoingFile(url, folder: condition.withLock { setup?.folder }, copies: options.copiesFiles)
    let transfer = WCSessionFileTransfer(
      file: WCSessionFile(fileURL: url, metadata: metadata), byteCount: outgoing?.byteCount ?? 0,
      ticket: TransferTicket(self))
    condition.lock()
    defer { condition.unlock() }
    func refused(_ code: WCError.Code) -> WCSessionFileTransfer {
      outgoing?.discardCopy()
      refuse(transfer, code)
      return transfer
    }
    guard !discardsSends() else {
      outgoing?.discardCopy()
      return transfer
    }
    if let code = obstacle(hasDelegate: hasDelegate) { return refused(code) }
    if let metadataBytes, metadataBytes == nil { return refused(.payloadUnsupportedTypes) }
    guard let outgoing, let folder = setup?.folder else { return refused(.fileAccessDenied) }
    let offer = FileOffer(
      name: url.lastPathComponent, byteCount: UInt64(outgoing.byteCount), digest: outgoing.digest,
      metadata: metadataBytes.flatMap(\.self) ?? [])
    let name = withNode { $0.session.nextTransfer(in: .file) }
    guard outgoing.moveCopy(to: Self.outgoing(name, in: folder)) else { return refused(.fileAccessDenied) }
    // Before it is queued: its first bytes may be read at once.
    sources?[name] = outgoing.source
    let queued = act { (node: inout SessionNode, turn: inout Turn) in
      Self.queue(offer, from: url.path, outgoing.source, node: &node, in: &turn)
    }
    switch queued {
    case nil: return refused(.genericError)
    case .failure(let error)?:
      sources?[name] = nil
      return refused(code(error))
    case .success(let place)?:
      transfer.ticket.begin(place)
      fileTransfers.append(transfer)
      return transfer
    }
  }

  private static func queue(
    _ offer: FileOffer, from path: String, _ source: SourceFile?, node: inout SessionNode,
    in turn: inout Turn
  ) -> Result<TransferTicket.Place, SessionError> {
    let seq = node.session.nextSeq(in: .file)
    let transfer = node.session.nextTransfer(in: .file)
    let details = node.details(.file, offer.encoded)
    let result = node.act(in: &turn) { session, turn in
      Result { () throws(SessionError) in
        _ = try session.transferFile(offer, content: nil, details: details, in: &turn)
        return TransferTicket.Place(lane: .file, seq: seq, transfer: transfer)
      }
    }
    guard case .success = result else { return result }
    node.appendChange(.set(key: originPrefix + transfer.text, Array(path.utf8)), in: &turn)
    if let source { node.appendChange(.set(key: SourceFile.prefix + transfer.text, source.mark), in: &turn) }
    turn.items.append(.commit)
    return result
  }

  /// Ends the session after the run, or after the loss of the conductor: nothing is sent any more.
  func end(failing: Bool) {
    condition.lock()
    isOver = true
    if failing, activationsPending > 0 { failActivations(.genericError) }
    condition.broadcast()
    condition.unlock()
  }
}
