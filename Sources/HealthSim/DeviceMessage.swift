package import Link

/// A message between an app and the health daemon of its device, or between the daemons of two devices.
package struct DeviceMessage: Sendable, Equatable {
  package var name: String
  /// In the order of writing; a missing field reads as zero, empty or false.
  package var fields: [DeviceField]

  package init(_ name: String, _ fields: KeyValuePairs<String, DeviceValue> = [:]) {
    self.name = name
    self.fields = fields.map { DeviceField($0.key, $0.value) }
  }
}

/// A named value of a message.
package struct DeviceField: Sendable, Equatable {
  package var key: String
  package var value: DeviceValue

  package init(_ key: String, _ value: DeviceValue) {
    self.key = key
    self.value = value
  }
}

/// A value of a message.
package enum DeviceValue: Sendable, Equatable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case bytes([UInt8])
  case list([DeviceValue])
  case record([DeviceField])

  /// The fields of a record; empty for any other value.
  package var fields: [DeviceField] { if case .record(let fields) = self { fields } else { [] } }
  /// The text of a text; empty for any other value.
  package var text: String { if case .text(let text) = self { text } else { "" } }

  /// A list of texts.
  package static func texts(_ texts: [String]) -> DeviceValue { .list(texts.map { .text($0) }) }
}

extension [DeviceField] {
  package subscript(key: String) -> DeviceValue? { first { $0.key == key }?.value }
  package func integer(_ key: String) -> Int64 { if case .integer(let value)? = self[key] { value } else { 0 } }
  package func number(_ key: String) -> Double { if case .number(let value)? = self[key] { value } else { 0 } }
  package func text(_ key: String) -> String { self[key]?.text ?? "" }
  package func flag(_ key: String) -> Bool { if case .flag(let value)? = self[key] { value } else { false } }
  package func bytes(_ key: String) -> [UInt8] { if case .bytes(let value)? = self[key] { value } else { [] } }
  package func list(_ key: String) -> [DeviceValue] { if case .list(let value)? = self[key] { value } else { [] } }
  package func texts(_ key: String) -> [String] { list(key).map(\.text) }
  package func fields(_ key: String) -> [DeviceField] { self[key]?.fields ?? [] }
  package func identifier(_ key: String) -> Identifier {
    let bytes = bytes(key)
    guard bytes.count == 16 else { return .none }
    func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    return Identifier(high: half(bytes[..<8]), low: half(bytes[8...]))
  }
}

extension DeviceValue {
  package static func identifier(_ name: Identifier) -> DeviceValue {
    func bytes(_ half: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    return .bytes(bytes(name.high) + bytes(name.low))
  }
}

// MARK: Bytes

extension DeviceMessage {
  /// The message as bytes: its name, and its fields as a record.
  package var encoded: [UInt8] {
    var writer = DeviceMessageWriter()
    writer.append(text: name)
    writer.append(.record(fields))
    return writer.bytes
  }

  /// Reads a message; nil for bytes that are none.
  package init?(_ bytes: [UInt8]) {
    var reader = DeviceMessageReader(bytes)
    guard let name = reader.text(), case .record(let fields)? = reader.value(depth: 0), reader.isAtEnd else {
      return nil
    }
    self.name = name
    self.fields = fields
  }
}

/// Writes values: a byte for the kind, lengths and integers as 8 bytes, little-endian.
private struct DeviceMessageWriter {
  var bytes: [UInt8] = []

  mutating func append(text: String) {
    append(number: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func append(_ value: DeviceValue) {
    switch value {
    case .flag(let flag): bytes += [0, flag ? 1 : 0]
    case .integer(let integer):
      bytes.append(1)
      append(number: UInt64(bitPattern: integer))
    case .number(let number):
      bytes.append(2)
      append(number: number.bitPattern)
    case .text(let text):
      bytes.append(3)
      append(text: text)
    case .bytes(let data):
      bytes.append(4)
      append(number: UInt64(data.count))
      bytes += data
    case .list(let values):
      bytes.append(5)
      append(number: UInt64(values.count))
      for value in values { append(value) }
    case .record(let fields):
      bytes.append(6)
      append(number: UInt64(fields.count))
      for field in fields {
        append(text: field.key)
        append(field.value)
      }
    }
  }
}

/// Reads what ``DeviceMessageWriter`` writes; nil for anything else.
private struct DeviceMessageReader {
  private static let depthMax = 16
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  private mutating func number() -> UInt64? {
    guard bytes.count - at >= 8 else { return nil }
    var number: UInt64 = 0
    for index in 0..<8 { number |= UInt64(bytes[at + index]) << UInt64(8 * index) }
    at += 8
    return number
  }

  private mutating func count() -> Int? {
    guard let number = number(), number <= UInt64(bytes.count - at) else { return nil }
    return Int(number)
  }

  mutating func text() -> String? {
    guard let count = count() else { return nil }
    defer { at += count }
    return String(decoding: bytes[at..<at + count], as: UTF8.self)
  }

  mutating func value(depth: Int) -> DeviceValue? {
    guard depth < Self.depthMax, at < bytes.count else { return nil }
    let kind = bytes[at]
    at += 1
    switch kind {
    case 0:
      guard at < bytes.count else { return nil }
      defer { at += 1 }
      return .flag(bytes[at] == 1)
    case 1: return number().map { .integer(Int64(bitPattern: $0)) }
    case 2: return number().map { .number(Double(bitPattern: $0)) }
    case 3: return text().map { .text($0) }
    case 4:
      guard let count = count() else { return nil }
      defer { at += count }
      return .bytes(Array(bytes[at..<at + count]))
    case 5:
      guard let count = count() else { return nil }
      var values: [DeviceValue] = []
      for _ in 0..<count {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      }
      return .list(values)
    case 6:
      guard let count = count() else { return nil }
      var fields: [DeviceField] = []
      for _ in 0..<count {
        guard let key = text(), let value = value(depth: depth + 1) else { return nil }
        fields.append(DeviceField(key, value))
      }
      return .record(fields)
    default: return nil
    }
  }
}
