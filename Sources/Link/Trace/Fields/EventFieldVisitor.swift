/// Reads, writes or describes the fields of an event, each in turn.
public protocol EventFieldVisitor {
  /// A field that is always present.
  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String)
  /// A field that is left out when it has no value.
  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String)
  /// A field that is always present, and null when it has no value.
  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String)
  /// A number that is always present, rounded to `places` decimals, 0...7, when it is written.
  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String)
  /// A number that is left out when it has no value, rounded to `places` decimals, 0...7, when it is written.
  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String)
}

/// A type of values that a field of an event can have.
public protocol EventValue: Sendable, Equatable {
  /// Reads a value of a line; nil for one of another type.
  init?(traceValue value: TraceValue)
  /// The value as a line has it.
  var traceValue: TraceValue { get }
  /// The possible values.
  static var shape: EventFieldShape { get }
}

/// The set of values that a field can have.
public enum EventFieldShape: Sendable, Equatable {
  case integer, number, boolean, text, identifier, digest
  /// An array or an object.
  case json
  case anything
  /// One of these texts.
  case words([String])
}

/// The description of a field of an event.
public struct EventFieldDescription: Sendable, Equatable {
  /// The key.
  public let key: String
  /// Its possible values.
  public let shape: EventFieldShape
  /// Whether it is left out when it has no value.
  public let isOptional: Bool
  /// Whether it is null when it has no value.
  public let isNullable: Bool
  /// What it means, as Markdown: part of a sentence.
  public let about: String
}
