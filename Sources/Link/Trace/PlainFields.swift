/// Overwrites field values without references by others without references, under the same keys.
///
/// A text of at most 15 bytes is stored inline, so nothing has to be released.
@safe public struct PlainFields {
  @usableFromInline let fields: UnsafeMutableBufferPointer<TraceEvent.Field>
  @usableFromInline var index: Int

  /// Overwrites fields of a list, from one on; all of them must be without references, and be written or skipped.
  ///
  /// - Returns: The index after the last one.
  @inlinable @inline(__always)
  @discardableResult
  public static func overwrite(
    _ fields: inout [TraceEvent.Field], from first: Int, _ body: (inout PlainFields) -> Void
  ) -> Int {
    unsafe fields.withUnsafeMutableBufferPointer { buffer in
      var fields = unsafe PlainFields(buffer, from: first)
      body(&fields)
      return fields.index
    }
  }

  /// Whether two keys have the same representation, so that they are certainly equal; false is inconclusive.
  @inlinable @inline(__always)
  static func isSameRepresentation(_ key: String, _ other: String) -> Bool {
    unsafe unsafeBitCast(key, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }

  /// Begins at a field of a uniquely referenced list.
  @inlinable @inline(__always)
  init(_ fields: UnsafeMutableBufferPointer<TraceEvent.Field>, from first: Int) {
    unsafe self.fields = fields
    index = first
  }

  /// Leaves a field unchanged.
  @inlinable @inline(__always) public mutating func skip() { index &+= 1 }

  @inlinable @inline(__always)
  mutating func write(_ key: String, _ value: TraceValue) {
    precondition(unsafe index < fields.count, "more fields than the line has")
    // The previous line has the same key here; debug builds check it.
    assert(unsafe fields[index].key == key, "the key differs")
    unsafe withUnsafeMutablePointer(to: &fields[index].value) { unsafe $0.initialize(to: value) }
    index &+= 1
  }

  /// Writes a whole number.
  @inlinable @inline(__always)
  public mutating func write(_ key: String, integer: Int64) { write(key, .int(integer)) }

  /// Writes a number as ``TraceValue/rounded(_:places:)``.
  @inlinable @inline(__always)
  public mutating func write(_ key: String, rounded number: Double, places: UInt8) {
    assert(TraceValue.number(number, places: Int(places)).double == number, "a number was not rounded before")
    write(key, .rounded(number, places: places))
  }

  /// Writes an identifier.
  @inlinable @inline(__always)
  public mutating func write(_ key: String, identifier: Identifier) { write(key, identifier.traceValue) }

  /// Writes a text: a literal of at most 15 bytes.
  @inlinable @inline(__always)
  public mutating func write(_ key: String, name: String) {
    precondition(name.utf8.count <= 15, "a longer text may hold a reference")
    write(key, .string(name))
  }
}
