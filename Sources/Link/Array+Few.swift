extension Array {
  /// Removes all elements and keeps the capacity; fast for a few elements.
  ///
  /// `removeAll(keepingCapacity:)` costs as much for one element as for a dozen, and lists that are filled and emptied
  /// at every step of a run usually have one.
  @inlinable @inline(__always)
  package mutating func removeFew() {
    while !isEmpty { removeLast() }
  }

  /// Moves an element out and leaves `filler` at its index.
  ///
  /// For a list whose elements are each used once, in order: reading an element instead would copy it and retain its
  /// references.
  @inlinable @inline(__always)
  package mutating func moveOut(_ index: Int, leaving filler: Element) -> Element {
    var element = filler
    swap(&self[index], &element)
    return element
  }
}
