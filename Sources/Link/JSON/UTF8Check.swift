/// Finds bytes that are not UTF-8.
enum UTF8Check {
  /// Returns the index of the first ill-formed sequence; nil if there is none.
  ///
  /// Uses the rows of table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing past U+10FFFF.
  static func firstInvalid(in bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      let length: Int
      let secondRange: ClosedRange<UInt8>
      switch lead {
      case 0xC2...0xDF: (length, secondRange) = (2, 0x80...0xBF)
      case 0xE0: (length, secondRange) = (3, 0xA0...0xBF)
      case 0xED: (length, secondRange) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (length, secondRange) = (3, 0x80...0xBF)
      case 0xF0: (length, secondRange) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (length, secondRange) = (4, 0x80...0xBF)
      case 0xF4: (length, secondRange) = (4, 0x80...0x8F)
      default: return index
      }
      guard index + length <= bytes.count, secondRange.contains(bytes[index + 1]) else { return index }
      for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return index }
      index += length
    }
    return nil
  }
}
