/// The accepted syntax.
public enum JSONDialect: Sendable, Hashable {
  /// JSON according to RFC 8259.
  case json
  /// JSON5 (spec.json5.org, version 1.0.0): comments, trailing commas, bare keys, single quotes and more.
  case json5
}

/// Parses a JSON text into nodes with their positions.
///
/// Stricter than RFC 8259 where that is optional: refuses invalid UTF-8, lone surrogates and duplicate keys, as well as
/// `Infinity` and `NaN`, which JSON5 allows. A byte order mark is skipped. Lines end at LF, CR or CR LF.
public struct JSONParser {
  /// The deepest nesting of objects and arrays.
  public static let depthMax = 128
  /// The most bytes of a text.
  public static let bytesMax = 64 << 20
  /// The most values of a text; bounds the memory for a text such as `[0,0,0,...]`.
  public static let nodesMax = 4_000_000

  /// Parses a text with one value.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - dialect: The accepted syntax.
  ///   - firstLine: The number of the first line, for a text that is one line of a file.
  /// - Throws: The first error, with its position.
  public static func parse(
    _ bytes: [UInt8], dialect: JSONDialect, firstLine: Int = 1
  ) throws(JSONError) -> JSONNode {
    guard bytes.count <= bytesMax else {
      throw JSONError(
        at: TextPosition(line: firstLine, column: 1), found: "a text of \(bytes.count) bytes",
        expected: "at most \(bytesMax)")
    }
    var reader = JSONTextReader(bytes, dialect: dialect, firstLine: firstLine)
    return try reader.document()
  }

  /// Parses a text with one value; see ``parse(_:dialect:firstLine:)``.
  public static func parse(_ text: String, dialect: JSONDialect) throws(JSONError) -> JSONNode {
    try parse(Array(text.utf8), dialect: dialect)
  }
}

extension JSONError: CustomStringConvertible {
  /// `line:column: error: found X, expected Y`.
  public var description: String { "\(position.line):\(position.column): error: \(message)" }

  /// `found X, expected Y`.
  public var message: String { "found \(found), expected \(expected)" }
}

/// The state of the parser: its position in the text, and the recursive descent through objects and arrays.
///
/// Strings, numbers and white space are in separate files.
struct JSONTextReader {
  let bytes: [UInt8]
  let isJSON5: Bool
  /// The index of the next byte.
  var index: Int
  private var nodeCount = 0

  /// A byte with a known position, from which later positions are counted.
  private var markIndex: Int
  private var mark: TextPosition
  private let firstLine: Int
  private let firstIndex: Int

  init(_ bytes: [UInt8], dialect: JSONDialect, firstLine: Int) {
    self.bytes = bytes
    isJSON5 = dialect == .json5
    self.firstLine = firstLine
    firstIndex = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    index = firstIndex
    markIndex = firstIndex
    mark = TextPosition(line: firstLine, column: 1)
  }

  /// The next byte; nil at the end.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The byte after the next; nil at or past the end.
  var second: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

  /// Consumes the next byte if it is this one; returns whether it was.
  mutating func consume(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// The position of a byte; fast if called in the order of the text.
  mutating func position(of target: Int) -> TextPosition {
    if target < markIndex {
      markIndex = firstIndex
      mark = TextPosition(line: firstLine, column: 1)
    }
    while markIndex < target {
      let byte = bytes[markIndex]
      markIndex += 1
      if byte == 0x0A || (byte == 0x0D && (markIndex == bytes.count || bytes[markIndex] != 0x0A)) {
        mark.line += 1
        mark.column = 1
      } else if byte & 0xC0 != 0x80 {
        mark.column += 1
      }
    }
    return mark
  }

  /// Returns an error at a byte, by default the next one.
  mutating func error(at target: Int? = nil, found: String? = nil, expected: String) -> JSONError {
    let target = target ?? index
    return JSONError(at: position(of: target), found: found ?? describe(target), expected: expected)
  }

  mutating func document() throws(JSONError) -> JSONNode {
    if let invalid = UTF8Check.firstInvalid(in: bytes) {
      throw error(at: invalid, found: "the byte 0x\(hexadecimal(UInt32(bytes[invalid]), digits: 2))", expected: "UTF-8")
    }
    try skipSpace()
    let node = try value(depth: 0)
    try skipSpace()
    guard index == bytes.count else { throw error(expected: "the end of the text") }
    return node
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
    nodeCount += 1
    guard nodeCount <= JSONParser.nodesMax else {
      throw error(found: "one more value", expected: "at most \(JSONParser.nodesMax) values")
    }
    let position = position(of: index)
    guard let byte = next else { throw error(expected: "a value") }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < JSONParser.depthMax else {
        throw error(expected: "at most \(JSONParser.depthMax) nested objects and arrays")
      }
      index += 1
      if byte == UInt8(ascii: "{") {
        return JSONNode(.object(try members(openedAt: position, depth: depth + 1)), at: position)
      }
      return JSONNode(.array(try elements(openedAt: position, depth: depth + 1)), at: position)
    case UInt8(ascii: "\""): return JSONNode(.string(try string()), at: position)
    case UInt8(ascii: "'") where isJSON5: return JSONNode(.string(try string()), at: position)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return JSONNode(try number(), at: position)
    case UInt8(ascii: "+") where isJSON5, UInt8(ascii: ".") where isJSON5:
      return JSONNode(try number(), at: position)
    default: return JSONNode(try word(), at: position)
    }
  }

  /// `true`, `false` or `null`.
  private mutating func word() throws(JSONError) -> JSONValue {
    let start = index
    while let byte = next, Self.isWordByte(byte) { index += 1 }
    let end = index
    let wordBytes = bytes[start..<end]
    if wordBytes.elementsEqual("true".utf8) { return .bool(true) }
    if wordBytes.elementsEqual("false".utf8) { return .bool(false) }
    if wordBytes.elementsEqual("null".utf8) { return .null }
    index = start
    if wordBytes.elementsEqual("Infinity".utf8) || wordBytes.elementsEqual("NaN".utf8) {
      throw error(expected: "a finite number")
    }
    throw error(expected: "a value")
  }

  /// Parses the members of an object, including its closing brace.
  private mutating func members(openedAt opened: TextPosition, depth: Int) throws(JSONError) -> [JSONMember] {
    var members: [JSONMember] = []
    // Only for membership, never iterated. Small objects are searched linearly instead.
    var keys: Set<String> = []
    while true {
      try skipSpace()
      if next == UInt8(ascii: "}"), members.isEmpty || isJSON5 { break }
      let keyIndex = index
      let position = position(of: index)
      let key = try key(openedAt: opened)
      let isDuplicate: Bool
      if members.count < 16 {
        isDuplicate = members.contains { $0.key == key }
      } else {
        if keys.isEmpty { keys = Set(members.map(\.key)) }
        isDuplicate = !keys.insert(key).inserted
      }
      guard !isDuplicate else {
        let first = members.first { $0.key == key }?.position ?? opened
        throw error(
          at: keyIndex, found: "the key \(quoted(key)) again",
          expected: "each key once (it is also at line \(first.line), column \(first.column))")
      }
      try skipSpace()
      guard consume(UInt8(ascii: ":")) else { throw error(expected: "\":\" after the key \(quoted(key))") }
      try skipSpace()
      members.append(JSONMember(key: key, at: position, try value(depth: depth)))
      try skipSpace()
      if consume(UInt8(ascii: ",")) { continue }
      if next == UInt8(ascii: "}") { break }
      throw unclosed("}", "object", openedAt: opened)
    }
    index += 1
    return members
  }

  /// Parses a key: a string, or in JSON5 a bare identifier.
  private mutating func key(openedAt opened: TextPosition) throws(JSONError) -> String {
    guard let byte = next else {
      throw error(expected: "a key or \"}\" for the object opened at line \(opened.line), column \(opened.column)")
    }
    if byte == UInt8(ascii: "\"") || (isJSON5 && byte == UInt8(ascii: "'")) { return try string() }
    guard isJSON5 else {
      throw error(expected: byte == UInt8(ascii: "}") ? "a key after the comma" : "a key in double quotes")
    }
    return try identifier()
  }

  /// Parses the elements of an array, including its closing bracket.
  private mutating func elements(openedAt opened: TextPosition, depth: Int) throws(JSONError) -> [JSONNode] {
    var elements: [JSONNode] = []
    while true {
      try skipSpace()
      if next == UInt8(ascii: "]") {
        guard elements.isEmpty || isJSON5 else { throw error(expected: "a value after the comma") }
        break
      }
      if index == bytes.count { throw unclosed("]", "array", openedAt: opened) }
      elements.append(try value(depth: depth))
      try skipSpace()
      if consume(UInt8(ascii: ",")) { continue }
      if next == UInt8(ascii: "]") { break }
      throw unclosed("]", "array", openedAt: opened)
    }
    index += 1
    return elements
  }

  private mutating func unclosed(_ end: String, _ what: String, openedAt opened: TextPosition) -> JSONError {
    error(expected: "\",\" or \"\(end)\" in the \(what) opened at line \(opened.line), column \(opened.column)")
  }
}
