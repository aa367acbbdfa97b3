/// An app's state as bytes under names: single values, and lists that grow at their end.
public struct KeyedRecord: Sendable, Equatable {
  /// The single values.
  public var values: [String: [UInt8]] = [:]
  /// The lists, in the order of their growth; an empty one is absent.
  public var lists: [String: [[UInt8]]] = [:]

  /// The record of a device that never started before.
  public init() {}

  /// Applies one change.
  public mutating func apply(_ change: KeyedChange) {
    switch change {
    case .set(let key, let bytes): values[key] = bytes
    case .append(let list, let bytes): lists[list, default: []].append(bytes)
    case .removeAll(let list): lists[list] = nil
    }
  }
}

/// One durable change of a ``KeyedRecord``.
public enum KeyedChange: Sendable, Equatable {
  /// Sets a single value; nil removes it.
  case set(key: String, [UInt8]?)
  /// Appends to a list.
  case append(list: String, [UInt8])
  /// Empties a list.
  case removeAll(list: String)
}
