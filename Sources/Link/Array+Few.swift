extension Array {
  /// Empties the list and keeps its room: for one that never holds more than a few elements.
  ///
  /// `removeAll(keepingCapacity:)` does the same, and costs as much for one element as it does for a dozen; lists that
  /// are filled and emptied at every step of a run have one.
  @inlinable @inline(__always)
  public mutating func removeFew() {
    while !isEmpty { removeLast() }
  }

  /// Moves an element out and leaves another in its place: for a list whose elements are each used once, in order.
  ///
  /// What is read instead is copied, and every reference in it counted.
  @inlinable @inline(__always)
  public mutating func take(_ index: Int, leaving filler: Element) -> Element {
    precondition(indices.contains(index), "an element that is there")
    return unsafe withUnsafeMutableBufferPointer { buffer in
      let element = unsafe buffer.moveElement(from: index)
      unsafe buffer.initializeElement(at: index, to: filler)
      return element
    }
  }
}
