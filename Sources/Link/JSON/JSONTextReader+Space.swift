// White space, comments, and descriptions of what an error found.

extension JSONTextReader {
  /// Skips white space, and in JSON5 comments.
  @inline(__always)
  mutating func skipSpace() throws(JSONError) {
    // Programs rarely write white space between tokens.
    if let byte = next, byte > 0x20, byte < 0x80, byte != UInt8(ascii: "/") { return }
    try skipSomeSpace()
  }

  private mutating func skipSomeSpace() throws(JSONError) {
    while let byte = next {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      case 0x0B, 0x0C:
        guard isJSON5 else { return }
        index += 1
      case UInt8(ascii: "/"):
        guard isJSON5 else {
          if second == UInt8(ascii: "/") || second == UInt8(ascii: "*") {
            throw error(found: "a comment", expected: "JSON, which has none")
          }
          return
        }
        try skipComment()
      case 0x80...:
        guard isJSON5, let scalar = scalar(at: index), Self.isSpace(scalar.value) else { return }
        index += scalar.length
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONError) {
    let start = index
    switch second {
    case UInt8(ascii: "/"):
      index += 2
      while let byte = next, byte != 0x0A, byte != 0x0D {
        // U+2028 and U+2029 end a line in JSON5.
        if byte == 0xE2, let scalar = scalar(at: index), Self.isLineSeparator(scalar.value) { return }
        index += 1
      }
    case UInt8(ascii: "*"):
      index += 2
      while let byte = next {
        if byte == UInt8(ascii: "*"), second == UInt8(ascii: "/") {
          index += 2
          return
        }
        index += 1
      }
      throw error(at: start, found: "a comment that is not closed", expected: "\"*/\" before the end of the text")
    default: throw error(expected: "a comment or a value")
    }
  }

  /// The scalar that starts at a byte, and its length in bytes; nil at the end or inside a scalar.
  func scalar(at start: Int) -> (value: Unicode.Scalar, length: Int)? {
    guard start < bytes.count else { return nil }
    let lead = bytes[start]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, start + length <= bytes.count else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[start + offset] & 0x3F) }
    guard let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }

  /// JSON5's white space outside ASCII: the byte order mark, the two separators and category Zs.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFEFF || isLineSeparator(scalar) || scalar.properties.generalCategory == .spaceSeparator
  }

  static func isLineSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// Whether a byte continues a bare word: ASCII letters, digits, `_`, `$`, and everything outside ASCII.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }

  /// Describes what is at a byte, for an error's "found".
  func describe(_ start: Int) -> String {
    guard let (scalar, _) = scalar(at: start) else { return "the end of the text" }
    switch scalar {
    case "\"": return "a string"
    case "'": return isJSON5 ? "a string" : "a single quote"
    case "\n", "\r": return "the end of the line"
    case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
      return "the control character U+\(hexadecimal(scalar.value, digits: 4))"
    case _ where scalar.isASCII:
      var end = start + 1
      if Self.isWordByte(bytes[start]) {
        while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
      }
      return quoted(String(decoding: bytes[start..<min(end, start + 200)], as: UTF8.self))
    default: return "\"\(scalar)\" (U+\(hexadecimal(scalar.value, digits: 4)))"
    }
  }
}

/// Returns a number in upper-case hexadecimal digits, padded with zeros.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Returns a text in quotes for an error message: at most 40 characters, with control characters escaped.
func quoted(_ text: String) -> String {
  var result = "\""
  var count = 0
  for scalar in text.unicodeScalars {
    count += 1
    if count > 40 {
      result += "..."
      break
    }
    if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
      result += "\\u\(hexadecimal(scalar.value, digits: 4))"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
