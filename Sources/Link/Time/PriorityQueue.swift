/// A binary heap: the smallest element first.
struct PriorityQueue<Element: Comparable & Sendable>: Sendable {
  private var heap: [Element] = []

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }
  /// All elements, in no particular order.
  var elements: [Element] { heap }
  /// The smallest element, or nil.
  var first: Element? { heap.first }

  mutating func insert(_ element: Element) {
    heap.append(element)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the smallest element; the queue must not be empty.
  mutating func removeFirst() -> Element {
    precondition(!heap.isEmpty, "the queue is not empty")
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in 2 * parent + 1..<2 * parent + 3 where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
