/// The sending half of one queue: the first items that are owed, and their transmissions.
///
/// At most ``LaneRecord/pageMax`` entries are in memory; the others are in the store and are requested page by page.
struct Outbox: Sendable, Equatable {
  /// An entry, and its transmissions in this epoch.
  struct Slot: Sendable, Equatable, Numbered {
    var entry: QueueEntry
    /// The number of transmissions in this epoch; never reset, because draws about a frame depend on it.
    var attempt: UInt16 = 0
    /// The number of transmissions since the peer became reachable, for the back-off.
    var waits: UInt16 = 0
    /// The next retransmission.
    var deadline = VirtualTime.distantFuture
    /// Whether the peer has acknowledged it, while an earlier one is still owed.
    var isAcknowledged = false

    var seq: SequenceNumber { entry.seq }
  }

  /// The first owed entries in order; cancelled ones are included, flagged `void`.
  private(set) var slots: NumberedQueue<Slot>
  /// The number of owed entries, in memory or not, including cancelled ones.
  private(set) var count: Int
  /// The number of the next transfer.
  private(set) var nextSeq: SequenceNumber
  /// The number of slots at the beginning that were sent in this epoch; slots are sent in order.
  private(set) var sentCount = 0
  /// The earliest deadline of all slots.
  private(set) var soonest = VirtualTime.distantFuture
  /// The highest number that is or was in memory.
  private var lastRead: SequenceNumber
  /// Cancelled entries that are not in memory yet.
  private var voidedBehind: Set<UInt64> = []
  /// The number of cancelled entries in ``slots``.
  private var voidCount = 0
  private var awaitsPage = false
  /// The last number that a stalled queue may send; nil if the queue is not stalled.
  private var releasedThrough: UInt64?
  /// When delayed entries may be sent; the distant future if there are none.
  private(set) var heldUntil = VirtualTime.distantFuture
  /// The last number released by the delay; the largest if there is no delay.
  private var dueThrough = UInt64.max
  /// Whether the delay also holds entries that were sent before.
  private var holdsSent = false

  init(_ record: LaneRecord) {
    slots = NumberedQueue(record.outbox.map { Slot(entry: $0) })
    count = record.outboxCount
    nextSeq = record.nextSeq
    lastRead = record.outbox.last?.seq ?? SequenceNumber(record.nextSeq.rawValue - 1)
    voidCount = record.outbox.count { $0.flags.contains(.void) }
    precondition(
      count >= slots.count && (count == slots.count || !slots.isEmpty),
      "\(slots.count) of \(count) entries are in memory")
  }

  /// The number of owed entries, without those known to be cancelled.
  var owedCount: Int { count - voidCount - voidedBehind.count }

  /// Adds a transfer at the end.
  mutating func enqueue(_ entry: QueueEntry) {
    precondition(entry.seq == nextSeq, "\(entry.seq.rawValue) queued while \(nextSeq.rawValue) is next")
    nextSeq = SequenceNumber(entry.seq.rawValue + 1)
    count += 1
    // If some entries are only in the store, this one must come from there later, to keep the order.
    guard slots.count == count - 1, slots.count < LaneRecord.pageMax else { return }
    slots.append(Slot(entry: entry))
    lastRead = entry.seq
  }

  /// The index of the next slot that was not sent in this epoch and fits in the window; nil if there is none.
  ///
  /// The window starts at the oldest owed entry, acknowledged or not, so a receiver never stores more than one window
  /// ahead of the number it waits for.
  var nextToSend: Int? {
    guard sentCount < slots.count, isReleased(sentCount),
      slots[sentCount].seq.rawValue < slots[0].seq.rawValue + UInt64(Session.window)
    else { return nil }
    return sentCount
  }

  /// Whether a slot may be sent: not held by a stalled queue or a delay, and not acknowledged.
  func isReleased(_ index: Int) -> Bool {
    let seq = slots[index].seq.rawValue
    return seq <= dueThrough && seq <= releasedThrough ?? .max && !slots[index].isAcknowledged
  }

  // MARK: The delay of background channels

  /// Holds entries queued from now on until an instant; keeps an instant that is already set.
  mutating func holdNew(until instant: VirtualTime) {
    guard heldUntil == .distantFuture else { return }
    if dueThrough == .max { dueThrough = nextSeq.rawValue - 1 }
    heldUntil = instant
  }

  /// Holds all entries until an instant, including those that were sent and need retransmission.
  mutating func holdAll(until instant: VirtualTime) {
    dueThrough = 0
    heldUntil = instant
    holdsSent = true
    for index in 0..<sentCount { slots[index].deadline = .distantFuture }
    soonest = .distantFuture
  }

  /// Releases all queued entries.
  ///
  /// - Returns: Whether entries that were sent before were held too, and need retransmission.
  mutating func releaseHeld() -> Bool {
    defer { holdsSent = false }
    heldUntil = .distantFuture
    dueThrough = nextSeq.rawValue - 1
    return holdsSent
  }

  /// Stalls the queue: its entries, and those queued from now on, wait for ``releaseOldest()``.
  ///
  /// - Parameter releasesExisting: Whether its present entries may be sent.
  mutating func stallQueue(releasesExisting: Bool) {
    releasedThrough = releasesExisting ? nextSeq.rawValue - 1 : 0
    guard !releasesExisting else { return }
    for index in 0..<sentCount { slots[index].deadline = .distantFuture }
    soonest = .distantFuture
  }

  /// Releases the oldest entry held by a stalled queue.
  ///
  /// - Returns: Its index if it was sent before and needs retransmission; nil if the window will send it, or if none is
  ///   held.
  mutating func releaseOldest() -> Int? {
    guard let through = releasedThrough, let first = slots.first else { return nil }
    let next = max(through + 1, first.seq.rawValue)
    guard next < nextSeq.rawValue else { return nil }
    releasedThrough = next
    guard let index = slots.index(of: SequenceNumber(next)), index < sentCount, !slots[index].isAcknowledged else {
      return nil
    }
    return index
  }

  /// Ends the stall and releases all entries.
  mutating func endStall() { releasedThrough = nil }

  /// Records the transmission of a slot.
  mutating func recordSent(_ index: Int, attempt: UInt16, waits: UInt16, deadline: VirtualTime) {
    precondition(index <= sentCount, "sent out of order")
    let before = slots[index].deadline
    slots[index].attempt = attempt
    slots[index].waits = waits
    slots[index].deadline = deadline
    if index == sentCount { sentCount += 1 }
    if deadline < soonest { soonest = deadline } else if before == soonest { findSoonest() }
  }

  /// Marks a slot as acknowledged; ``removeFirstAcknowledged()`` removes it in order.
  mutating func acknowledge(at index: Int) {
    let before = slots[index].deadline
    slots[index].isAcknowledged = true
    slots[index].deadline = .distantFuture
    if before == soonest { findSoonest() }
  }

  /// Removes the first slot if it is acknowledged; returns nil if not.
  mutating func removeFirstAcknowledged() -> QueueEntry? {
    guard let first = slots.first, first.isAcknowledged else { return nil }
    remove(at: 0)
    return first.entry
  }

  /// Removes a slot, which is no longer owed.
  mutating func remove(at index: Int) {
    let slot = slots[index]
    if slot.entry.flags.contains(.void) { voidCount -= 1 }
    slots.remove(at: index)
    count -= 1
    if index < sentCount { sentCount -= 1 }
    if slot.deadline == soonest { findSoonest() }
  }

  private mutating func findSoonest() {
    soonest = .distantFuture
    for index in 0..<sentCount where slots[index].deadline < soonest { soonest = slots[index].deadline }
  }

  /// Flags a transfer `void`; returns false if it is unknown, finished or already void.
  ///
  /// - Parameter transfer: Its identifier, compared if the entry is in memory; otherwise the caller must have checked
  ///   it.
  mutating func voidTransfer(_ seq: SequenceNumber, _ transfer: Identifier) -> Bool {
    if let index = slots.index(of: seq) {
      guard slots[index].entry.transfer == transfer, !slots[index].entry.flags.contains(.void),
        !slots[index].isAcknowledged
      else { return false }
      slots[index].entry.flags.insert(.void)
      slots[index].entry.payload = []
      voidCount += 1
      return true
    }
    guard seq > lastRead, seq < nextSeq else { return false }
    return voidedBehind.insert(seq.rawValue).inserted
  }

  /// Returns the page to request from the store; nil if memory holds enough or nothing else is owed.
  mutating func pageOrder(_ lane: Lane) -> PageOrder? {
    guard count > slots.count, slots.count < Session.window, !awaitsPage else { return nil }
    awaitsPage = true
    return PageOrder(.outbox, lane, after: lastRead, limit: LaneRecord.pageMax - slots.count)
  }

  /// Adds a page from the store.
  mutating func insertPage(_ page: [QueueEntry]) {
    precondition(awaitsPage, "the page was requested")
    precondition(!page.isEmpty, "\(count - slots.count) entries are owed, and the store has none of them")
    awaitsPage = false
    for entry in page {
      var entry = entry
      precondition(entry.seq > lastRead && entry.seq < nextSeq, "entry \(entry.seq.rawValue) is not in this queue")
      if voidedBehind.remove(entry.seq.rawValue) != nil {
        entry.flags.insert(.void)
        entry.payload = []
      }
      if entry.flags.contains(.void) { voidCount += 1 }
      slots.append(Slot(entry: entry))
      lastRead = entry.seq
    }
    precondition(count >= slots.count, "the page has no more entries than are owed")
  }
}
