/// One queue's sending half: the first of what is owed, and what of that is under way.
///
/// Whatever the length of the queue, at most ``LaneRecord/pageMax`` entries are in memory; the others are in the
/// store, and asked for page by page.
struct Outbox: Sendable, Equatable {
  /// An entry, and its transmissions in this epoch.
  struct Slot: Sendable, Equatable, Numbered {
    var entry: OutboxEntry
    /// How often it was sent in this epoch; never begins anew, because draws about a frame depend on it.
    var attempt: UInt16 = 0
    /// How often it was sent since the peer came into reach: what the back-off counts.
    var waits: UInt16 = 0
    /// When it is sent again.
    var deadline = VirtualTime.distantFuture
    /// Whether the peer has it, while one before it is still owed.
    var isAcknowledged = false

    var seq: SequenceNumber { entry.seq }
  }

  /// The first of what is owed, in order; cancelled ones are among them, flagged `void`.
  private(set) var slots: NumberedQueue<Slot>
  /// How many are owed, in memory or not, cancelled ones included.
  private(set) var count: Int
  /// The number of the next transfer.
  private(set) var nextSeq: SequenceNumber
  /// How many slots at the beginning were sent in this epoch: they are sent in order.
  private(set) var sentCount = 0
  /// The soonest deadline of all slots.
  private(set) var soonest = VirtualTime.distantFuture
  /// The highest number that is or was in memory.
  private var lastRead: SequenceNumber
  /// Cancelled ones that are not in memory yet.
  private var voidedBehind: Set<UInt64> = []
  /// How many of ``slots`` are cancelled.
  private var voidCount = 0
  private var awaitsPage = false
  /// While the queue is stalled, the last number that may be sent; nil while it is not.
  private var releasedThrough: UInt64?
  /// When what a delay holds may go; the far future while it holds nothing.
  private(set) var heldUntil = VirtualTime.distantFuture
  /// The last number that the delay has let go; the largest where there is no delay.
  private var dueThrough = UInt64.max
  /// Whether the delay holds what was sent before, too.
  private var holdsSent = false

  init(_ record: LaneRecord) {
    slots = NumberedQueue(record.outbox.map { Slot(entry: $0) })
    count = record.outboxCount
    nextSeq = record.nextSeq
    lastRead = record.outbox.last?.seq ?? SequenceNumber(record.nextSeq.rawValue - 1)
    voidCount = record.outbox.count { $0.flags.contains(.void) }
    precondition(
      count >= slots.count && (count == slots.count || !slots.isEmpty), "\(slots.count) of \(count) entries are here")
  }

  /// How many are owed and, as far as is known, not cancelled.
  var owedCount: Int { count - voidCount - voidedBehind.count }

  /// Adds a transfer, behind all others.
  mutating func enqueue(_ entry: OutboxEntry) {
    precondition(entry.seq == nextSeq, "\(entry.seq.rawValue) queued while \(nextSeq.rawValue) is next")
    nextSeq = SequenceNumber(entry.seq.rawValue + 1)
    count += 1
    // Where some are in the store only, the order asks this one to come from there, too.
    guard slots.count == count - 1, slots.count < LaneRecord.pageMax else { return }
    slots.append(Slot(entry: entry))
    lastRead = entry.seq
  }

  /// The place of the next slot that was not sent in this epoch and that the window has room for; nil for none.
  ///
  /// The window counts from the oldest that is owed, acknowledged ones included, so that no receiver has to keep
  /// more than a window ahead of what it waits for.
  var nextToSend: Int? {
    guard sentCount < slots.count, isReleased(sentCount),
      slots[sentCount].seq.rawValue < slots[0].seq.rawValue + UInt64(Session.window)
    else { return nil }
    return sentCount
  }

  /// Whether a slot may be sent; false for one that a stalled queue or a delay holds, and for one that the peer has.
  func isReleased(_ index: Int) -> Bool {
    let seq = slots[index].seq.rawValue
    return seq <= dueThrough && seq <= releasedThrough ?? .max && !slots[index].isAcknowledged
  }

  // MARK: The delay of background channels

  /// Holds what is queued from now on until an instant; one that is set already stays.
  mutating func hold(until instant: VirtualTime) {
    guard heldUntil == .distantFuture else { return }
    if dueThrough == .max { dueThrough = nextSeq.rawValue - 1 }
    heldUntil = instant
  }

  /// Holds everything until an instant, also what was sent and has to be sent again.
  mutating func holdAll(until instant: VirtualTime) {
    dueThrough = 0
    heldUntil = instant
    holdsSent = true
    for index in 0..<sentCount { slots[index].deadline = .distantFuture }
    soonest = .distantFuture
  }

  /// Lets everything go that is queued.
  ///
  /// - Returns: Whether what was sent before was held, too, and has to be sent again.
  mutating func releaseHeld() -> Bool {
    defer { holdsSent = false }
    heldUntil = .distantFuture
    dueThrough = nextSeq.rawValue - 1
    return holdsSent
  }

  /// Stalls the queue: what it holds, and what is queued from now on, waits for ``releaseOldest()``.
  ///
  /// - Parameter exceptWhatIsThere: Whether what it holds may go.
  mutating func stall(exceptWhatIsThere: Bool) {
    releasedThrough = exceptWhatIsThere ? nextSeq.rawValue - 1 : 0
    guard !exceptWhatIsThere else { return }
    for index in 0..<sentCount { slots[index].deadline = .distantFuture }
    soonest = .distantFuture
  }

  /// Lets the oldest go that a stalled queue holds.
  ///
  /// - Returns: Its place, where it was sent before and is to be sent again; nil where its turn comes by itself, and
  ///   where none is held.
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

  /// Lets everything go.
  mutating func endStall() { releasedThrough = nil }

  /// Notes that a slot was sent.
  mutating func noteSent(_ index: Int, attempt: UInt16, waits: UInt16, deadline: VirtualTime) {
    precondition(index <= sentCount, "sent out of order")
    let before = slots[index].deadline
    slots[index].attempt = attempt
    slots[index].waits = waits
    slots[index].deadline = deadline
    if index == sentCount { sentCount += 1 }
    if deadline < soonest { soonest = deadline } else if before == soonest { findSoonest() }
  }

  /// Marks a slot that the peer has; it leaves the queue with ``removeFirstAcknowledged()``, in its turn.
  mutating func acknowledge(at index: Int) {
    let before = slots[index].deadline
    slots[index].isAcknowledged = true
    slots[index].deadline = .distantFuture
    if before == soonest { findSoonest() }
  }

  /// Takes the first slot out if the peer has it; nil if it has not.
  mutating func removeFirstAcknowledged() -> OutboxEntry? {
    guard let first = slots.first, first.isAcknowledged else { return nil }
    remove(at: 0)
    return first.entry
  }

  /// Takes a slot out: it is owed no longer.
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

  /// Flags a transfer `void`; false when it is unknown, over, or void already.
  ///
  /// - Parameter transfer: Its name, compared for one in memory; the caller vouches for it otherwise.
  mutating func void(_ seq: SequenceNumber, _ transfer: Identifier) -> Bool {
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

  /// What to ask the store for: nil while there is enough in memory, or nothing else is owed.
  mutating func pageOrder(_ lane: Lane) -> PageOrder? {
    guard count > slots.count, slots.count < Session.window, !awaitsPage else { return nil }
    awaitsPage = true
    return PageOrder(.outbox, lane, after: lastRead, limit: LaneRecord.pageMax - slots.count)
  }

  /// Takes what the store had.
  mutating func take(_ page: [OutboxEntry]) {
    precondition(awaitsPage, "a page that was not asked for")
    precondition(!page.isEmpty, "\(count - slots.count) entries are owed, and the store has none of them")
    awaitsPage = false
    for entry in page {
      var entry = entry
      precondition(entry.seq > lastRead && entry.seq < nextSeq, "entry \(entry.seq.rawValue) is not of this queue")
      if voidedBehind.remove(entry.seq.rawValue) != nil {
        entry.flags.insert(.void)
        entry.payload = []
      }
      if entry.flags.contains(.void) { voidCount += 1 }
      slots.append(Slot(entry: entry))
      lastRead = entry.seq
    }
    precondition(count >= slots.count, "more entries than are owed")
  }
}
