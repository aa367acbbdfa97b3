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
