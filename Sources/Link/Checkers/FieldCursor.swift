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
    if index < fields.count, fields[index].key == key {
      index += 1
      return fields[index - 1].value
    }
    for place in fields.indices where fields[place].key == key {
      index = place + 1
      return fields[place].value
    }
    return nil
  }

  /// Returns a whole number; nil where the event has none under this key.
  @inlinable public mutating func integer(_ key: String) -> Int64? {
    if index < fields.count, fields[index].key == key, case .int(let value) = fields[index].value {
      index += 1
      return value
    }
    return value(key)?.integer
  }

  /// Returns a number; nil where the event has none under this key.
  @inlinable public mutating func double(_ key: String) -> Double? {
    if index < fields.count, fields[index].key == key, case .int(let value) = fields[index].value {
      index += 1
      return Double(value)
    }
    return value(key)?.double
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
