/// The receiving half of the guaranteed channels: what arrives in order, and the app's handling of it.
extension Session {
  mutating func receiveEvent(
    _ frame: Frame, at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard isAnnounced(frame) else {
      return refuse(frame, why: "of an epoch that no hello announced", at: now, into: &output)
    }
    guard frame.seq.rawValue > 0 else { return refuse(frame, why: "without a number", at: now, into: &output) }
    let lane: Lane = frame.flags.contains(.complication) ? .complication : .userInfo
    guard inboxes[lane].isInReach(frame.seq) else {
      return refuse(frame, why: "beyond the window", at: now, into: &output)
    }
    let isNew = !inboxes[lane].has(frame.seq)
    if isNew {
      guard take(InboxEntry(frame, lane: lane), into: &output) else { return }
      output.items.append(.crashPoint(.inboxCommitted))
    }
    output.send(
      Frame(
        kind: .ack, channel: .userInfo, flags: lane == .complication ? .complication : [], epoch: epoch,
        peerEpoch: frame.epoch, seq: frame.seq, offset: UInt64(frame.attempt), transfer: frame.transfer))
    output.items.append(.crashPoint(.inboxAcked))
    if isNew { handOver(lane, into: &output, delivering: &deliveries) }
  }

  /// Makes a new entry durable, together with the changes ordered before; false when there is no room for it.
  ///
  /// A cancelled one that is next, while nothing waits, needs no room: the mark of what is handled moves over it.
  mutating func take(_ entry: InboxEntry, into output: inout NodeOutput) -> Bool {
    let lane = entry.lane
    if entry.flags.contains(.void), inboxes[lane].isSettled, entry.seq.rawValue == inboxes[lane].nextToHandle {
      inboxes[lane].skip(entry.seq)
      output.commit(.handled(lane, entry.seq))
    } else {
      guard !diskIsFull else { return false }
      inboxes[lane].insert(entry)
      output.commit(.received(entry))
    }
    orderInboxPage(lane, into: &output)
    return true
  }

  /// Hands the app everything that has arrived in order, of all lanes.
  mutating func handOverAll(into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]) {
    for lane in [Lane.complication, .userInfo, .file] { handOver(lane, into: &output, delivering: &deliveries) }
  }

  /// Hands the app what is next in order and has arrived; what was cancelled is passed over.
  mutating func handOver(
    _ lane: Lane, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard !isSuspended else { return }
    while let entry = inboxes[lane].nextToHandOver {
      if entry.flags.contains(.void) {
        // While the app has still to handle one before it, the mark moves over both at once.
        if entry.seq.rawValue == inboxes[lane].nextToHandle {
          noteHandled(entry, into: &output)
          output.items.append(.commit)
        } else {
          inboxes[lane].noteHandedOver(entry.seq)
        }
        continue
      }
      inboxes[lane].noteHandedOver(entry.seq)
      deliveries.append(lane == .file ? .file(entry, offer(in: entry)) : .userInfo(entry))
    }
  }

  /// Ends the app's handling of an entry: part of the transaction that the app's own changes are in.
  ///
  /// The caller closes the transaction: with ``commitHandled(_:into:)``, or itself where the entry is no file.
  public mutating func markHandled(_ entry: InboxEntry, into output: inout NodeOutput) {
    precondition(
      entry.seq.rawValue == inboxes[entry.lane].nextToHandle,
      "handled \(entry.seq) while \(inboxes[entry.lane].nextToHandle) is next")
    noteHandled(entry, into: &output)
  }

  private mutating func noteHandled(_ entry: InboxEntry, into output: inout NodeOutput) {
    let last = inboxes[entry.lane].lastVoid(behind: entry.seq)
    // Before the change: a page is answered at once, and no transaction is open around it.
    let count = Int(last.rawValue - entry.seq.rawValue) + 1
    if let order = inboxes[entry.lane].pageOrder(entry.lane, handled: count) { output.items.append(.page(order)) }
    inboxes[entry.lane].noteHandled(through: last)
    output.items.append(.change(handledChange(entry.lane, through: last)))
  }

  /// Closes the transaction in which the app handled an entry, and which may hold changes of the app's own.
  ///
  /// Orders the commit, the discarding of a file that the app did not keep, and the crash point behind both. Lines
  /// that tell of the handling are recorded before: behind the crash point they would be lost with the process.
  public func commitHandled(_ entry: InboxEntry, into output: inout NodeOutput) {
    output.items.append(.commit)
    if entry.lane == .file { output.items.append(.file(.discardIncoming(entry.transfer))) }
    output.items.append(.crashPoint(.handlerCommitted))
  }

  /// Asks the store for more of what waits for the app, once little of it is left in memory.
  private mutating func orderInboxPage(_ lane: Lane, into output: inout NodeOutput) {
    if let order = inboxes[lane].pageOrder(lane) { output.items.append(.page(order)) }
  }
}

extension InboxEntry {
  /// What a frame brings into the inbox; of a cancelled one its place alone.
  init(_ frame: Frame, lane: Lane) {
    self.init(
      transfer: frame.transfer, lane: lane, seq: frame.seq, flags: frame.flags,
      payload: frame.flags.contains(.void) ? [] : frame.payload)
  }
}
