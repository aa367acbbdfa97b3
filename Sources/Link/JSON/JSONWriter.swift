/// Writes nodes as text: compact, or formatted for people.
///
/// Members keep their order and numbers their exact value, so equal nodes always give equal bytes.
public enum JSONWriter {
  /// Returns JSON without spaces and without a newline at the end.
  public static func compact(_ node: JSONNode) -> [UInt8] {
    var bytes: [UInt8] = []
    append(node.value, to: &bytes)
    return bytes
  }

  /// Appends JSON without spaces.
  public static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .number(let number): append(number, to: &bytes)
    case .string(let text): append(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.node.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends a finite number in the fewest digits that read back as the same Double.
  public static func append(_ number: Double, to bytes: inout [UInt8]) {
    precondition(number.isFinite, "JSON has no \(number)")
    bytes += number.description.utf8
  }

  /// Appends a string in quotes; escapes only what must be escaped.
  public static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Most strings need no escapes: they are copied whole.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      bytes += text.utf8
    } else {
      appendEscaped(text.utf8, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscaped(_ utf8: String.UTF8View, to bytes: inout [UInt8]) {
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case 0x08: bytes += #"\b"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case 0..<0x20:
        bytes += #"\u00"#.utf8
        bytes.append(hexadecimalDigit(byte >> 4))
        bytes.append(hexadecimalDigit(byte & 15))
      default: bytes.append(byte)
      }
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Returns JSON5 or JSON for people.
  ///
  /// In JSON5 keys are bare and commas trail. Each level is indented by two spaces, an object or array that fits on a line is on one line, and
  /// there is a newline at the end.
  ///
  /// - Parameters:
  ///   - node: The value.
  ///   - width: The preferred maximum number of columns.
  ///   - dialect: What the text is.
  public static func pretty(_ node: JSONNode, width: Int = 100, dialect: JSONDialect = .json5) -> String {
    PrettyJSON(width: width, dialect: dialect).text(of: node.value, indent: 0, used: 0) + "\n"
  }
}

extension TextPosition {
  /// The position of a node that was not parsed.
  public static let nowhere = Self(line: 0, column: 0)
}

extension JSONNode {
  /// Creates a node that was not parsed from a text.
  public init(_ value: JSONValue) { self.init(value, at: .nowhere) }
}

extension JSONMember {
  /// Creates a member that was not parsed from a text.
  public init(_ key: String, _ value: JSONValue) { self.init(key: key, at: .nowhere, JSONNode(value)) }
}

extension JSONValue {
  /// A number, written without a fraction if it has none.
  public static func plain(_ value: Double) -> JSONValue {
    if let exact = Int64(exactly: value) { return .integer(exact) }
    return .number(value)
  }

  /// A number of seconds.
  public static func seconds(_ span: VirtualTime.Span) -> JSONValue { .plain(span.seconds) }
}

/// Formats values for people: see ``JSONWriter/pretty(_:width:dialect:)``.
struct PrettyJSON {
  let width: Int
  let dialect: JSONDialect

  func text(of value: JSONValue, indent: Int, used: Int) -> String {
    let line = oneLine(value)
    let isNested =
      switch value {
      case .array(let elements): !elements.isEmpty
      case .object(let members): !members.isEmpty
      default: false
      }
    // The top level is always on several lines, since it is meant to be edited.
    if !isNested || (indent > 0 && used + line.unicodeScalars.count < width) { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch value {
    case .array(let elements):
      let lines = elements.map { element in
        inner + text(of: element.value, indent: indent + 2, used: indent + 2)
      }
      return "[\n" + joined(lines) + outer + "]"
    case .object(let members):
      let lines = members.map { member in
        let start = "\(inner)\(key(member.key)): "
        let used = start.unicodeScalars.count
        return start + text(of: member.node.value, indent: indent + 2, used: used)
      }
      return "{\n" + joined(lines) + outer + "}"
    default: return line
    }
  }

  private func oneLine(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements): return "[" + elements.map { oneLine($0.value) }.joined(separator: ", ") + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      return "{ " + members.map { "\(key($0.key)): \(oneLine($0.node.value))" }.joined(separator: ", ") + " }"
    default:
      var bytes: [UInt8] = []
      JSONWriter.append(value, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns the elements of several lines, with their commas.
  private func joined(_ lines: [String]) -> String {
    lines.joined(separator: ",\n") + (dialect == .json5 ? ",\n" : "\n")
  }

  /// Returns a key, bare if JSON5 allows it.
  private func key(_ key: String) -> String {
    guard dialect == .json5 else { return oneLine(.string(key)) }
    let isBare = key.utf8.allSatisfy(JSONTextReader.isWordByte)
    if isBare, let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return key }
    return oneLine(.string(key))
  }
}
