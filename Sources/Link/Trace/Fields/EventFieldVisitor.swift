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

/// Reads the fields of a line into an event.
///
/// An ordered reader expects the documented order and finds each field without a search; any other reader searches.
struct EventFieldReader: EventFieldVisitor {
  private let fields: [TraceEvent.Field]
  private let isOrdered: Bool
  /// Where the next field is, in order.
  private var index = 0
  /// Whether every required field was present, and every field had a value of its type.
  private(set) var fits = true

  @inline(__always)
  init(_ fields: [TraceEvent.Field], isOrdered: Bool) {
    self.fields = fields
    self.isOrdered = isOrdered
  }

  /// Whether everything fits and the line has no other fields.
  var isExact: Bool { fits && index == fields.count }

  @inline(__always)
  private mutating func find(_ key: String) -> Int? {
    let next = index
    if next < fields.count, fields[next].key == key {
      index = next + 1
      return next
    }
    return isOrdered ? nil : search(key)
  }

  @inline(never)
  private func search(_ key: String) -> Int? { fields.firstIndex { $0.key == key } }

  @inline(__always)
  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    guard let place = find(key), let found = Value(traceValue: fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    guard let place = find(key) else { return }
    guard let found = Value(traceValue: fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    guard let place = find(key) else {
      fits = false
      return
    }
    if case .null = fields[place].value { return }
    guard let found = Value(traceValue: fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    guard let place = find(key), let found = Self.number(fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    guard let place = find(key) else { return }
    guard let found = Self.number(fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  /// A number that can be written again; nil for anything else.
  @inline(__always)
  private static func number(_ value: TraceValue) -> Double? {
    guard let number = value.double, number.magnitude < EventFieldWriter.magnitudeMax else { return nil }
    return number
  }

  mutating func refuse(_ key: String, found: @autoclosure () -> String, expected: @autoclosure () -> String) {
    fits = false
  }
}

/// Collects the fields of an event in the form that a line has.
struct EventFieldWriter: EventFieldVisitor {
  /// The fields so far.
  private(set) var fields: [TraceEvent.Field] = []

  /// The exclusive limit of the magnitude of numbers with decimals.
  static let magnitudeMax = 1e12

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    fields.append(.init(key, value.traceValue))
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if let value { fields.append(.init(key, value.traceValue)) }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    fields.append(.init(key, value?.traceValue ?? .null))
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    fields.append(.init(key, Self.number(value, places: places)))
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if let value { fields.append(.init(key, Self.number(value, places: places))) }
  }

  /// Rounds a number, which must be below ``magnitudeMax`` in magnitude.
  static func number(_ value: Double, places: UInt8) -> TraceValue {
    precondition(value.magnitude < magnitudeMax, "a number of an event is below \(magnitudeMax)")
    guard places > 6 else { return .number(value, places: Int(places)) }
    return .fixed(Int64((value * 1e7).rounded()), places: 7)
  }
}

/// Collects descriptions of the fields of an event.
struct EventFieldDescriber: EventFieldVisitor {
  /// The descriptions so far.
  private(set) var descriptions: [EventFieldDescription] = []

  private mutating func add(
    _ key: String, _ shape: EventFieldShape, isOptional: Bool = false, isNullable: Bool = false, _ about: String
  ) {
    descriptions.append(
      .init(key: key, shape: shape, isOptional: isOptional, isNullable: isNullable, about: about))
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    add(key, Value.shape, about)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    add(key, Value.shape, isOptional: true, about)
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    add(key, Value.shape, isNullable: true, about)
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    add(key, .number, about)
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    add(key, .number, isOptional: true, about)
  }
}

/// Finds one field of an event, and converts no other into the form that a line has.
struct EventFieldFinder: EventFieldVisitor {
  private let key: String
  /// The value of the field; nil if the event has no such field.
  private(set) var value: TraceValue?

  init(_ key: String) { self.key = key }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    if key == self.key { self.value = value.traceValue }
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if key == self.key { self.value = value?.traceValue }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if key == self.key { self.value = value?.traceValue ?? .null }
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    if key == self.key { self.value = EventFieldWriter.number(value, places: places) }
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if key == self.key { self.value = value.map { EventFieldWriter.number($0, places: places) } }
  }
}
