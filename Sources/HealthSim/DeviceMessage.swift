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

/// A stream of messages between the daemons of two devices: each once, in order, as long as the link lasts.
///
/// What is not confirmed is sent again, after a second at first and after 8 s at most, while the link is believed up.
struct DaemonPipe: Sendable, Equatable {
  private struct Item: Sendable, Equatable {
    var seq: UInt64
    var bytes: [UInt8]
    var attempt: UInt16 = 0
    var dueAt: VirtualTime
  }

  /// 0: mirroring and starts; 1: samples.
  let lane: UInt64
  private var sent: UInt64 = 0
  private var items: [Item] = []
  private var received: UInt64 = 0
  private var early: [UInt64: [UInt8]] = [:]

  init(lane: UInt64) { self.lane = lane }

  /// How many messages are not confirmed.
  var backlog: Int { items.count }

  mutating func send(_ message: DeviceMessage, at now: VirtualTime) {
    sent += 1
    items.append(Item(seq: sent, bytes: message.encoded, dueAt: now))
  }

  /// When something is to be sent; nil for nothing, and while the link is down.
  func nextAt(isUp: Bool) -> VirtualTime? { isUp ? items.lazy.map(\.dueAt).min() : nil }

  /// The frames that are due.
  mutating func takeDue(at now: VirtualTime) -> [Frame] {
    var frames: [Frame] = []
    for index in items.indices where items[index].dueAt <= now {
      items[index].attempt += items[index].attempt < .max ? 1 : 0
      let wait = min(8, 1 << min(Int(items[index].attempt) - 1, 3))
      items[index].dueAt = now + .seconds(Int64(wait))
      frames.append(frame(.data, seq: items[index].seq, attempt: items[index].attempt, items[index].bytes))
    }
    return frames
  }

  /// Sends everything that waits at once, as the link is back.
  mutating func hurry(at now: VirtualTime) {
    for index in items.indices { items[index].dueAt = now }
  }

  /// Receives a frame: the messages that are now in order, and the answer.
  mutating func receive(_ frame: Frame) -> (messages: [DeviceMessage], answer: Frame?) {
    if frame.kind == .ack {
      items.removeAll { $0.seq <= frame.seq.rawValue }
      return ([], nil)
    }
    if frame.seq.rawValue > received { early[frame.seq.rawValue] = frame.payload }
    var messages: [DeviceMessage] = []
    while let bytes = early.removeValue(forKey: received + 1) {
      received += 1
      if let message = DeviceMessage(bytes) { messages.append(message) }
    }
    return (messages, self.frame(.ack, seq: received, attempt: frame.attempt, offset: frame.seq.rawValue))
  }

  private func frame(
    _ kind: Frame.Kind, seq: UInt64, attempt: UInt16, _ payload: [UInt8] = [], offset: UInt64 = 0
  ) -> Frame {
    Frame(
      kind: kind, channel: .mirror, attempt: attempt, epoch: Epoch(UInt32(lane) + 1), seq: SequenceNumber(seq),
      offset: offset, payload: payload)
  }
}
