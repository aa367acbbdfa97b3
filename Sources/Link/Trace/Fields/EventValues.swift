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

/// A value that is one of a few words.
public protocol EventWord: EventValue, CaseIterable {
  /// The word in the trace.
  var text: String { get }
}

extension EventWord where Self: RawRepresentable, RawValue == String {
  public var text: String { rawValue }
}

extension EventWord {
  public init?(traceValue value: TraceValue) {
    guard case .string(let text) = value, let found = Self.allCases.first(where: { $0.text == text }) else {
      return nil
    }
    self = found
  }
  public var traceValue: TraceValue { .string(text) }
  public static var shape: EventFieldShape { .words(allCases.map(\.text)) }
}

extension NodeRole: EventWord {}

extension Channel: EventWord {
  /// Omits ``health``, which no line of a trace has.
  public static var shape: EventFieldShape { .words(allCases.filter { $0 != .health }.map(\.text)) }
}

extension Frame.Kind: EventWord {}

extension DropCause: EventValue {
  public init?(traceValue value: TraceValue) {
    guard case .string(let text) = value else { return nil }
    self.init(text)
  }
  public var traceValue: TraceValue { .string(text) }
  public static var shape: EventFieldShape { .text }
}

/// The first 8 bytes of a payload's digest, or the whole digest of a file; computed on first read.
public struct EventDigest: EventValue {
  /// The digest as a line has it.
  public let traceValue: TraceValue

  public init?(traceValue value: TraceValue) {
    switch value {
    case .hex, .digest, .string: traceValue = value
    default: return nil
    }
  }
  public static var shape: EventFieldShape { .digest }

  /// The first 8 bytes; nil for a malformed digest.
  public var bits: UInt64? { traceValue.digestBits }

  /// All zeros.
  public static let none = EventDigest(zero: ())

  private init(zero: ()) { traceValue = .hex(0) }

  /// The digest of a payload.
  public init(of payload: [UInt8]) { traceValue = .digest(of: payload) }

  /// A digest that begins with these 8 bytes.
  public init(bits: UInt64) { traceValue = .hex(bits) }

  /// The whole digest of a file.
  public init(file digest: [UInt8]) { traceValue = .string(Digest.text(digest)) }
}
