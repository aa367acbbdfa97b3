// Numbers, strings and data.

extension PropertyListWriter {
  @inline(__always)
  mutating func putByte(_ byte: UInt8) {
    unsafe base.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
    end += 1
  }

  /// Writes an object's first byte and its count, which follows as an integer if it is 15 or more.
  @inline(__always)
  mutating func putMarker(_ marker: UInt8, count: Int) {
    if count < 15 {
      putByte(marker | UInt8(truncatingIfNeeded: count))
    } else {
      putByte(marker | 15)
      putInteger(Int64(count))
    }
  }

  /// Writes an integer in 1, 2, 4 or, always if negative, 8 bytes.
  mutating func putInteger(_ value: Int64) {
    let exponent = value < 0 ? 3 : value < 1 << 8 ? 0 : value < 1 << 16 ? 1 : value < 1 << 32 ? 2 : 3
    let size = 1 << exponent
    putByte(PropertyListFormat.integer | UInt8(truncatingIfNeeded: exponent))
    // Writes all eight bytes with the value first; the rest is overwritten next.
    putBigEndian(UInt64(bitPattern: value) << UInt64(64 - 8 * size), at: end)
    end += size
  }

  @inline(__always)
  mutating func putReal(_ value: Double, marker: UInt8) {
    putByte(marker)
    putBigEndian(value.bitPattern, at: end)
    end += 8
  }

  mutating func putData(_ value: [UInt8]) {
    reserve(value.count + 17)
    putMarker(PropertyListFormat.data, count: value.count)
    unsafe value.withUnsafeBytes { source in
      if let start = source.baseAddress { unsafe (base + end).copyMemory(from: start, byteCount: source.count) }
    }
    end += value.count
  }

  /// Writes a string, in ASCII if possible, otherwise in UTF-16.
  mutating func putString(_ value: String) {
    var value = value
    let start = end
    let isASCII = value.withUTF8 { text in
      reserve(text.count + 17)
      putMarker(PropertyListFormat.ascii, count: text.count)
      if let source = text.baseAddress { unsafe Self.copy(source, to: base + end, count: text.count) }
      end += text.count
      return unsafe Self.isASCII(UnsafeRawBufferPointer(text))
    }
    guard !isASCII else { return }
    end = start
    putUTF16(Array(value.utf16))
  }

  private mutating func putUTF16(_ units: [UInt16]) {
    reserve(units.count * 2 + 17)
    putMarker(PropertyListFormat.utf16, count: units.count)
    for unit in units {
      putByte(UInt8(unit >> 8))
      putByte(UInt8(truncatingIfNeeded: unit))
    }
  }

  /// Writes the 36 characters of an identifier: 8-4-4-4-12 digits.
  mutating func putIdentifier(_ value: Identifier) {
    putByte(PropertyListFormat.ascii | 15)
    putInteger(36)
    let words = (
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.high >> 32)),
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.high)),
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.low >> 32)),
      HexadecimalWord.text(UInt32(truncatingIfNeeded: value.low))
    )
    // Each store writes eight bytes; later stores overwrite the bytes of hyphens and following digits.
    putBigEndian(words.0, at: end)
    putBigEndian(words.1, at: end + 9)
    putBigEndian(words.1 << 32, at: end + 14)
    putBigEndian(words.2, at: end + 19)
    putBigEndian(words.2 << 32, at: end + 24)
    putBigEndian(words.3, at: end + 28)
    for group in 0..<4 {
      unsafe base.storeBytes(of: UInt8(ascii: "-"), toByteOffset: end + 8 + 5 * group, as: UInt8.self)
    }
    end += 36
  }

  @inline(__always)
  private static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    var all: UInt64 = 0
    while index + 8 <= text.count {
      all |= unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < text.count {
      unsafe all |= UInt64(text[index])
      index += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }

  /// Copies bytes; a few of them with two stores that may overlap.
  @inline(__always)
  static func copy(_ source: UnsafePointer<UInt8>, to target: UnsafeMutableRawPointer, count: Int) {
    let source = unsafe UnsafeRawPointer(source)
    if count > 16 {
      unsafe target.copyMemory(from: source, byteCount: count)
    } else if count >= 8 {
      let tail = unsafe source.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      unsafe target.storeBytes(of: tail, toByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      let tail = unsafe source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
      unsafe target.storeBytes(of: tail, toByteOffset: count - 4, as: UInt32.self)
    } else {
      for index in 0..<count {
        unsafe target.storeBytes(
          of: source.load(fromByteOffset: index, as: UInt8.self), toByteOffset: index, as: UInt8.self)
      }
    }
  }

  @inline(__always)
  mutating func putBigEndian(_ value: UInt64, at place: Int) {
    unsafe Self.store(value, to: base + place)
  }

  @inline(__always)
  static func store(_ value: UInt64, to target: UnsafeMutableRawPointer) {
    unsafe target.storeBytes(of: value.bigEndian, as: UInt64.self)
  }

  @inline(__always)
  static func store(_ value: UInt64, to target: UnsafeMutableRawPointer, size: Int) {
    for index in 0..<size {
      let byte = UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - index)))
      unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}
