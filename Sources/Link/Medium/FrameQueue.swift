/// The copies of frames in flight, ordered by arrival, then by id, then by copy.
///
/// Small keys are sorted; the frames themselves do not move.
@usableFromInline struct FrameQueue: Sendable {
  /// A copy of a frame.
  struct Entry: Sendable {
    var id: UInt64
    var copy: Int
    /// Whether it still has to pass the stages after the byte-limited queue.
    var isWaiting = false
    /// The medium's outage count when it was sent.
    var outages: Int
    var direction: Direction
    var frame: Frame
  }

  private struct Key: Sendable, Comparable {
    /// When the copy arrives, or leaves the byte-limited queue.
    var at: VirtualTime
    var id: UInt64
    var copy: Int
    /// Its index among the entries.
    var slot: Int

    static func < (lhs: Self, rhs: Self) -> Bool {
      if lhs.at != rhs.at { return lhs.at < rhs.at }
      if lhs.id != rhs.id { return lhs.id < rhs.id }
      return lhs.copy < rhs.copy
    }
  }

  /// The total length of the frames on the wire, in bytes.
  @usableFromInline private(set) var bytes = 0
  @usableFromInline var count: Int { keys.count }

  private var keys = PriorityQueue<Key>()
  /// The next due time; nil if no frame is in flight.
  @usableFromInline private(set) var nextAt: VirtualTime?
  private var entries: [Entry?] = []
  /// The indices of unused entries.
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

  /// The frames in the byte-limited queue that were sent since an outage, in order.
  func waiting(since outages: Int) -> [(at: VirtualTime, entry: Entry)] {
    var found: [(at: VirtualTime, entry: Entry)] = []
    for key in keys.elements.sorted() {
      if let entry = entries[key.slot], entry.isWaiting, entry.outages == outages { found.append((key.at, entry)) }
    }
    return found
  }

  /// Removes those frames.
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

  /// Removes and returns the first copy; the queue must not be empty.
  mutating func removeFirst() -> Entry {
    let slot = keys.removeFirst().slot
    nextAt = keys.first?.at
    free.append(slot)
    guard let entry = entries[slot].take() else { preconditionFailure("each key has its frame") }
    bytes -= entry.frame.wireBytes
    return entry
  }
}

extension FrameQueue: CustomReflectable {
  /// What is in flight, in its order, and not where it is stored: queues with the same frames look alike.
  @usableFromInline var customMirror: Mirror {
    let frames = keys.elements.sorted().map { (at: $0.at, entry: entries[$0.slot]) }
    return Mirror(self, children: ["frames": frames])
  }
}
