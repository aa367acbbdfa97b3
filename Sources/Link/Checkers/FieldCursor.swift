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
  @inlinable public mutating func value(_ key: String) -> TraceValue? {
    guard seek(key) else { return nil }
    return fields[index - 1].value
  }

  /// Steps past the field of a key; false where there is none.
  @inlinable mutating func seek(_ key: String) -> Bool {
    let length = key.utf8.count
    var place = index
    // Comparing lengths first spares most comparisons of text.
    while place < fields.count {
      if fields[place].key.utf8.count == length, fields[place].key == key {
        index = place + 1
        return true
      }
      place += 1
    }
    place = 0
    while place < index {
      if fields[place].key.utf8.count == length, fields[place].key == key {
        index = place + 1
        return true
      }
      place += 1
    }
    return false
  }

  /// Returns a whole number; nil where the event has none under this key.
  @inlinable public mutating func integer(_ key: String) -> Int64? {
    guard seek(key), case .int(let value) = fields[index - 1].value else { return nil }
    return value
  }

  /// Returns a number; nil where the event has none under this key.
  @inlinable public mutating func double(_ key: String) -> Double? {
    guard seek(key) else { return nil }
    if case .int(let value) = fields[index - 1].value { return Double(value) }
    return fields[index - 1].value.double
  }

  /// Returns an identifier; nil where the event has none under this key.
  @inlinable public mutating func identifier(_ key: String) -> Identifier? {
    guard case .uuid(let high, let low) = value(key) else { return nil }
    return Identifier(high: high, low: low)
  }

  /// Returns a text; nil where the event has none under this key.
  @inlinable public mutating func text(_ key: String) -> String? {
    guard let value = value(key) else { return nil }
    if case .string(let text) = value { return text }
    return value.text
  }
}
