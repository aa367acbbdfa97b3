/// Reads the fields of an event in the order in which they usually stand.
///
/// A field that follows the one read before is found at once; any other is searched for, so the order
/// costs time and never a value.
public struct FieldCursor {
  @usableFromInline let fields: [TraceEvent.Field]
  @usableFromInline var index = 0

  /// Starts before the first field.
  @inlinable public init(_ event: TraceEvent) { fields = event.fields }

  /// Returns the value of a field; nil where the event has none.
  @inlinable @inline(__always)
  public mutating func value(_ key: String) -> TraceValue? {
    guard seek(key) else { return nil }
    return fields[index - 1].value
  }

  /// Steps over a field that is not wanted, so that the one behind it is found at once.
  @inlinable @inline(__always)
  public mutating func skip(_ key: String) {
    if index < fields.count, fields[index].key == key { index += 1 }
  }

  /// Steps past the field of a key; false where there is none.
  @inlinable @inline(__always)
  mutating func seek(_ key: String) -> Bool {
    // Nearly always the field sought is the next one; the search is kept apart, so that this is small enough to stand
    // where it is called, and the fields need not be retained for it.
    let place = index < fields.count && fields[index].key == key ? index : Self.place(of: key, in: fields, from: index)
    guard let place else { return false }
    index = place + 1
    return true
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

  /// Returns a whole number; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func integer(_ key: String) -> Int64? {
    guard seek(key), case .int(let value) = fields[index - 1].value else { return nil }
    return value
  }

  /// Returns a number; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func double(_ key: String) -> Double? {
    guard seek(key) else { return nil }
    if case .int(let value) = fields[index - 1].value { return Double(value) }
    return fields[index - 1].value.double
  }

  /// Whether the event has this text under a key.
  @inlinable @inline(__always)
  public mutating func says(_ key: String, _ text: String) -> Bool {
    guard seek(key), case .string(let value) = fields[index - 1].value else { return false }
    return value == text
  }

  /// Returns an identifier; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func identifier(_ key: String) -> Identifier? {
    guard case .uuid(let high, let low) = value(key) else { return nil }
    return Identifier(high: high, low: low)
  }

  /// Returns a text; nil where the event has none under this key.
  @inlinable @inline(__always)
  public mutating func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    if case .string(let text) = value { return text }
    return value.text
  }
}
