/// Eight hexadecimal digits at a time, as the bytes of one integer.
package enum HexadecimalWord {
  /// Returns 32 bits as 8 lower-case digits; the first digit is in the highest byte.
  @inlinable @inline(__always)
  package static func text(_ value: UInt32) -> UInt64 {
    // Halves move apart until each byte holds four bits.
    var digits = UInt64(value)
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    return ascii(digits)
  }

  /// Reads 8 digits in either case; nil if a byte is not a digit.
  @inlinable @inline(__always)
  package static func value(_ text: UInt64) -> UInt32? {
    let letters = text & 0x4040_4040_4040_4040
    let lowerCase = text | letters >> 1
    let digits = ((text & 0x0F0F_0F0F_0F0F_0F0F) &+ (letters >> 6) &* 9) & 0x0F0F_0F0F_0F0F_0F0F
    // A byte that was not a digit becomes one here, so the text differs.
    guard ascii(digits) == lowerCase else { return nil }
    var value = digits
    value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
    value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: value | value >> 16)
  }

  /// Converts each byte from 0 to 15 to its digit.
  @inlinable @inline(__always)
  package static func ascii(_ digits: UInt64) -> UInt64 {
    let isLetter = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27
  }
}
