/// Composes the fields of an event in a line of the trace.
struct EventLineWriter: EventFieldVisitor {
  /// The line so far.
  private(set) var line: LineArea
  /// Whether everything had room, and no text needs escapes.
  private(set) var fits = true
  /// The keys of all fields in order; empty for a kind without such a list.
  private let keys: [KeyText]
  /// How many fields were visited, with those that are left out.
  private var visited = 0

  /// Continues a line.
  init(_ line: LineArea, keys: [KeyText] = []) {
    self.line = line
    self.keys = keys
  }

  /// Appends a field.
  @inline(__always)
  mutating func append(_ key: String, _ value: TraceValue) {
    guard fits else { return }
    if keys.isEmpty {
      line.append(UInt8(ascii: ","))
      guard line.append(quoted: key) else { return fits = false }
      line.append(UInt8(ascii: ":"))
    } else {
      guard line.append(keys[visited]) else { return fits = false }
      visited += 1
    }
    fits = line.append(value)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    append(key, value.traceValue)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if let value { append(key, value.traceValue) } else { visited += 1 }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    append(key, value?.traceValue ?? .null)
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    append(key, EventFieldWriter.number(value, places: places))
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if let value { append(key, EventFieldWriter.number(value, places: places)) } else { visited += 1 }
  }
}

/// The key of a field as a line has it, between a comma and a colon.
public struct KeyText: Sendable {
  typealias Words = (UInt64, UInt64, UInt64, UInt64)

  /// The longest text, in bytes.
  static let bytesMax = 32

  /// The text in the order of memory; the bytes after it are zero.
  let words: Words
  /// The length of the text in bytes.
  let count: Int

  /// The text of a key of a kind of this package, which needs no escapes.
  init(_ key: String) {
    let text = Array(",\"\(key)\":".utf8)
    precondition(text.count <= Self.bytesMax, "the key \(key) has more than \(Self.bytesMax - 4) bytes")
    func word(_ index: Int) -> UInt64 {
      let bytes = text.dropFirst(index * 8).prefix(8)
      return UInt64(littleEndian: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    words = (word(0), word(1), word(2), word(3))
    count = text.count
  }
}
