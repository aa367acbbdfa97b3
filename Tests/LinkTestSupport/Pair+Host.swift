import Link

/// What a host does for each session of a pair, and what the app makes of what it is handed.
extension Pair {
  /// Lets a session act, lets the app take what it delivers, and carries out the orders of both.
  @discardableResult
  mutating func act<T>(_ role: NodeRole, _ body: (inout Session, inout Turn) -> T) -> T {
    let index = Int(role.rawValue)
    var turn = Turn(at: now, isRecording: isRecording)
    let result = body(&sides[index].session, &turn)
    var log = Log()
    swap(&log, &self[role])
    takeDeliveries(index, &log, &turn)
    let isCrashed = !carryOut(&turn, index, &log)
    swap(&log, &self[role])
    if isCrashed { restart(role) }
    return result
  }

  private subscript(role: NodeRole) -> Log {
    _read { if role == .watch { yield watch } else { yield phone } }
    _modify { if role == .watch { yield &watch } else { yield &phone } }
  }

  private mutating func takeDeliveries(_ index: Int, _ log: inout Log, _ turn: inout Turn) {
    let deliveries = turn.deliveries
    turn.deliveries = []
    for delivery in deliveries { take(delivery, index, &log, &turn) }
  }

  private mutating func take(_ delivery: SessionDelivery, _ index: Int, _ log: inout Log, _ turn: inout Turn) {
    log.deliveries.append(delivery)
    switch delivery {
    case .message(let payload, let flags, let epoch, let seq, let isStale):
      if isStale { log.staleMessages += 1 } else { log.messages.append(payload) }
      if !isStale, flags.contains(.wantsReply), let answer = answer(payload) {
        sides[index].session.reply(to: seq, of: epoch, answer.payload, flags: answer.flags, in: &turn)
      }
    case .reply(let seq, let payload, let flags): log.replies.append((seq, payload, flags))
    case .received(let seq): log.received.append(seq)
    case .failed(let seq, let error): log.failures.append((seq, error))
    case .context(let payload, _): log.contexts.append(payload)
    case .userInfo(let entry):
      handle(entry, entry.lane == .complication ? .complication(entry.payload) : .event(entry.payload), index, &turn)
    case .file(let entry, let offer):
      let name = keepsFile(offer) ? entry.transfer.text : nil
      if let name { turn.items.append(.file(.keep(entry.transfer, as: name))) }
      handle(entry, .file(offer, keptAs: name), index, &turn)
    case .finished(let lane, let transfer, let seq):
      log.finished.append(seq)
      log.finishedTransfers.append((lane, transfer))
    case .transferFailed(_, let transfer, _, let error): log.failedTransfers.append((transfer, error))
    case .transferCancelled(_, let transfer, _): log.cancelledTransfers.append(transfer)
    case .progress(let transfer, let received, let byteCount): log.progress.append((transfer, received, byteCount))
    case .reachability(let isReachable): log.reachability.append(isReachable)
    case .peerStarted(let epoch, _): log.epochsOfPeer.append(epoch)
    }
  }

  /// The app's whole handling of an entry: one effect, durable with the mark that it was handled.
  private mutating func handle(_ entry: QueueEntry, _ effect: Effect, _ index: Int, _ turn: inout Turn) {
    sides[index].session.markHandled(entry, in: &turn)
    turn.items.append(.appChange(sides[index].effects.count))
    sides[index].effects.append(effect)
    sides[index].session.commitHandled(entry, in: &turn)
  }

  /// False when the side crashed on the way.
  ///
  /// Effects are numbered from the first that is not durable yet; those of a later call of the session, after a page,
  /// follow on.
  private mutating func carryOut(_ turn: inout Turn, _ index: Int, _ log: inout Log) -> Bool {
    var place = 0
    var pending: [Int] = []
    defer { sides[index].effects = [] }
    while place < turn.items.count {
      switch turn.items[place] {
      case .frame(let frame): send(frame, index, &log)
      case .event(let event): log.lines.append(event)
      case .change(let change): sides[index].changes.append(change)
      case .appChange(let number): pending.append(number)
      case .commit:
        sides[index].store.commit(sides[index].changes)
        sides[index].changes = []
        for number in pending { note(sides[index].effects[number], &log) }
        pending = []
      case .crashPoint(let point):
        if isHit(point, index) { return false }
      case .page(let order):
        let page = sides[index].store.page(order)
        sides[index].session.receive(page: page, in: &turn)
        takeDeliveries(index, &log, &turn)
      case .file(let order): keep(index) { files throws(StoreError) in try files.carryOut(order) }
      case .chunk(var frame, let count):
        keep(index) { files throws(StoreError) in
          frame.payload = try files.read(frame.transfer, offset: frame.offset, count: count)
        }
        send(frame, index, &log)
      case .frequent, .handled: break
      }
      place += 1
    }
    precondition(sides[index].changes.isEmpty && pending.isEmpty, "changes without a commit")
    return true
  }

  private func note(_ effect: Effect, _ log: inout Log) {
    switch effect {
    case .event(let payload): log.effects.append(payload)
    case .complication(let payload): log.complications.append(payload)
    case .file(let offer, let name): log.files.append((offer, name))
    }
  }

  private mutating func isHit(_ point: CrashPoint, _ index: Int) -> Bool {
    guard let armed = sides[index].crashPoint, armed.name == point.name else { return false }
    sides[index].crashPoint = armed.passages > 1 ? (armed.name, armed.passages - 1) : nil
    guard armed.passages == 1 else { return false }
    sides[index].crashes += 1
    return true
  }

  private mutating func keep(_ index: Int, _ body: (inout WholeFiles) throws(StoreError) -> Void) {
    do throws(StoreError) { try body(&sides[index].files) } catch { preconditionFailure("\(error)") }
  }

  private mutating func send(_ frame: Frame, _ index: Int, _ log: inout Log) {
    frames += 1
    log.sent.append((now, frame))
    medium.send(frame, id: frames, direction: Direction(from: sides[index].role), at: now)
    fates += medium.immediate.map { (now, $0) }
    medium.immediate = []
  }
}
