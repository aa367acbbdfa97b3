/// One queue's receiving half: what has arrived, and how far the app has come with it.
///
/// Whether a number has arrived is known without holding what arrived: everything up to one number, and of the
/// next 128 each. In memory are the first that wait to be handled, and a few that wait for one before them; at
/// most ``LaneRecord/pageMax`` together. The others are in the store, and asked for page by page.
struct Inbox: Sendable, Equatable {
  /// How far ahead of the first gap a number may be; beyond it stands no honest sender.
  static let reach: UInt64 = 128

  /// What waits to be handled, from ``nextToHandle`` on without a gap; where it is long, its beginning.
  private(set) var entries: NumberedQueue<InboxEntry>
  /// The number that is handled next.
  private(set) var nextToHandle: UInt64
  /// Everything up to this one has arrived.
  private(set) var receivedThrough: UInt64
  /// How far the app was handed what there is, in this epoch.
  private(set) var handedOver: UInt64
  /// Which of the numbers behind ``receivedThrough`` have arrived, the next one in bit 0, which is clear.
  private(set) var aheadMask: UInt128 = 0
  /// Of those, the ones in memory.
  private(set) var ahead: NumberedQueue<InboxEntry> = NumberedQueue()
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
      entries.isEmpty || entries[0].seq.rawValue == nextToHandle, "the inbox does not begin where it should")
  }

  /// The number of the last one in memory; the one before ``nextToHandle`` when there is none.
  private var lastInMemory: UInt64 { nextToHandle - 1 + UInt64(entries.count) }

  /// Whether everything that has arrived has been handled.
  var isSettled: Bool { nextToHandle == receivedThrough + 1 }

  /// Whether a number is not so far ahead that no honest sender would use it.
  func isInReach(_ seq: SequenceNumber) -> Bool {
    seq.rawValue <= receivedThrough || seq.rawValue - receivedThrough <= Self.reach
  }

  /// Whether a number, which is in reach, has arrived.
  func has(_ seq: SequenceNumber) -> Bool {
    seq.rawValue <= receivedThrough || aheadMask >> UInt128(seq.rawValue - receivedThrough - 1) & 1 == 1
  }

  /// Takes one that is new and in reach.
  mutating func insert(_ entry: InboxEntry) {
    let place = entry.seq.rawValue - receivedThrough - 1
    guard place == 0 else {
      aheadMask |= 1 << UInt128(place)
      if entries.count + ahead.count < LaneRecord.pageMax { _ = ahead.insert(entry) }
      return
    }
    append(entry)
    advance()
  }

  /// Lets the next in order, which has not arrived, count as arrived and handled.
  mutating func skip(_ seq: SequenceNumber) {
    precondition(isSettled && seq.rawValue == nextToHandle, "\(seq.rawValue) is passed over out of turn")
    nextToHandle += 1
    handedOver = max(handedOver, seq.rawValue)
    receivedThrough += 1
    aheadMask >>= 1
    advanceAhead()
  }

  /// Adds the next in order, in memory where everything before it is, too.
  private mutating func append(_ entry: InboxEntry) {
    let isNextInMemory = lastInMemory == receivedThrough
    receivedThrough += 1
    aheadMask >>= 1
    if isNextInMemory, entries.count + ahead.count < LaneRecord.pageMax { entries.append(entry) }
  }

  private mutating func advance() { if aheadMask != 0 { advanceAhead() } }

  /// Moves on over what had arrived ahead of its turn.
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

  /// The next to hand to the app, or to pass over; nil when that is not in memory, or there is none.
  var nextToHandOver: InboxEntry? {
    let index = Int(handedOver + 1 - nextToHandle)
    return index < entries.count ? entries[index] : nil
  }

  /// Notes that the app was handed everything up to this one.
  mutating func noteHandedOver(_ seq: SequenceNumber) { handedOver = seq.rawValue }

  /// The last number of the cancelled ones that stand right behind this one, in memory; this one where none does.
  func lastVoid(behind seq: SequenceNumber) -> SequenceNumber {
    var index = Int(seq.rawValue - nextToHandle) + 1
    while index < entries.count, entries[index].flags.contains(.void) { index += 1 }
    return SequenceNumber(nextToHandle + UInt64(index) - 1)
  }

  /// Notes that everything up to this one is handled.
  mutating func noteHandled(through seq: SequenceNumber) {
    let count = Int(seq.rawValue + 1 - nextToHandle)
    precondition(count >= 1 && count <= entries.count, "\(seq.rawValue) is not at hand")
    entries.removeFirst(count)
    nextToHandle += UInt64(count)
    handedOver = max(handedOver, seq.rawValue)
  }

  /// What to ask the store for: nil while there is enough in memory, or nothing else waits.
  ///
  /// - Parameter handled: How many of those in memory are about to be handled.
  mutating func pageOrder(_ lane: Lane, handled: Int = 0) -> PageOrder? {
    guard lastInMemory < receivedThrough, entries.count - handled < Session.window, !awaitsPage else { return nil }
    awaitsPage = true
    let room = LaneRecord.pageMax - (entries.count - handled) - ahead.count
    return PageOrder(.inbox, lane, after: SequenceNumber(lastInMemory), limit: max(room, 1))
  }

  /// Takes what the store had.
  mutating func take(_ page: [InboxEntry]) {
    precondition(awaitsPage, "a page that was not asked for")
    awaitsPage = false
    let before = lastInMemory
    for entry in page where entry.seq.rawValue <= receivedThrough {
      precondition(entry.seq.rawValue == lastInMemory + 1, "\(entry.seq.rawValue) follows \(lastInMemory)")
      entries.append(entry)
    }
    precondition(lastInMemory > before, "the store has nothing behind \(before), and should")
  }
}
