/// Something that has a place in a queue.
protocol Numbered {
  /// Its place.
  var seq: SequenceNumber { get }
}

/// Elements in the order of their numbers, taken mostly at the beginning and added mostly at the end.
///
/// Adding, finding and taking cost no more when the queue is long: what is taken from near the beginning moves
/// only what stands before it.
struct NumberedQueue<Element: Numbered & Sendable & Equatable>: Sendable, Equatable {
  private var storage: [Element]
  /// How many places at the beginning of the storage are free: what stands there was taken.
  private var head = 0

  /// Creates a queue of elements that are in order.
  init(_ elements: [Element] = []) { storage = elements }

  var count: Int { storage.count - head }
  var isEmpty: Bool { storage.count == head }
  var first: Element? { isEmpty ? nil : storage[head] }
  var last: Element? { isEmpty ? nil : storage[storage.count - 1] }
  /// The elements, in order.
  var elements: ArraySlice<Element> { storage[head...] }

  /// The element at a place counted from 0.
  subscript(index: Int) -> Element {
    _read { yield storage[head + index] }
    _modify { yield &storage[head + index] }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }

  /// The place of the first element whose number is not below this one; ``count`` where there is none.
  func place(of seq: SequenceNumber) -> Int {
    var low = head
    var high = storage.count
    // What is looked for is nearly always the first.
    if low < high, storage[low].seq >= seq { return 0 }
    while low < high {
      let middle = (low + high) / 2
      if storage[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low - head
  }

  /// The place of the element of this number; nil where there is none.
  func index(of seq: SequenceNumber) -> Int? {
    let place = place(of: seq)
    return place < count && storage[head + place].seq == seq ? place : nil
  }

  /// The elements from a number on, at most so many.
  func page(from seq: SequenceNumber, limit: Int) -> [Element] {
    Array(elements.dropFirst(place(of: seq)).prefix(limit))
  }

  /// Adds an element behind all others.
  mutating func append(_ element: Element) {
    precondition(isEmpty || storage[storage.count - 1].seq < element.seq, "\(element.seq.rawValue) is out of order")
    storage.append(element)
  }

  /// Adds an element at its place; false where its number is taken.
  mutating func insert(_ element: Element) -> Bool {
    let place = place(of: element.seq)
    guard place == count || storage[head + place].seq != element.seq else { return false }
    storage.insert(element, at: head + place)
    return true
  }

  /// Takes the element at a place counted from 0.
  mutating func remove(at index: Int) {
    var place = head + index
    while place > head {
      storage.swapAt(place, place - 1)
      place -= 1
    }
    removeFirst(1)
  }

  /// Takes so many from the beginning.
  mutating func removeFirst(_ count: Int) {
    head += count
    precondition(head <= storage.count, "more taken than there are")
    // Each element is moved at most once for each time that as many were taken.
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

extension OutboxEntry: Numbered {}
extension InboxEntry: Numbered {}
