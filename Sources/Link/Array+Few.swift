extension Array {
  /// Empties the list and keeps its room: for one that never holds more than a few elements.
  ///
  /// `removeAll(keepingCapacity:)` does the same, and costs as much for one element as it does for a dozen; lists that
  /// are filled and emptied at every step of a run have one.
  @inlinable @inline(__always)
  public mutating func removeFew() {
    while !isEmpty { removeLast() }
  }
}
