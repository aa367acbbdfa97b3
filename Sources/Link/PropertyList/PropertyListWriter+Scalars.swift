// Numbers, strings and data.

extension PropertyListWriter {
  /// Writes an object's first byte and its count, which follows as an integer if it is 15 or more.
  @inline(__always)
  mutating func putMarker(_ marker: UInt8, count: Int) {
    if count < 15 {
      bytes.append(marker | UInt8(truncatingIfNeeded: count))
    } else {
      bytes.append(marker | 15)
      putInteger(Int64(count))
    }
  }

  /// Writes an integer in 1, 2, 4 or, always if negative, 8 bytes.
  mutating func putInteger(_ value: Int64) {
    let exponent = value < 0 ? 3 : value < 1 << 8 ? 0 : value < 1 << 16 ? 1 : value < 1 << 32 ? 2 : 3
    let size = 1 << exponent
    bytes.append(PropertyListFormat.integer | UInt8(truncatingIfNeeded: exponent))
    // Writes all eight bytes with the value first; the rest is overwritten next.
    bytes.store((UInt64(bitPattern: value) << UInt64(64 - 8 * size)).bigEndian, at: bytes.count)
    bytes.count += size
  }

  @inline(__always)
  mutating func putReal(_ value: Double, marker: UInt8) {
    bytes.append(marker)
    bytes.store(value.bitPattern.bigEndian, at: bytes.count)
    bytes.count += 8
  }

  mutating func putData(_ value: [UInt8]) {
    bytes.reserve(value.count + 17)
    putMarker(PropertyListFormat.data, count: value.count)
    bytes.append(value.span)
  }

  /// Writes a string, in ASCII if possible, otherwise in UTF-16.
  mutating func putString(_ value: String) {
    let text = value.utf8.span
    guard Self.isASCII(text) else { return putUTF16(Array(value.utf16)) }
    bytes.reserve(text.count + 17)
    putMarker(PropertyListFormat.ascii, count: text.count)
    bytes.append(text)
  }

  private mutating func putUTF16(_ units: [UInt16]) {
    bytes.reserve(units.count * 2 + 17)
    putMarker(PropertyListFormat.utf16, count: units.count)
    for unit in units {
      bytes.append(UInt8(unit >> 8))
      bytes.append(UInt8(truncatingIfNeeded: unit))
    }
  }

  /// Writes the 36 characters of an identifier: 8-4-4-4-12 digits.
  mutating func putIdentifier(_ value: Identifier) {
    bytes.append(PropertyListFormat.ascii | 15)
    putInteger(36)
    let words = (
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.high >> 32)),
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.high)),
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.low >> 32)),
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.low))
    )
    // Each store writes eight bytes; later stores overwrite the bytes of hyphens and following digits.
    let end = bytes.count
    bytes.store(words.0.bigEndian, at: end)
    bytes.store(words.1.bigEndian, at: end + 9)
    bytes.store((words.1 << 32).bigEndian, at: end + 14)
    bytes.store(words.2.bigEndian, at: end + 19)
    bytes.store((words.2 << 32).bigEndian, at: end + 24)
    bytes.store(words.3.bigEndian, at: end + 28)
    for group in 0..<4 { bytes.store(UInt8(ascii: "-"), at: end + 8 + 5 * group) }
    bytes.count += 36
  }

  @inline(__always)
  private static func isASCII(_ text: Span<UInt8>) -> Bool {
    var index = 0
    var all: UInt64 = 0
    while index + 8 <= text.count {
      all |= text.word(UInt64.self, at: index)
      index += 8
    }
    while index < text.count {
      all |= UInt64(text[index])
      index += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
