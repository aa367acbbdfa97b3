/// Reads the fields of an event in the order in which they usually stand.
///
/// A field that follows the one read before is found at once; any other is searched for, so the order
/// costs time and never a value.
public struct FieldCursor {
  @usableFromInline let fields: [TraceEvent.Field]
  /// Where the next field is looked for first; of a type that cannot be below 0, which spares asking.
  @usableFromInline var index: UInt32 = 0

  /// Starts before the first field.
  @inlinable @inline(__always) public init(_ event: TraceEvent) { fields = event.fields }

  /// Whether the next field is the one of this key, as its bits tell; false says nothing.
  ///
  /// Nearly always so. The comparison of texts is kept for the search, so that no call stands where a field is read.
  @inlinable @inline(__always)
  func isNext(_ key: String) -> Bool {
    Int(index) < fields.count && fields[Int(index)].key.isIdentical(to: key)
  }

  /// Steps past the field of a key that is not the next one; its place, nil where there is none.
  @inlinable @inline(__always)
  mutating func seek(_ key: String) -> Int? {
    guard let place = Self.place(of: key, in: fields, from: Int(index)) else { return nil }
    index = UInt32(truncatingIfNeeded: place &+ 1)
    return place
  }

  /// Where the field of a key stands, from a place on and then from the first one; nil where there is none.
  @inlinable @inline(never)
  static func place(of key: String, in fields: [TraceEvent.Field], from first: Int) -> Int? {
    let length = key.utf8.count
    // Comparing lengths first spares most comparisons of text.
    for place in first..<fields.count where fields[place].key.utf8.count == length && fields[place].key == key {
      return place
    }
    for place in 0..<first where fields[place].key.utf8.count == length && fields[place].key == key { return place }
    return nil
  }

  /// Returns the value of a field; nil where the event has none.
  @inlinable @inline(__always)
  public mutating func value(_ key: String) -> TraceValue? {
    if isNext(key) {
      index &+= 1
      return fields[Int(index &- 1)].value
    }
    return seek(key).map { fields[$0].value }
  }

  /// Steps over a field that is not wanted, so that the one behind it is found at once.
  @inlinable @inline(__always)
  public mutating func skip(_ key: String) {
    if isNext(key) || Self.stands(key, in: fields, at: Int(index)) { index &+= 1 }
  }

  @inlinable @inline(never)
  static func stands(_ key: String, in fields: [TraceEvent.Field], at place: Int) -> Bool {
    place < fields.count && fields[place].key == key
  }

  /// Returns a whole number; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func integer(_ key: String) -> Int64? {
    if isNext(key) {
      let place = Int(index)
      index &+= 1
      guard case .int(let value) = fields[place].value else { return nil }
      return value
    }
    guard let place = seek(key), case .int(let value) = fields[place].value else { return nil }
    return value
  }

  /// Returns a number; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func double(_ key: String) -> Double? {
    if isNext(key) {
      let place = Int(index)
      index &+= 1
      if case .int(let value) = fields[place].value { return Double(value) }
      return fields[place].value.double
    }
    return seek(key).flatMap { fields[$0].value.double }
  }

  /// Whether the event has this text under a key.
  @inlinable @inline(__always)
  public mutating func says(_ key: String, _ text: String) -> Bool {
    if isNext(key) {
      let place = Int(index)
      index &+= 1
      guard case .string(let value) = fields[place].value else { return false }
      return value.isIdentical(to: text) || value == text
    }
    guard let place = seek(key), case .string(let value) = fields[place].value else { return false }
    return value == text
  }

  /// Whether the next field is the one of this key and has this text, as their bits tell; false says nothing.
  ///
  /// Steps past nothing.
  @inlinable @inline(__always)
  public func isIdentical(_ key: String, to text: String) -> Bool {
    guard isNext(key), case .string(let value) = fields[Int(index)].value else { return false }
    return value.isIdentical(to: text)
  }

  /// Returns an identifier; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func identifier(_ key: String) -> Identifier? {
    if isNext(key) {
      let place = Int(index)
      index &+= 1
      guard case .uuid(let high, let low) = fields[place].value else { return nil }
      return Identifier(high: high, low: low)
    }
    guard let place = seek(key), case .uuid(let high, let low) = fields[place].value else { return nil }
    return Identifier(high: high, low: low)
  }

  /// Returns the mark of a digest, taken where it stands; nil where the event has none under this key.
  @inline(__always)
  mutating func mark(_ key: String) -> PayloadMark? {
    if isNext(key) {
      index &+= 1
      return PayloadMark(fields[Int(index &- 1)].value)
    }
    return seek(key).flatMap { PayloadMark(fields[$0].value) }
  }

  /// Returns a text; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    if case .string(let text) = value { return text }
    return value.text
  }
}

extension String {
  /// Whether two texts are the same bits: then they are equal; false says nothing.
  ///
  /// True of most texts that are equal: those of up to 15 bytes, and those that come from one literal. It takes two
  /// comparisons of words, and no call.
  @inlinable @inline(__always)
  public func isIdentical(to other: String) -> Bool {
    unsafe unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}
