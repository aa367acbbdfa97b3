/// The receiving half of one queue: what has arrived, and what the app has handled.
///
/// Knows which numbers have arrived without storing the entries: everything up to one number, and each of the next 128.
/// In memory are the first entries that wait to be handled, and a few that wait for a gap to close; at most
/// ``LaneRecord/pageMax`` together. The others are in the store and are requested page by page.
struct Inbox: Sendable, Equatable {
  /// How far past the first gap a number may be; a correct sender never goes further.
  static let reach: UInt64 = 128

  /// The entries that wait to be handled, from ``nextToHandle`` on without a gap; of a long queue, the first ones.
  private(set) var entries: NumberedQueue<QueueEntry>
  /// The next number to handle.
  private(set) var nextToHandle: UInt64
  /// All numbers up to this one have arrived.
  private(set) var receivedThrough: UInt64
  /// The last number delivered to the app in this epoch.
  private(set) var handedOver: UInt64
  /// Which numbers after ``receivedThrough`` have arrived; bit 0 is the next number and is clear.
  private(set) var aheadMask: UInt128 = 0
  /// Those of them that are in memory.
  private(set) var ahead: NumberedQueue<QueueEntry> = NumberedQueue()
  private var awaitsPage = false

  init(_ record: LaneRecord) {
    entries = NumberedQueue(record.inbox)
    nextToHandle = record.nextToHandle.rawValue
    receivedThrough = record.receivedThrough.rawValue
    handedOver = nextToHandle - 1
    for seq in record.receivedAhead {
      precondition(seq.rawValue > receivedThrough + 1 && isInReach(seq), "\(seq.rawValue) is out of reach")
      aheadMask |= 1 << UInt128(seq.rawValue - receivedThrough - 1)
    }
    precondition(
      entries.isEmpty || entries[0].seq.rawValue == nextToHandle, "the inbox begins with the next number")
  }

  /// The last number in memory; the one before ``nextToHandle`` if there is none.
  private var lastInMemory: UInt64 { nextToHandle - 1 + UInt64(entries.count) }

  /// Whether everything that has arrived has been handled.
  var isSettled: Bool { nextToHandle == receivedThrough + 1 }

  /// Whether a number is within the range that a correct sender uses.
  func isInReach(_ seq: SequenceNumber) -> Bool {
    seq.rawValue <= receivedThrough || seq.rawValue - receivedThrough <= Self.reach
  }

  /// Whether a number within that range has arrived.
  func hasReceived(_ seq: SequenceNumber) -> Bool {
    seq.rawValue <= receivedThrough || aheadMask >> UInt128(seq.rawValue - receivedThrough - 1) & 1 == 1
  }

  /// Adds a new entry within the range.
  mutating func insert(_ entry: QueueEntry) {
    let place = entry.seq.rawValue - receivedThrough - 1
    guard place == 0 else {
      aheadMask |= 1 << UInt128(place)
      if entries.count + ahead.count < LaneRecord.pageMax { _ = ahead.insert(entry) }
      return
    }
    append(entry)
    advance()
  }

  /// Counts the next number, which has not arrived, as arrived and handled.
  mutating func skip(_ seq: SequenceNumber) {
    precondition(isSettled && seq.rawValue == nextToHandle, "\(seq.rawValue) is skipped out of order")
    nextToHandle += 1
    handedOver = max(handedOver, seq.rawValue)
    receivedThrough += 1
    aheadMask >>= 1
    advanceAhead()
  }

  /// Adds the next entry in order, in memory if all entries before it are.
  private mutating func append(_ entry: QueueEntry) {
    let isNextInMemory = lastInMemory == receivedThrough
    receivedThrough += 1
    aheadMask >>= 1
    if isNextInMemory, entries.count + ahead.count < LaneRecord.pageMax { entries.append(entry) }
  }

  private mutating func advance() { if aheadMask != 0 { advanceAhead() } }

  /// Advances past entries that arrived early.
  private mutating func advanceAhead() {
    while aheadMask & 1 == 1 {
      let next = SequenceNumber(receivedThrough + 1)
      if let entry = ahead.first, entry.seq == next {
        ahead.removeFirst(1)
        append(entry)
      } else {
        receivedThrough += 1
        aheadMask >>= 1
      }
    }
  }

  /// The next entry to deliver or to skip; nil if it is not in memory or there is none.
  var nextToDeliver: QueueEntry? {
    let index = Int(handedOver + 1 - nextToHandle)
    return index < entries.count ? entries[index] : nil
  }

  /// Records that the app got everything up to this number.
  mutating func recordHandOver(_ seq: SequenceNumber) { handedOver = seq.rawValue }

  /// The last of the cancelled entries directly after this number, in memory; this number if there are none.
  func lastVoid(behind seq: SequenceNumber) -> SequenceNumber {
    var index = Int(seq.rawValue - nextToHandle) + 1
    while index < entries.count, entries[index].flags.contains(.void) { index += 1 }
    return SequenceNumber(nextToHandle + UInt64(index) - 1)
  }

  /// Records that everything up to this number is handled.
  mutating func markHandled(through seq: SequenceNumber) {
    let count = Int(seq.rawValue + 1 - nextToHandle)
    precondition(count >= 1 && count <= entries.count, "\(seq.rawValue) is not in memory")
    entries.removeFirst(count)
    nextToHandle += UInt64(count)
    handedOver = max(handedOver, seq.rawValue)
  }

  /// Returns the page to request from the store; nil if memory holds enough or nothing else waits.
  ///
  /// - Parameter handled: How many entries in memory are about to be handled.
  mutating func pageOrder(_ lane: Lane, handled: Int = 0) -> PageOrder? {
    guard lastInMemory < receivedThrough, entries.count - handled < Session.window, !awaitsPage else { return nil }
    awaitsPage = true
    let room = LaneRecord.pageMax - (entries.count - handled) - ahead.count
    return PageOrder(.inbox, lane, after: SequenceNumber(lastInMemory), limit: max(room, 1))
  }

  /// Adds a page from the store.
  mutating func insertPage(_ page: [QueueEntry]) {
    precondition(awaitsPage, "the page was requested")
    awaitsPage = false
    let before = lastInMemory
    for entry in page where entry.seq.rawValue <= receivedThrough {
      precondition(entry.seq.rawValue == lastInMemory + 1, "\(entry.seq.rawValue) follows \(lastInMemory)")
      entries.append(entry)
    }
    precondition(lastInMemory > before, "the store lacks the entries after \(before)")
  }
}

/// The sequence numbers of one epoch that have been seen.
///
/// Remembers at least the last 960 of 1,024; older ones count as seen, because at-most-once is guaranteed and delivery
/// is not.
struct DuplicateFilter: Sendable, Equatable {
  private var words = [UInt64](repeating: 0, count: 16)
  private(set) var highest: UInt64 = 0

  /// Starts an epoch: every number below `next` counts as seen.
  init(next: UInt64 = 1) {
    highest = max(next, 1) - 1
    // Numbers below `next` may share a word with later ones.
    if highest > 0 { words = [UInt64](repeating: .max, count: 16) }
    words[Int(highest >> 6 & 15)] = highest & 63 == 63 ? .max : (1 << (highest & 63 + 1)) - 1
  }

  /// Adds a number, which must be at least 1; returns false if it was seen before.
  mutating func insert(_ seq: SequenceNumber) -> Bool {
    let number = seq.rawValue
    let word = Int(number >> 6 & 15)
    let bit: UInt64 = 1 << (number & 63)
    if number > highest {
      let steps = (number >> 6) &- (highest >> 6)
      if steps > 0 {
        for step in 1...min(steps, 16) { words[Int((highest >> 6 &+ step) & 15)] = 0 }
      }
      highest = number
      words[word] |= bit
      return true
    }
    // Only whole words are cleared: the last 15 words are certainly intact.
    guard highest &- number < 960, words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }
}
