/// Values that our own lines rarely contain: fractions, escapes, nesting.
extension LineCursor {
  /// Reads a number: an integer, or a decimal without trailing zeros.
  mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> TraceValue {
    let start = index
    let isNegative = consume(UInt8(ascii: "-"), bytes)
    var magnitude: UInt64 = 0
    var digits = 0
    var scale = 0
    // Refuses a number whose digits do not fit in 64 bits; trailing zeros after the point do not count.
    var isTooLong = false
    var pendingZeros = 0
    let firstDigit = index
    while index < bytes.count, case let digit = bytes[index] &- 48, digit < 10 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      isTooLong = isTooLong || overflow || carry
      magnitude = sum
      digits += 1
      index += 1
    }
    guard digits > 0 else { throw error(bytes, expected: "a digit") }
    guard digits == 1 || bytes[firstDigit] != 48 else {
      throw error(at: firstDigit, bytes, expected: "a number without leading zeros")
    }
    if consume(UInt8(ascii: "."), bytes) {
      let firstPlace = index
      while index < bytes.count, case let digit = bytes[index] &- 48, digit < 10 {
        index += 1
        if digit == 0 {
          pendingZeros += 1
          continue
        }
        for step in 0...pendingZeros {
          let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
          let (sum, carry) = product.addingReportingOverflow(step == pendingZeros ? UInt64(digit) : 0)
          if overflow || carry { isTooLong = true; break }
          magnitude = sum
          scale += 1
        }
        pendingZeros = 0
      }
      guard index > firstPlace else { throw error(bytes, expected: "a digit") }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      scale -= try exponent(bytes)
      while scale < 0, magnitude > 0, !isTooLong {
        let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        isTooLong = overflow
        magnitude = product
        scale += 1
      }
      if magnitude == 0 { scale = 0 }
      while scale > 0, magnitude % 10 == 0 {
        magnitude /= 10
        scale -= 1
      }
    }
    guard !isTooLong, scale <= 255, let positive = Int64(exactly: magnitude) else {
      if !isTooLong, isNegative, scale == 0, magnitude == UInt64(1) << 63 { return .int(.min) }
      throw error(at: start, bytes, expected: "a number that 64 bits hold, with at most 255 decimals")
    }
    let mantissa = isNegative ? -positive : positive
    return scale == 0 ? .int(mantissa) : .decimal(mantissa: mantissa, scale: UInt8(scale))
  }

  private mutating func exponent(_ bytes: Span<UInt8>) throws(JSONError) -> Int {
    index += 1
    let isNegative = consume(UInt8(ascii: "-"), bytes)
    if !isNegative, consume(UInt8(ascii: "+"), bytes) {}
    var value = 0
    let first = index
    while index < bytes.count, case let digit = bytes[index] &- 48, digit < 10 {
      value = min(value * 10 + Int(digit), 1000)
      index += 1
    }
    guard index > first else { throw error(bytes, expected: "a digit") }
    return isNegative ? -value : value
  }

  /// Reads a string with escapes or non-ASCII characters; the cursor is at its opening quote.
  mutating func escaped(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let opened = index
    index += 1
    var text: [UInt8] = []
    while true {
      guard index < bytes.count, bytes[index] != UInt8(ascii: "\n") else {
        throw error(bytes, expected: "the closing quote of the string")
      }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20 else { throw error(bytes, expected: "an escape instead of a control character") }
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      try escape(bytes, into: &text)
    }
    index += 1
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw error(at: opened, bytes, expected: "a string in UTF-8")
    }
    return valid
  }

  private mutating func escape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONError) {
    guard index < bytes.count else { throw error(bytes, expected: "an escape") }
    let letter = bytes[index]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      index += 1
      try unicodeEscape(bytes, into: &text)
      return
    default: throw error(bytes, expected: "an escape")
    }
    index += 1
  }

  private mutating func unicodeEscape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONError) {
    var unit = try hexUnit(bytes)
    if unit & 0xFC00 == 0xD800 {
      guard consume(UInt8(ascii: "\\"), bytes), consume(UInt8(ascii: "u"), bytes) else {
        throw error(bytes, expected: "the second half of a surrogate pair")
      }
      let second = try hexUnit(bytes)
      guard second & 0xFC00 == 0xDC00 else { throw error(bytes, expected: "the second half of a surrogate pair") }
      unit = 0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF
    }
    guard let scalar = Unicode.Scalar(unit) else { throw error(bytes, expected: "no lone surrogate") }
    text.append(contentsOf: Array(String(Character(scalar)).utf8))
  }

  private mutating func hexUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else {
        throw error(bytes, expected: "four hexadecimal digits")
      }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }

  /// Validates an object or an array, and returns its text unchanged.
  mutating func nested(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let start = index
    // The open containers: true for an object, false for an array.
    var open: [Bool] = []
    // The keys of each open object; none for an array.
    var keys: [Set<String>] = []
    repeat {
      skipBlanks(bytes)
      guard index < bytes.count else { throw error(bytes, expected: "a value") }
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = bytes[index] == UInt8(ascii: "{")
        guard open.count < TraceLineParser.depthMax else {
          throw error(bytes, expected: "at most \(TraceLineParser.depthMax) objects and arrays inside one another")
        }
        open.append(isObject)
        keys.append([])
        index += 1
        skipBlanks(bytes)
        if consume(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), bytes) {
          open.removeLast()
          keys.removeLast()
          try close(&open, &keys, bytes)
        } else if isObject {
          try memberKey(&keys, bytes)
        }
      default:
        try scalar(bytes)
        try close(&open, &keys, bytes)
      }
    } while !open.isEmpty
    var text: [UInt8] = []
    text.reserveCapacity(index - start)
    for place in start..<index { text.append(bytes[place]) }
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw error(at: start, bytes, expected: "UTF-8")
    }
    return valid
  }

  /// Closes all containers that end after a value, up to the next value.
  private mutating func close(
    _ open: inout [Bool], _ keys: inout [Set<String>], _ bytes: Span<UInt8>
  ) throws(JSONError) {
    while let isObject = open.last {
      skipBlanks(bytes)
      if consume(UInt8(ascii: ","), bytes) {
        skipBlanks(bytes)
        if isObject { try memberKey(&keys, bytes) }
        return
      }
      guard consume(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), bytes) else {
        throw error(bytes, expected: isObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
      }
      open.removeLast()
      keys.removeLast()
    }
  }

  private mutating func memberKey(_ keys: inout [Set<String>], _ bytes: Span<UInt8>) throws(JSONError) {
    guard peek(bytes) == UInt8(ascii: "\"") else { throw error(bytes, expected: "a key in quotes") }
    let start = index
    let key = try escaped(bytes)
    guard keys[keys.count - 1].insert(key).inserted else {
      throw JSONError(
        at: position(of: start, bytes), found: "the key \"\(key)\" a second time", expected: "each key once")
    }
    skipBlanks(bytes)
    try expect(UInt8(ascii: ":"), bytes)
  }

  private mutating func scalar(_ bytes: Span<UInt8>) throws(JSONError) {
    switch bytes[index] {
    case UInt8(ascii: "\""): try skipString(bytes)
    case UInt8(ascii: "t"): try expect(word: "true", bytes)
    case UInt8(ascii: "f"): try expect(word: "false", bytes)
    case UInt8(ascii: "n"): try expect(word: "null", bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(bytes)
    default: throw error(bytes, expected: "a value")
    }
  }

  private mutating func skipString(_ bytes: Span<UInt8>) throws(JSONError) {
    var end = index + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard bytes[end] != UInt8(ascii: "\\"), bytes[end] >= 0x20 else {
        _ = try escaped(bytes)
        return
      }
      end += 1
    }
    guard end < bytes.count else {
      index = end
      throw error(bytes, expected: "the closing quote of the string")
    }
    index = end + 1
  }
}
