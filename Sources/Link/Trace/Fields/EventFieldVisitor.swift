/// Reads, writes or describes the fields of a record, each in turn: of an event, or of a message between the apps.
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
  /// Bytes, which no line of a trace has.
  mutating func data(_ key: String, _ value: inout [UInt8], _ about: String)
  /// A record as a field, which is left out when it has no value.
  mutating func nested<Value: EventValue & FieldRecord>(_ key: String, _ value: inout Value?, _ about: String)
  /// Refuses the value of a field; only readers of untrusted values do.
  mutating func refuse(_ key: String, found: @autoclosure () -> String, expected: @autoclosure () -> String)
}

extension EventFieldVisitor {
  public mutating func data(_ key: String, _ value: inout [UInt8], _ about: String) {}

  public mutating func nested<Value: EventValue & FieldRecord>(_ key: String, _ value: inout Value?, _ about: String) {
    field(key, &value, about)
  }

  public mutating func refuse(
    _ key: String, found: @autoclosure () -> String, expected: @autoclosure () -> String
  ) {}

  /// A whole number within bounds.
  public mutating func field<Value: EventValue & BinaryInteger>(
    _ key: String, _ value: inout Value, in bounds: ClosedRange<Value>, _ about: String
  ) {
    field(key, &value, about)
    check(key, value, bounds)
  }

  /// A whole number within bounds, which is left out when it has no value.
  public mutating func field<Value: EventValue & BinaryInteger>(
    _ key: String, _ value: inout Value?, in bounds: ClosedRange<Value>, _ about: String
  ) {
    field(key, &value, about)
    if let value { check(key, value, bounds) }
  }

  /// A number within bounds.
  public mutating func number(
    _ key: String, _ value: inout Double, in bounds: ClosedRange<Double>, places: UInt8, _ about: String
  ) {
    number(key, &value, places: places, about)
    check(key, value, bounds)
  }

  /// A number within bounds, which is left out when it has no value.
  public mutating func number(
    _ key: String, _ value: inout Double?, in bounds: ClosedRange<Double>, places: UInt8, _ about: String
  ) {
    number(key, &value, places: places, about)
    if let value { check(key, value, bounds) }
  }

  /// Nanoseconds of a node's clock, within 146 years of 1970 either way.
  public mutating func time<Node>(_ key: String, _ value: inout NodeTime<Node>, _ about: String) {
    field(key, &value.nanoseconds, in: -(1 << 62)...(1 << 62), about)
  }

  /// Refuses a value out of bounds; NaN is in none.
  private mutating func check<Value: Comparable>(_ key: String, _ value: Value, _ bounds: ClosedRange<Value>) {
    if !bounds.contains(value) {
      refuse(key, found: "\(value)", expected: "\(bounds.lowerBound) to \(bounds.upperBound)")
    }
  }
}

/// What lists its fields once, for everything that reads, writes or describes them.
public protocol FieldRecord: Sendable, Equatable {
  /// Creates a record with placeholder fields.
  init()

  /// Visits the fields in the order in which they are written.
  ///
  /// Mutating, so that one list serves readers and writers; only a reader changes the fields.
  mutating func visit(_ fields: inout some EventFieldVisitor)
}

extension FieldRecord {
  /// The fields in the form that a line of the trace has, in order.
  public var fields: [TraceEvent.Field] {
    var writer = EventFieldWriter()
    var record = self
    record.visit(&writer)
    return writer.fields
  }

  /// The descriptions of the fields, in order.
  public static var fieldDescriptions: [EventFieldDescription] {
    var describer = EventFieldDescriber()
    var record = Self()
    record.visit(&describer)
    return describer.descriptions
  }

  /// Reads the fields of a line; nil unless every required field is present with a value of its type.
  ///
  /// Accepts any order of keys, and ignores unknown keys.
  public init?(_ fields: [TraceEvent.Field]) {
    self.init()
    guard read(fields) else { return nil }
  }

  /// Reads the fields of a line into a new record; false unless every required field is present with a value of its type.
  mutating func read(_ fields: [TraceEvent.Field]) -> Bool {
    var ordered = EventFieldReader(fields, isOrdered: true)
    visit(&ordered)
    if ordered.isExact { return true }
    self = Self()
    var searching = EventFieldReader(fields, isOrdered: false)
    visit(&searching)
    return searching.fits
  }
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
