package import Link

/// `guaranteed-no-loss`: what was queued arrives.
package struct GuaranteedNoLossChecker: Checker {
  package static let invariant = "guaranteed-no-loss"
  package static let about =
    "Every queued transfer is delivered, set aside, cancelled or reported as failed, or it is listed as outstanding."

  private var owed: [Identifier: (time: VirtualTime, line: Int)] = [:]
  private var outstanding: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func end(_ end: TraceEnd, at event: Occurrence, into report: inout Report) {
    outstanding = outstandingTransfers(end)
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    owed[queued.identity.transfer] = (event.time, event.line)
  }

  package mutating func transferDelivered(_ ended: TransferDelivered, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferSetAside(_ ended: TransferSetAside, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferFailed(_ ended: TransferFailed, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferCancelled(_ ended: TransferCancelled, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete else { return }
    for (transfer, queued) in owed.sorted(by: { $0.value.line < $1.value.line }) where !outstanding.contains(transfer) {
      report.add(
        "transfer \(transfer.text) was queued, never delivered, and is not outstanding", at: queued.time,
        lines: [queued.line, ending.line])
    }
  }
}

/// `guaranteed-no-duplicate`: what was queued has its effect once.
package struct GuaranteedNoDuplicateChecker: Checker {
  package static let invariant = "guaranteed-no-duplicate"
  package static let about =
    "No queued transfer is delivered twice, or after its sender got a failure for it; a repeated delivery after a crash is recorded as such, and follows an earlier one."

  private var settled = [SettledNumbers](repeating: SettledNumbers(), count: TransferLane.count)
  /// Transfers cancelled before delivery, which may still arrive once.
  private var mayCome = [Set<UInt64>](repeating: [], count: TransferLane.count)

  /// The line of each failure without an earlier delivery.
  private var failureLines = [[UInt64: Int]](repeating: [:], count: TransferLane.count)

  package init(header: TraceHeader) {}

  package mutating func transferDelivered(
    _ delivered: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    settle(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferSetAside(_ delivered: TransferSetAside, at event: Occurrence, into report: inout Report)
  {
    settle(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferFailed(_ failed: TransferFailed, at event: Occurrence, into report: inout Report) {
    settle(TransferLine(failed.identity, at: event.place, isReceivers: false), event, &report)
  }

  package mutating func transferCancelled(
    _ cancelled: TransferCancelled, at event: Occurrence, into report: inout Report
  ) {
    settle(
      TransferLine(cancelled.identity, at: event.place, isReceivers: false), isCancelled: true, event, &report)
  }

  package mutating func transferRedelivered(
    _ again: TransferRedelivered, at event: Occurrence, into report: inout Report
  ) {
    let transfer = TransferLine(again.identity, at: event.place, isReceivers: true)
    guard transfer.seq > 0, !settled[transfer.lane.index].contains(transfer.seq) else { return }
    report.add(
      "transfer \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) was redelivered before it was delivered",
      at: event.time, lines: [event.line])
  }

  private mutating func settle(
    _ transfer: TransferLine, isCancelled: Bool = false, _ event: Occurrence, _ report: inout Report
  ) {
    guard transfer.seq > 0 else { return }
    let lane = transfer.lane.index
    // Giving up a transfer that was already delivered is not a second delivery.
    if settled[lane].insert(transfer.seq) {
      if isCancelled { mayCome[lane].insert(transfer.seq) }
      if !transfer.isReceivers, !isCancelled { failureLines[lane][transfer.seq] = event.line }
      return
    }
    if !transfer.isReceivers || mayCome[lane].remove(transfer.seq) != nil { return }
    let failureLine = failureLines[lane].removeValue(forKey: transfer.seq)
    let what = failureLine == nil ? "was delivered again" : "was delivered after its sender got a failure for it"
    report.add(
      "transfer \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) \(what)",
      at: event.time, lines: [failureLine, event.line].compactMap { $0 })
  }
}

/// `guaranteed-fifo`: what was queued first arrives first.
///
/// Complication transfers have a separate order. Files have none: a small one may overtake a large one.
package struct GuaranteedFIFOChecker: Checker {
  package static let invariant = "guaranteed-fifo"
  package static let about =
    "Queued events are delivered in the order in which they were queued, complication transfers among themselves."

  private struct Entry {
    let transfer: Identifier
    let line: Int
    /// Whether it failed or was cancelled, so that it is no longer expected.
    var isVoid = false
  }

  /// The owed transfers of each lane, in the order of queueing, from `heads` on.
  private var owed = [[Entry]](repeating: [], count: TransferLane.count)
  private var heads = [Int](repeating: 0, count: TransferLane.count)

  package init(header: TraceHeader) {}

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    let transfer = TransferLine(queued.identity, at: event.place, isReceivers: false)
    guard !transfer.lane.isFile else { return }
    owed[transfer.lane.index].append(Entry(transfer: transfer.transfer, line: event.line))
  }

  package mutating func transferDelivered(
    _ delivered: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    deliver(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferSetAside(_ delivered: TransferSetAside, at event: Occurrence, into report: inout Report)
  {
    deliver(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferFailed(_ ended: TransferFailed, at event: Occurrence, into report: inout Report) {
    void(TransferLine(ended.identity, at: event.place, isReceivers: false))
  }

  package mutating func transferCancelled(_ ended: TransferCancelled, at event: Occurrence, into report: inout Report) {
    void(TransferLine(ended.identity, at: event.place, isReceivers: false))
  }

  /// These lines do not say whether it was a complication.
  private mutating func void(_ transfer: TransferLine) {
    guard !transfer.lane.isFile else { return }
    for lane in owed.indices {
      if let place = owed[lane].firstIndex(where: { $0.transfer == transfer.transfer }) {
        owed[lane][place].isVoid = true
      }
    }
  }

  private mutating func deliver(
    _ transfer: TransferLine, _ event: Occurrence, _ report: inout Report
  ) {
    guard !transfer.lane.isFile else { return }
    let lane = transfer.lane.index
    // Delivered before, or never queued: other invariants report that.
    guard let place = owed[lane][heads[lane]...].firstIndex(where: { $0.transfer == transfer.transfer }) else { return }
    let passed = owed[lane][heads[lane]..<place].filter { !$0.isVoid }
    if let first = passed.first {
      report.add(
        "transfer \(transfer.transfer.text) of \(transfer.lane.text) overtook \(passed.count) queued before it",
        at: event.time, lines: [first.line, owed[lane][place].line, event.line])
      // Overtaken transfers stay owed and are judged when they arrive; only this one is removed.
      owed[lane].remove(at: place)
      return
    }
    heads[lane] = place + 1
    if heads[lane] > 64, heads[lane] * 2 > owed[lane].count {
      owed[lane].removeSubrange(..<heads[lane])
      heads[lane] = 0
    }
  }
}

/// `message-at-most-once`: an app receives no message twice.
package struct MessageOnceChecker: Checker {
  package static let invariant = "message-at-most-once"
  package static let about = "No message is received twice, whatever the medium does with its frames."

  /// How many messages are remembered; a duplicate that is further behind goes unnoticed.
  private static let window: Int64 = 4096

  /// The messages received from one epoch of a sender: the highest number, and a bit for each number in the window.
  private struct Stream {
    let receiver: TraceEvent.Place
    let from: NodeRole
    let epoch: Int64
    var highest: Int64 = 0
    /// One bit per number of the window: 64 words.
    var bits = InlineArray<64, UInt64>(repeating: 0)
  }

  /// At most eight, the most recently used last: old epochs end soon.
  private var streams: [Stream] = []

  package init(header: TraceHeader) {}

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    guard message.seq > 0 else { return }
    let (epoch, seq) = (message.epoch, message.seq)
    let last = streams.count - 1
    // The common case: the sender of the previous message.
    let isOfLast =
      last >= 0 && streams[last].from == message.from && streams[last].epoch == epoch
      && streams[last].receiver == event.place
    let place = isOfLast ? last : stream(event.place, message.from, epoch)
    if receive(seq, in: place) { return }
    report.add(
      "message \(seq) of the \(streams[place].from.text)'s epoch \(epoch) was received again", at: event.time,
      lines: [event.line])
  }

  private mutating func stream(_ receiver: TraceEvent.Place, _ from: NodeRole, _ epoch: Int64) -> Int {
    for place in streams.indices.reversed()
    where streams[place].epoch == epoch && streams[place].receiver == receiver && streams[place].from == from {
      // The next message nearly always has the same sender.
      streams.append(streams.remove(at: place))
      return streams.count - 1
    }
    if streams.count == 8 { streams.removeFirst() }
    streams.append(Stream(receiver: receiver, from: from, epoch: epoch))
    return streams.count - 1
  }

  /// Marks a number as received; false if it was already.
  private mutating func receive(_ seq: Int64, in place: Int) -> Bool {
    let highest = streams[place].highest
    if seq > highest {
      if seq - highest >= Self.window {
        streams[place].bits = InlineArray(repeating: 0)
      } else if seq > highest + 1 {
        var cleared = highest + 1
        while cleared < seq {
          let (word, bit) = Self.address(cleared)
          streams[place].bits[word] &= ~bit
          cleared += 1
        }
      }
      let (word, bit) = Self.address(seq)
      streams[place].bits[word] |= bit
      streams[place].highest = seq
      return true
    }
    guard highest - seq < Self.window else { return true }
    let (word, bit) = Self.address(seq)
    guard streams[place].bits[word] & bit == 0 else { return false }
    streams[place].bits[word] |= bit
    return true
  }

  private static func address(_ seq: Int64) -> (word: Int, bit: UInt64) {
    let slot = Int(seq & (window - 1))
    return (slot >> 6, 1 << UInt64(slot & 63))
  }
}
