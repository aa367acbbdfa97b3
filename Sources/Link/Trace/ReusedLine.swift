/// A line that is written repeatedly, each time over the previous one.
///
/// The line of a snapshot has a dozen fields and is written every second of a run, nearly always with the same keys. So
/// only the values are set, and no list of fields is allocated. Existing copies of the previous line do not change.
public struct ReusedLine: Sendable, Equatable {
  @usableFromInline var event: TraceEvent
  /// The number of fields set so far in the current line.
  @usableFromInline var count = 0
  /// The shape of the previous line, for ``overwrite(shape:count:_:)``; 0 if unknown.
  @usableFromInline var shape: UInt32 = 0

  /// Creates a reusable line with a name.
  public init(_ name: TraceEvent.Name) { event = TraceEvent(name, at: .start, on: .runner) }

  /// Begins a line; its fields must be set next, in the order of the trace.
  public mutating func begin(at time: VirtualTime, on place: TraceEvent.Place) {
    event.time = time
    event.place = place
    count = 0
  }

  /// Sets the next fields by overwriting those of the previous line in place.
  ///
  /// In two lines of the same nonzero shape these fields have the same keys, and values without references. So nothing
  /// of the previous line is read or released. For lines that are written every second.
  ///
  /// - Parameters:
  ///   - shape: Identifies the set of fields; 0 for a line that is written only with ``put(_:_:)``.
  ///   - fieldCount: How many fields `body` sets.
  ///   - more: How many fields ``put(_:_:)`` adds after them, with any values.
  ///   - body: Sets the fields.
  /// - Returns: False if the previous line had another shape: nothing is set, the caller must put the fields, and the
  ///   next line of this shape can overwrite this one.
  @inlinable @inline(__always)
  public mutating func overwrite(
    shape: UInt32, count fieldCount: Int, more: Int = 0, _ body: (inout PlainFields) -> Void
  ) -> Bool {
    let first = count
    guard shape != 0, shape == self.shape, event.fields.count == first + fieldCount + more else {
      self.shape = shape
      return false
    }
    let end = PlainFields.overwrite(&event.fields, from: first, body)
    precondition(end == first + fieldCount, "a line of a shape has all of its fields")
    count = first + fieldCount
    return true
  }

  /// Sets the next field.
  @inlinable @inline(__always)
  public mutating func put(_ key: String, _ value: TraceValue) {
    if count < event.fields.count, PlainFields.isSameRepresentation(event.fields[count].key, key) {
      event.fields[count].value = value
    } else {
      putAnew(key, value)
    }
    count &+= 1
  }

  /// Sets a field that the previous line lacked here.
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

  /// Always equal: the cached line is not part of identity.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }
}
