/// An element with a number in a queue.
protocol Numbered {
  /// Its number.
  var seq: SequenceNumber { get }
}

/// Elements in the order of their numbers, mostly removed at the beginning and added at the end.
///
/// The cost of adding, finding and removing does not depend on the length: removing near the beginning moves only the
/// elements before it.
struct NumberedQueue<Element: Numbered & Sendable & Equatable>: Sendable, Equatable {
  private var storage: [Element]
  /// The number of free slots at the beginning of the storage, whose elements were removed.
  private var head = 0

  /// Creates a queue of elements, which must be in order.
  init(_ elements: [Element] = []) { storage = elements }

  var count: Int { storage.count - head }
  var isEmpty: Bool { storage.count == head }
  var first: Element? { isEmpty ? nil : storage[head] }
  /// The elements, in order.
  var elements: ArraySlice<Element> { storage[head...] }

  /// The element at an index from 0.
  subscript(index: Int) -> Element {
    _read { yield storage[head + index] }
    _modify { yield &storage[head + index] }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }

  /// The index of the first element whose number is at least this one; ``count`` if there is none.
  func lowerBound(of seq: SequenceNumber) -> Int {
    var low = head
    var high = storage.count
    // The first element is by far the most frequent.
    if low < high, storage[low].seq >= seq { return 0 }
    while low < high {
      let middle = (low + high) / 2
      if storage[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low - head
  }

  /// The index of the element with this number; nil if there is none.
  func index(of seq: SequenceNumber) -> Int? {
    let index = lowerBound(of: seq)
    return index < count && storage[head + index].seq == seq ? index : nil
  }

  /// The elements from a number on, at most `limit`.
  func page(from seq: SequenceNumber, limit: Int) -> [Element] {
    Array(elements.dropFirst(lowerBound(of: seq)).prefix(limit))
  }

  /// Adds an element at the end.
  mutating func append(_ element: Element) {
    precondition(isEmpty || storage[storage.count - 1].seq < element.seq, "\(element.seq.rawValue) is out of order")
    storage.append(element)
  }

  /// Inserts an element in order; returns false if its number exists.
  mutating func insert(_ element: Element) -> Bool {
    let index = lowerBound(of: element.seq)
    guard index == count || storage[head + index].seq != element.seq else { return false }
    storage.insert(element, at: head + index)
    return true
  }

  /// Removes the element at an index from 0.
  mutating func remove(at index: Int) {
    var slot = head + index
    while slot > head {
      storage.swapAt(slot, slot - 1)
      slot -= 1
    }
    removeFirst(1)
  }

  /// Removes the first `count` elements.
  mutating func removeFirst(_ count: Int) {
    head += count
    precondition(head <= storage.count, "the queue has that many elements")
    // Moves the elements once the free slots outnumber them, so each element moves a bounded number of times.
    guard head >= 32, head * 2 >= storage.count else {
      if head == storage.count { removeAll() }
      return
    }
    storage.removeFirst(head)
    head = 0
  }

  private mutating func removeAll() {
    storage.removeAll(keepingCapacity: storage.capacity <= 256)
    head = 0
  }
}

extension QueueEntry: Numbered {}
