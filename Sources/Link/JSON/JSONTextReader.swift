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

// Strings, their escapes, and JSON5's bare keys.

extension JSONTextReader {
  /// Parses a string; the next byte is its opening quote.
  mutating func string() throws(JSONError) -> String {
    let start = index
    let quote = bytes[index]
    index += 1
    var runStart = index
    // Stays empty for a string without escapes, which is then copied once.
    var text = ""
    while let byte = next {
      switch byte {
      case quote:
        let run = bytes[runStart..<index]
        index += 1
        if text.isEmpty { return String(decoding: run, as: UTF8.self) }
        text += String(decoding: run, as: UTF8.self)
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[runStart..<index], as: UTF8.self)
        try escape(into: &text, openedAt: start)
        runStart = index
      case 0x0A, 0x0D: throw unclosedString(start, "its line")
      case 0..<0x20:
        guard isJSON5 else { throw error(expected: "an escape such as \\u00\(hexadecimal(UInt32(byte), digits: 2))") }
        index += 1
      default: index += 1
      }
    }
    throw unclosedString(start, "the text")
  }

  private mutating func unclosedString(_ start: Int, _ what: String) -> JSONError {
    let quote = String(Unicode.Scalar(bytes[start]))
    return error(
      at: start, found: "a string that is not closed", expected: "a closing \(quote) before the end of \(what)")
  }

  /// Parses an escape; the next byte is its backslash.
  private mutating func escape(into text: inout String, openedAt start: Int) throws(JSONError) {
    let backslash = index
    index += 1
    guard let byte = next else { throw unclosedString(start, "the text") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.unicodeScalars.append(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): text += "\u{8}"
    case UInt8(ascii: "f"): text += "\u{C}"
    case UInt8(ascii: "n"): text += "\n"
    case UInt8(ascii: "r"): text += "\r"
    case UInt8(ascii: "t"): text += "\t"
    case UInt8(ascii: "u"): text.unicodeScalars.append(try scalarEscape(backslash))
    default:
      index = backslash + 1
      guard isJSON5 else {
        throw error(at: backslash, found: "\"\\\" before \(describe(index))", expected: "one of JSON's escapes")
      }
      try escape5(byte, backslash, into: &text)
    }
  }

  /// Parses an escape of JSON5; the next byte follows the backslash.
  private mutating func escape5(_ byte: UInt8, _ backslash: Int, into text: inout String) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "v"):
      index += 1
      text += "\u{B}"
    case UInt8(ascii: "x"):
      index += 1
      let value = try hexadecimalDigits(2, backslash)
      text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: value)))
    case UInt8(ascii: "0"):
      index += 1
      if let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
        throw error(at: backslash, found: "an octal escape", expected: "\\x and two hexadecimal digits")
      }
      text += "\0"
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      throw error(at: backslash, found: "an escaped digit", expected: "\\x and two hexadecimal digits")
    case 0x0A: index += 1
    case 0x0D:
      index += 1
      _ = consume(0x0A)
    default:
      guard let (scalar, length) = scalar(at: index) else { throw error(expected: "a character") }
      index += length
      if !Self.isLineSeparator(scalar) { text.unicodeScalars.append(scalar) }
    }
  }

  /// Parses what follows `\u`: four digits, or two times four for a scalar past U+FFFF.
  private mutating func scalarEscape(_ backslash: Int) throws(JSONError) -> Unicode.Scalar {
    let high = try hexadecimalDigits(4, backslash)
    if let scalar = Unicode.Scalar(high) { return scalar }
    if high < 0xDC00, next == UInt8(ascii: "\\"), second == UInt8(ascii: "u") {
      let lowStart = index
      index += 2
      let low = try hexadecimalDigits(4, lowStart)
      if (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
    }
    throw error(
      at: backslash, found: "the lone surrogate \\u\(hexadecimal(high, digits: 4))",
      expected: high < 0xDC00 ? "a low surrogate after it" : "a high surrogate before it")
  }

  private mutating func hexadecimalDigits(_ count: Int, _ backslash: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let byte = next, let digit = Self.hexadecimalValue(byte) else {
        throw error(expected: "\(count) hexadecimal digits after the \"\\\(Unicode.Scalar(bytes[backslash + 1]))\"")
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Parses a bare key: an ECMAScript 5.1 identifier name.
  mutating func identifier() throws(JSONError) -> String {
    var text = ""
    while let (scalar, length) = scalar(at: index) {
      let accepted: Unicode.Scalar
      let start = index
      if scalar == "\\" {
        guard second == UInt8(ascii: "u") else { throw error(expected: "\\u in a bare key") }
        index += 2
        accepted = try scalarEscape(start)
      } else {
        accepted = scalar
        index += length
      }
      guard Self.isIdentifier(accepted, first: text.isEmpty) else {
        index = start
        if scalar == "\\" { throw error(expected: "the escape of a letter in a bare key") }
        break
      }
      text.unicodeScalars.append(accepted)
    }
    guard !text.isEmpty else { throw error(expected: "a key or \"}\"") }
    return text
  }

  private static func isIdentifier(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
    if scalar.isASCII {
      guard isWordByte(UInt8(truncatingIfNeeded: scalar.value)) else { return false }
      return !first || !("0"..."9").contains(scalar)
    }
    if first { return scalar.properties.isIDStart }
    return scalar.properties.isIDContinue || scalar.value == 0x200C || scalar.value == 0x200D
  }
}

// Numbers: exact in 64 bits without fraction and exponent, otherwise the nearest Double.

extension JSONTextReader {
  /// Parses a number; the next byte is its sign, point or first digit.
  mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { index += 1 }
    if isJSON5, next == UInt8(ascii: "I") || next == UInt8(ascii: "N") { throw error(expected: "a finite number") }
    if isJSON5, next == UInt8(ascii: "0"), second == UInt8(ascii: "x") || second == UInt8(ascii: "X") {
      index += 2
      return try hexadecimalNumber(start, isNegative: isNegative)
    }
    let digitsStart = index
    var magnitude: UInt64? = 0
    while let digit = nextDigit() { magnitude = Self.append(digit, to: magnitude, radix: 10) }
    let digitCount = index - digitsStart
    guard digitCount > 0 || (isJSON5 && next == UInt8(ascii: ".")) else { throw error(expected: "a digit") }
    guard digitCount < 2 || bytes[digitsStart] != UInt8(ascii: "0") else {
      throw error(at: digitsStart, expected: "a number without leading zeros")
    }
    var isWhole = true
    var text = String(decoding: bytes[digitsStart..<index], as: UTF8.self)
    if digitCount == 0 { text = "0" }
    if consume(UInt8(ascii: ".")) {
      isWhole = false
      let fractionStart = index
      while nextDigit() != nil {}
      guard index > fractionStart || (isJSON5 && digitCount > 0) else {
        throw error(expected: "a digit after the decimal point")
      }
      if index > fractionStart { text += "." + String(decoding: bytes[fractionStart..<index], as: UTF8.self) }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      let exponentStart = index
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      guard nextDigit() != nil else { throw error(expected: "a digit in the exponent") }
      while nextDigit() != nil {}
      text += String(decoding: bytes[exponentStart..<index], as: UTF8.self)
    }
    try endNumber(start)
    if isWhole, let magnitude, let exact = Self.signed(magnitude, isNegative: isNegative) { return .integer(exact) }
    guard let double = Double(text), double.isFinite else {
      throw error(
        at: start, found: quoted(String(decoding: bytes[start..<min(index, start + 80)], as: UTF8.self)),
        expected: "a number that fits in a Double")
    }
    return .number(isNegative ? -double : double)
  }

  private mutating func hexadecimalNumber(_ start: Int, isNegative: Bool) throws(JSONError) -> JSONValue {
    let digitsStart = index
    var magnitude: UInt64? = 0
    while let byte = next, let digit = Self.hexadecimalValue(byte) {
      magnitude = Self.append(digit, to: magnitude, radix: 16)
      index += 1
    }
    guard index > digitsStart else { throw error(expected: "a hexadecimal digit") }
    try endNumber(start)
    guard let magnitude else { throw error(at: start, expected: "a hexadecimal number of at most 64 bits") }
    if let exact = Self.signed(magnitude, isNegative: isNegative) { return .integer(exact) }
    return .number(isNegative ? -Double(magnitude) : Double(magnitude))
  }

  /// Consumes the next byte if it is a decimal digit, and returns its value.
  private mutating func nextDigit() -> UInt8? {
    guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    index += 1
    return byte - UInt8(ascii: "0")
  }

  private static func append(_ digit: UInt8, to magnitude: UInt64?, radix: UInt64) -> UInt64? {
    guard let magnitude else { return nil }
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: radix)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
    return overflow || carry ? nil : sum
  }

  /// Returns the signed number; nil if it does not fit, and for -0, which needs a Double.
  private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    guard magnitude > 0, magnitude <= 1 << 63 else { return nil }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  /// Refuses a number that continues as a word, such as `12px` or `1.2.3`.
  private mutating func endNumber(_ start: Int) throws(JSONError) {
    guard let byte = next, Self.isWordByte(byte) || byte == UInt8(ascii: ".") else { return }
    throw error(expected: "the end of the number that starts at column \(position(of: start).column)")
  }
}
