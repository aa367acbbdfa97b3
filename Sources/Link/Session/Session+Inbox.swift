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
