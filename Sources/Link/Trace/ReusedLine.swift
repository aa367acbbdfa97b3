/// A line of a kind that is written again and again, each time in the place of the one before.
///
/// The line of a snapshot has a dozen fields and comes every second of a run. Their keys are nearly always the same, so
/// only the values are set, and no list of fields is made and forgotten. Whoever still holds the line of before keeps
/// it as it was.
public struct ReusedLine: Sendable, Equatable {
  @usableFromInline var event: TraceEvent
  /// How many fields of the line that is being written are set.
  @usableFromInline var count = 0
  /// What ``overwrite(shape:count:_:)`` knows the fields of the line of before by; 0 where it knows nothing.
  @usableFromInline var shape: UInt32 = 0

  /// Creates the lines of a name.
  public init(_ name: TraceEvent.Name) { event = TraceEvent(name, at: .start, on: .runner) }

  /// Begins a line: the fields are set after this, in the order of the trace.
  public mutating func begin(at time: VirtualTime, on place: TraceEvent.Place) {
    event.time = time
    event.place = place
    count = 0
  }

  /// Sets the next fields by writing them over those of the line of before, as they are.
  ///
  /// Of two lines with one shape, not 0, these fields have the same keys and values that hold no reference: so nothing
  /// of the line of before is looked at or let go. It is for the lines that come every second.
  ///
  /// - Parameters:
  ///   - shape: Tells which fields there are; 0 for a line that is written by ``put(_:_:)`` alone.
  ///   - fieldCount: How many fields `body` sets.
  ///   - more: How many fields are put after them; those may hold what they like.
  ///   - body: Sets the fields.
  /// - Returns: False where the line of before had another shape: nothing was set then, the fields are to be put, and
  ///   the next line of this shape is written over this one.
  @inlinable @inline(__always)
  public mutating func overwrite(
    shape: UInt32, count fieldCount: Int, more: Int = 0, _ body: (inout PlainFields) -> Void
  ) -> Bool {
    let first = count
    guard shape != 0, shape == self.shape, event.fields.count == first + fieldCount + more else {
      self.shape = shape
      return false
    }
    unsafe event.fields.withUnsafeMutableBufferPointer { buffer in
      var fields = unsafe PlainFields(buffer, from: first)
      body(&fields)
      precondition(fields.index == first + fieldCount, "a line of a shape has all of its fields")
    }
    count = first + fieldCount
    return true
  }

  /// Sets the next field.
  @inlinable @inline(__always)
  public mutating func put(_ key: String, _ value: TraceValue) {
    if count < event.fields.count, event.fields[count].key.isIdentical(to: key) {
      event.fields[count].value = value
    } else {
      putAnew(key, value)
    }
    count &+= 1
  }

  /// Sets a field that the line of before had not in this place.
  @inline(never)
  @usableFromInline mutating func putAnew(_ key: String, _ value: TraceValue) {
    event.fields.removeSubrange(min(count, event.fields.count)...)
    event.fields.append(.init(key, value))
  }

  /// Ends the line and returns it.
  public mutating func end() -> TraceEvent {
    if count < event.fields.count { event.fields.removeSubrange(count...) }
    return event
  }

  /// True: what stood in the line of before is no part of what they are.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }
}

extension String {
  /// Whether two texts are the same bits: then they are equal; false says nothing.
  @inlinable @inline(__always)
  func isIdentical(to other: String) -> Bool {
    unsafe unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}
