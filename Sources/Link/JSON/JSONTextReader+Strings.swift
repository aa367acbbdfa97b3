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
