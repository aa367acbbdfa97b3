/// An index into a line of a trace, with functions that read from there.
///
/// Every call receives the bytes, so that the cursor is an ordinary value.
struct LineCursor {
  /// The index of the next byte.
  var index = 0
  private let line: Int

  init(line: Int) { self.line = line }

  @inline(__always)
  func peek(_ bytes: Span<UInt8>) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  @inline(__always)
  mutating func consume(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Skips blanks, tabs and carriage returns; a line feed only ends a line.
  @inline(__always)
  mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 || bytes[index] == 0x0D { index += 1 }
  }

  @inline(__always)
  mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
    guard consume(byte, bytes) else {
      skipBlanks(bytes)
      guard consume(byte, bytes) else {
        throw error(bytes, expected: "\"\(String(Character(Unicode.Scalar(byte))))\"")
      }
      return
    }
  }

  /// Reads `"key":` and the surrounding blanks.
  @inline(__always)
  mutating func expect(key: String, _ bytes: Span<UInt8>) throws(JSONError) {
    skipBlanks(bytes)
    let start = index
    guard consume(UInt8(ascii: "\""), bytes), consume(key, bytes), consume(UInt8(ascii: "\""), bytes) else {
      throw error(at: start, bytes, expected: "the key \"\(key)\"")
    }
    skipBlanks(bytes)
    try expect(UInt8(ascii: ":"), bytes)
    skipBlanks(bytes)
  }

  /// An error at the next byte, or at one before.
  func error(at target: Int? = nil, _ bytes: Span<UInt8>, expected: String) -> JSONError {
    let target = target ?? index
    let found: String
    if target >= bytes.count {
      found = "the end of the line"
    } else {
      let byte = bytes[target]
      let isPrintable = byte >= 0x20 && byte < 0x7F
      found =
        isPrintable
        ? "\"\(String(Character(Unicode.Scalar(byte))))\"" : "the byte 0x\(hexText(UInt64(byte), digits: 2))"
    }
    return JSONError(at: position(of: target, bytes), found: found, expected: expected)
  }

  /// The line and the column of a byte.
  func position(of target: Int, _ bytes: Span<UInt8>) -> TextPosition {
    var column = 1
    for place in 0..<min(target, bytes.count) where bytes[place] & 0xC0 != 0x80 { column += 1 }
    return TextPosition(line: line, column: column)
  }

  /// Reads a key; the cursor is at its opening quote.
  @inline(__always)
  mutating func word(_ bytes: Span<UInt8>, _ words: inout WordMemory) throws(JSONError) -> String {
    let start = index + 1
    if let end = plainEnd(bytes) {
      index = end + 1
      return words.text(bytes.extracting(start..<end))
    }
    return try escaped(bytes)
  }

  /// Reads an event's name; the cursor is at its opening quote.
  @inline(__always)
  mutating func name(_ bytes: Span<UInt8>, _ words: inout WordMemory) throws(JSONError) -> TraceEvent.Name {
    let start = index + 1
    if let end = plainEnd(bytes) {
      index = end + 1
      return words.name(bytes.extracting(start..<end))
    }
    return TraceEvent.Name(try escaped(bytes))
  }

  /// The end of a string of printable ASCII without escapes; nil for any other string.
  @inline(__always)
  private func plainEnd(_ bytes: Span<UInt8>) -> Int? {
    var end = index + 1
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") { return end }
      if byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x7F { return nil }
      end += 1
    }
    return nil
  }

  /// Reads a value.
  @inline(__always)
  mutating func value(_ bytes: Span<UInt8>, _ words: inout WordMemory) throws(JSONError) -> TraceValue {
    guard index < bytes.count else { throw error(bytes, expected: "a value") }
    switch bytes[index] {
    case UInt8(ascii: "\""):
      let start = index + 1
      guard let end = plainEnd(bytes) else { return Self.recognised(try escaped(bytes)) }
      index = end + 1
      let text = bytes.extracting(start..<end)
      if text.count == 16, let bits = Self.hex(text, 0, 16) { return .hex(bits) }
      if text.count == 36, let uuid = Self.uuid(text) { return uuid }
      return .string(words.text(text))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json(try nested(bytes))
    case UInt8(ascii: "t"):
      try expect(word: "true", bytes)
      return .bool(true)
    case UInt8(ascii: "f"):
      try expect(word: "false", bytes)
      return .bool(false)
    case UInt8(ascii: "n"):
      try expect(word: "null", bytes)
      return .null
    default: throw error(bytes, expected: "a value")
    }
  }

  mutating func expect(word: String, _ bytes: Span<UInt8>) throws(JSONError) {
    let start = index
    guard consume(word, bytes) else { throw error(at: start, bytes, expected: "a value") }
  }

  @inline(__always)
  private mutating func consume(_ text: String, _ bytes: Span<UInt8>) -> Bool {
    for byte in text.utf8 where !consume(byte, bytes) { return false }
    return true
  }

  /// Recognises a digest or a UUID also in a string with escapes.
  private static func recognised(_ text: String) -> TraceValue {
    let bytes = Array(text.utf8)
    if bytes.count == 16, let bits = hex(bytes.span, 0, 16) { return .hex(bits) }
    if bytes.count == 36, let uuid = uuid(bytes.span) { return uuid }
    return .string(text)
  }

  /// The value of the lowercase hexadecimal digits from `start` on; nil if a character is not one.
  @inline(__always)
  private static func hex(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64? {
    var bits: UInt64 = 0
    for place in start..<start + count {
      let byte = text[place]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): bits = bits << 4 | UInt64(byte &- 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): bits = bits << 4 | UInt64(byte &- 87)
      default: return nil
      }
    }
    return bits
  }

  private static func uuid(_ text: Span<UInt8>) -> TraceValue? {
    let dash = UInt8(ascii: "-")
    guard text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash,
      let a = hex(text, 0, 8), let b = hex(text, 9, 4), let c = hex(text, 14, 4), let d = hex(text, 19, 4),
      let e = hex(text, 24, 12)
    else { return nil }
    return .uuid(high: a << 32 | b << 16 | c, low: d << 48 | e)
  }
}
