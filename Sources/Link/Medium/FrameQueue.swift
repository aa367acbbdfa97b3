/// The copies of frames that are under way, by the time of their arrival, then by id, then by copy.
///
/// What is sorted are small keys; the frames lie still beside them.
@usableFromInline struct FrameQueue: Sendable {
  /// A copy of a frame.
  struct Entry: Sendable {
    var id: UInt64
    var copy: Int
    /// Whether it has yet to pass the stages after the byte-limited queue.
    var isWaiting = false
    /// The medium's count of outages at the sending.
    var outages: Int
    var direction: Direction
    var frame: Frame
  }

  private struct Key: Sendable, Comparable {
    /// When the copy arrives, or leaves the byte-limited queue.
    var at: VirtualTime
    var id: UInt64
    var copy: Int
    /// Its place among the entries.
    var slot: Int

    static func < (lhs: Self, rhs: Self) -> Bool {
      if lhs.at != rhs.at { return lhs.at < rhs.at }
      if lhs.id != rhs.id { return lhs.id < rhs.id }
      return lhs.copy < rhs.copy
    }
  }

  /// How many bytes the frames in it have on the wire.
  @usableFromInline private(set) var bytes = 0
  @usableFromInline var count: Int { keys.count }

  private var keys = PriorityQueue<Key>()
  /// When the first copy is due; nil while nothing is under way.
  @usableFromInline private(set) var nextAt: VirtualTime?
  private var entries: [Entry?] = []
  /// Places of entries that are free.
  private var free: [Int] = []

  var isEmpty: Bool { keys.isEmpty }

  mutating func insert(_ entry: consuming Entry, at: VirtualTime) {
    let slot: Int
    let (id, copy) = (entry.id, entry.copy)
    bytes += entry.frame.wireBytes
    if let place = free.popLast() {
      slot = place
      entries[slot] = consume entry
    } else {
      slot = entries.count
      entries.append(consume entry)
    }
    keys.insert(Key(at: at, id: id, copy: copy, slot: slot))
    nextAt = keys.first?.at
  }

  /// The frames that wait in the byte-limited queue and were sent since an outage, in the order of their turns.
  func waiting(since outages: Int) -> [(at: VirtualTime, entry: Entry)] {
    var found: [(at: VirtualTime, entry: Entry)] = []
    for key in keys.elements.sorted() {
      if let entry = entries[key.slot], entry.isWaiting, entry.outages == outages { found.append((key.at, entry)) }
    }
    return found
  }

  /// Takes those out.
  mutating func removeWaiting(since outages: Int) {
    let all = keys.elements
    keys = PriorityQueue()
    for key in all {
      if let entry = entries[key.slot], entry.isWaiting, entry.outages == outages {
        bytes -= entry.frame.wireBytes
        entries[key.slot] = nil
        free.append(key.slot)
      } else {
        keys.insert(key)
      }
    }
    nextAt = keys.first?.at
  }

  /// Removes and returns the first copy; there is one.
  mutating func removeFirst() -> Entry {
    let slot = keys.removeFirst().slot
    nextAt = keys.first?.at
    free.append(slot)
    guard let entry = entries[slot].take() else { preconditionFailure("a key without its frame") }
    bytes -= entry.frame.wireBytes
    return entry
  }
}
