import Link

/// Collects the fields of a message as the entries of its payload.
struct PayloadWriter: EventFieldVisitor {
  private(set) var entries: [PropertyListEntry]

  /// Begins with an app's `kind` and `v`, or with what comes before the fields.
  init(_ entries: [PropertyListEntry] = []) { self.entries = entries }

  /// The entries as a binary property list.
  var bytes: [UInt8] {
    do { return try PropertyListWriter.bytes(of: .dictionary(entries)) } catch {
      preconditionFailure("keys of a message are unique, and its dictionaries few: \(error)")
    }
  }

  private mutating func put(_ key: String, _ value: TraceValue) {
    switch value {
    case .int(let number): entries.append(.init(key, .integer(number)))
    default: entries.append(.init(key, .string(value.text ?? "")))
    }
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    put(key, value.traceValue)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if let value { put(key, value.traceValue) }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    field(key, &value, about)
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    entries.append(.init(key, .real(value)))
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if let value { entries.append(.init(key, .real(value))) }
  }

  mutating func data(_ key: String, _ value: inout [UInt8], _ about: String) {
    entries.append(.init(key, .data(value)))
  }

  mutating func nested<Value: EventValue & FieldRecord>(_ key: String, _ value: inout Value?, _ about: String) {
    guard var record = value else { return }
    var writer = PayloadWriter()
    record.visit(&writer)
    entries.append(.init(key, .dictionary(writer.entries)))
  }
}

/// What is wrong with a field of a payload.
enum PayloadFault: Error {
  /// A required field is missing.
  case missing(key: String)
  case wrong(key: String, found: String, expected: String)
}

/// Reads the fields of an untrusted payload, in any order; what is wrong first is reported.
struct PayloadReader: EventFieldVisitor {
  private let entries: [PropertyListEntry]
  /// The first fault.
  private(set) var fault: PayloadFault?
  /// The index of the entry to compare first: fields usually have the documented order.
  private var next = 0

  /// - Throws: For bytes that are no dictionary of a property list.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let value = try PropertyListReader.read(bytes)
    guard case .dictionary(let entries) = value else {
      // Values begin behind a header of 8 bytes.
      throw PropertyListError(at: 8, found: value.kind, expected: "a dictionary")
    }
    self.entries = entries
  }

  /// Reads a record.
  ///
  /// - Throws: The first fault.
  mutating func read<Record: FieldRecord>(_: Record.Type) throws(PayloadFault) -> Record {
    var record = Record()
    record.visit(&self)
    if let fault { throw fault }
    return record
  }

  /// The value of a key; nil if it is absent.
  mutating func value(_ key: String) -> PropertyListValue? {
    let place = next < entries.count && entries[next].key == key ? next : entries.firstIndex { $0.key == key }
    guard let place else { return nil }
    next = place + 1
    return entries[place].value
  }

  private mutating func read<Value>(
    _ key: String, _ expected: String, _ convert: (PropertyListValue) -> Value?
  ) -> Value? {
    guard fault == nil, let value = value(key) else { return nil }
    guard let read = convert(value) else {
      refuse(key, found: value.kind, expected: expected)
      return nil
    }
    return read
  }

  private mutating func require<Value>(_ key: String, _ read: Value?, _ value: inout Value) {
    if let read { value = read } else if fault == nil { fault = .missing(key: key) }
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    var read: Value?
    field(key, &read, about)
    require(key, read, &value)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    let found: TraceValue? =
      switch Value.shape {
      case .integer: read(key, "an integer", \.integer).map { .int($0) }
      case .identifier: read(key, "an identifier") { $0.text.flatMap { Identifier(text: $0) } }?.traceValue
      default: read(key, "a string", \.text).map { .string($0) }
      }
    value = found.flatMap { Value(traceValue: $0) }
    if value == nil, case .string(let text)? = found, case .words(let words) = Value.shape {
      refuse(key, found: "\"\(text)\"", expected: words.joined(separator: ", "))
    }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    field(key, &value, about)
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    var read: Double?
    number(key, &read, places: places, about)
    require(key, read, &value)
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    value = read(key, "a number", \.number)
  }

  mutating func data(_ key: String, _ value: inout [UInt8], _ about: String) {
    require(key, read(key, "data", \.data), &value)
  }

  mutating func nested<Value: EventValue & FieldRecord>(_ key: String, _ value: inout Value?, _ about: String) {
    guard let found = read(key, "a dictionary", \.entries) else { return value = nil }
    var reader = PayloadReader(entries: found)
    do throws(PayloadFault) { value = try reader.read(Value.self) } catch { fault = error }
  }

  private init(entries: [PropertyListEntry]) { self.entries = entries }

  mutating func refuse(_ key: String, found: @autoclosure () -> String, expected: @autoclosure () -> String) {
    if fault == nil { fault = .wrong(key: key, found: found(), expected: expected()) }
  }
}

extension PropertyListValue {
  fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
  fileprivate var entries: [PropertyListEntry]? { if case .dictionary(let entries) = self { entries } else { nil } }
  fileprivate var number: Double? { if case .real(let number) = self { number } else { integer.map { Double($0) } } }

  /// The type in words, for errors.
  fileprivate var kind: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real"
    case .bool: "a Boolean"
    case .data: "data"
    case .date: "a date"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}
