extension Int64: EventValue {
  @inlinable public init?(traceValue value: TraceValue) {
    guard let integer = value.integer else { return nil }
    self = integer
  }
  public var traceValue: TraceValue { .int(self) }
  public static var shape: EventFieldShape { .integer }
}

extension Int: EventValue {
  public init?(traceValue value: TraceValue) {
    guard let integer = value.integer else { return nil }
    self = Int(integer)
  }
  public var traceValue: TraceValue { .int(Int64(self)) }
  public static var shape: EventFieldShape { .integer }
}

extension Bool: EventValue {
  @inlinable public init?(traceValue value: TraceValue) {
    guard let boolean = value.boolean else { return nil }
    self = boolean
  }
  public var traceValue: TraceValue { .bool(self) }
  public static var shape: EventFieldShape { .boolean }
}

extension String: EventValue {
  /// Also accepts text that happens to look like a digest or a UUID.
  @inlinable public init?(traceValue value: TraceValue) {
    if case .string(let text) = value {
      self = text
    } else if let text = value.text {
      self = text
    } else {
      return nil
    }
  }
  public var traceValue: TraceValue { .string(self) }
  public static var shape: EventFieldShape { .text }
}

extension Identifier: EventValue {
  @inlinable public init?(traceValue value: TraceValue) {
    guard case .uuid(let high, let low) = value else { return nil }
    self.init(high: high, low: low)
  }
  public static var shape: EventFieldShape { .identifier }

  /// The identifier of all zeros.
  public static let none = Identifier(high: 0, low: 0)
}

extension TraceValue: EventValue {
  public init?(traceValue value: TraceValue) { self = value }
  public var traceValue: TraceValue { self }
  public static var shape: EventFieldShape { .anything }
}

/// An array or an object, as canonical JSON text.
public struct JSONText: EventValue {
  /// The text.
  public var text: String

  /// Wraps a text that must be JSON.
  public init(_ text: String) { self.text = text }

  public init?(traceValue value: TraceValue) {
    guard case .json(let text) = value else { return nil }
    self.text = text
  }
  public var traceValue: TraceValue { .json(text) }
  public static var shape: EventFieldShape { .json }

  /// An empty array.
  public static let none = JSONText("[]")
}

/// A value or null, in a field that may also be left out.
public struct Nullable<Value: EventValue>: EventValue {
  /// The value; nil for null.
  public var value: Value?

  /// Wraps a value.
  public init(_ value: Value?) { self.value = value }

  public init?(traceValue value: TraceValue) {
    guard value != .null else {
      self.value = nil
      return
    }
    guard let found = Value(traceValue: value) else { return nil }
    self.value = found
  }
  public var traceValue: TraceValue { value?.traceValue ?? .null }
  public static var shape: EventFieldShape { Value.shape }
}
