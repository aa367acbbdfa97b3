/// A bounded piece of memory in which ``TraceWriter`` composes one line.
///
/// Appending a text checks for room and leaves ``slack`` bytes free, so that numbers, digests and punctuation between
/// two texts need no check.
@safe struct LineArea {
  /// Bytes that are always free after a text: a UUID in quotes, or a decimal of 255 places, with the surrounding
  /// punctuation.
  private static var slack: Int { 384 }

  private let base: UnsafeMutablePointer<UInt8>
  private let limit: Int
  /// Bytes written so far.
  private(set) var count = 0

  /// Composes a line at the beginning of an array; returns its length, 0 if it does not fit.
  @inline(__always)
  static func compose(in scratch: inout [UInt8], _ write: (inout LineArea) -> Bool) -> Int {
    unsafe scratch.withUnsafeMutableBufferPointer { area in
      var line = unsafe LineArea(area)
      return write(&line) ? line.count : 0
    }
  }

  /// Uses `area`, which must outlive this value and be longer than the slack.
  private init(_ area: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = area.baseAddress, area.count > Self.slack else {
      preconditionFailure("a line area of \(area.count) bytes is too small")
    }
    unsafe base = start
    limit = area.count - Self.slack
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    unsafe base[count] = byte
    count += 1
  }

  /// Appends a text that needs no escapes and is at most 32 bytes long.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    unsafe (base + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  /// Appends the key of a field; false if there is no room.
  @inline(__always)
  mutating func append(_ key: KeyText) -> Bool {
    guard count + KeyText.bytesMax <= limit else { return false }
    // All of it, since a copy of a known length is a few instructions; what follows overwrites the rest.
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: key.words, as: KeyText.Words.self)
    count += key.count
    return true
  }

  /// Appends a text unchanged; false if there is no room.
  @inline(__always)
  mutating func append(raw text: String) -> Bool {
    let copied: Bool? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress else { return true }
      guard count + bytes.count <= limit else { return false }
      unsafe (base + count).update(from: start, count: bytes.count)
      count += bytes.count
      return true
    }
    return copied ?? false
  }

  /// Appends a text in quotes; false if there is no room, or if it needs escapes.
  @inline(__always)
  mutating func append(quoted text: String) -> Bool {
    append(UInt8(ascii: "\""))
    let copied: Bool? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress else { return true }
      guard count + bytes.count <= limit else { return false }
      let target = unsafe base + count
      let source = unsafe UnsafeRawPointer(start)
      let room = UnsafeMutableRawPointer(target)
      var suspects: UInt64 = 0
      let length = bytes.count
      if length >= 8 {
        var index = 0
        while index + 8 <= length {
          suspects |= unsafe Self.move(from: source + index, to: room + index, as: UInt64.self)
          index += 8
        }
        // The last word overlaps bytes that were already copied.
        suspects |= unsafe Self.move(from: source + (length - 8), to: room + (length - 8), as: UInt64.self)
      } else if length >= 4 {
        suspects |= unsafe Self.move(from: source, to: room, as: UInt32.self)
        suspects |= unsafe Self.move(from: source + (length - 4), to: room + (length - 4), as: UInt32.self)
      } else {
        var index = 0
        while index < length {
          suspects |= unsafe Self.move(from: source + index, to: room + index, as: UInt8.self)
          index += 1
        }
      }
      count += length
      return suspects == 0
    }
    append(UInt8(ascii: "\""))
    return copied ?? false
  }

  /// Copies a word, and returns nonzero if one of its bytes may need an escape.
  @inline(__always)
  private static func move<Word: FixedWidthInteger & UnsignedInteger>(
    from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, as type: Word.Type
  ) -> UInt64 {
    let word = unsafe source.loadUnaligned(as: Word.self)
    unsafe target.storeBytes(of: word, as: Word.self)
    let blanks: UInt64 = 0x2020_2020_2020_2020
    // Pads a short word with blanks.
    let padding = Word.bitWidth == 64 ? 0 : blanks << UInt64(Word.bitWidth)
    return suspects(in: UInt64(word) | padding)
  }

  /// Nonzero if one of eight bytes is a quote, a backslash or a control character.
  ///
  /// Has no false negatives; a false positive only costs the slow path.
  @inline(__always)
  private static func suspects(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let control = (word &- ones &* 0x20) & ~word
    return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & (ones &* 0x80)
  }

  /// Appends a value; false if there is no room, or if a text needs escapes.
  @inline(__always)
  mutating func append(_ value: TraceValue) -> Bool {
    switch value {
    case .null: append("null")
    case .bool(true): append("true")
    case .bool(false): append("false")
    case .int(let value): append(value)
    case .decimal(let mantissa, let scale): append(mantissa: mantissa, scale: scale)
    case .string(let text): return append(quoted: text)
    case .hex(let bits): append(quotedHex: bits)
    case .digest(let payload): append(quotedHex: Digest.prefix(payload))
    case .uuid(let high, let low): append(uuid: high, low)
    case .json(let text): return append(raw: text)
    }
    return true
  }

  @inline(__always)
  mutating func append(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: value.magnitude)
  }

  @inline(__always)
  private mutating func append(digits value: UInt64) {
    let length = Self.digitCount(value)
    var end = unsafe base + count + length
    var value = value
    while value >= 100 {
      let (quotient, pair) = value.quotientAndRemainder(dividingBy: 100)
      unsafe end -= 2
      unsafe Self.store(pair: pair, at: end)
      value = quotient
    }
    if value >= 10 {
      unsafe Self.store(pair: value, at: end - 2)
    } else {
      unsafe (end - 1).pointee = 48 + UInt8(truncatingIfNeeded: value)
    }
    count += length
  }

  /// Writes two digits; 6554 / 65536 is close enough to a tenth for numbers below 100.
  @inline(__always)
  private static func store(pair: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    let tens = (pair &* 6554) >> 16
    unsafe place[0] = 48 + UInt8(truncatingIfNeeded: tens)
    unsafe place[1] = 48 + UInt8(truncatingIfNeeded: pair &- tens &* 10)
  }

  /// The number of decimal digits, derived from the bit length (Hacker's Delight, 2nd ed., 11-4).
  @inline(__always)
  private static func digitCount(_ value: UInt64) -> Int {
    if value < 10 { return 1 }
    if value < 100 { return 2 }
    if value < 1000 { return 3 }
    if value < 10_000 { return 4 }
    if value < 100_000 { return 5 }
    if value < 1_000_000 { return 6 }
    var count = 6
    var rest = value / 1_000_000
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    if rest >= 1000 { return count + 4 }
    if rest >= 100 { return count + 3 }
    return rest >= 10 ? count + 2 : count + 1
  }

  @inline(__always)
  mutating func append(mantissa: Int64, scale: UInt8) {
    if mantissa < 0 { append(UInt8(ascii: "-")) }
    let magnitude = mantissa.magnitude
    switch scale {
    case 1: append(split: magnitude.quotientAndRemainder(dividingBy: 10), places: 1)
    case 2: append(split: magnitude.quotientAndRemainder(dividingBy: 100), places: 2)
    case 3: append(split: magnitude.quotientAndRemainder(dividingBy: 1_000), places: 3)
    default: append(magnitude: magnitude, scale: Int(scale))
    }
  }

  /// Appends a number by its whole part and the digits after the point, 1...3 of them.
  @inline(__always)
  private mutating func append(split: (quotient: UInt64, remainder: UInt64), places: Int) {
    append(digits: split.quotient)
    append(UInt8(ascii: "."))
    let (tens, last) = split.remainder.quotientAndRemainder(dividingBy: 10)
    if places == 2 {
      unsafe Self.store(pair: split.remainder, at: base + count)
      count += 2
    } else {
      if places == 3 {
        unsafe Self.store(pair: tens, at: base + count)
        count += 2
      }
      append(48 + UInt8(truncatingIfNeeded: last))
    }
  }

  private mutating func append(magnitude: UInt64, scale: Int) {
    // Most numbers have a few decimals; the digits after the point are shifted to make room for it.
    let length = max(Self.digitCount(magnitude), scale + 1)
    let start = unsafe base + count
    var rest = magnitude
    var index = length
    while index > length - scale {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      unsafe start[index] = 48 + UInt8(truncatingIfNeeded: digit)
      rest = quotient
      index -= 1
    }
    unsafe start[length - scale] = UInt8(ascii: ".")
    let whole = length - scale
    index = whole - 1
    while index >= 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      unsafe start[index] = 48 + UInt8(truncatingIfNeeded: digit)
      rest = quotient
      index -= 1
    }
    count += length + (scale > 0 ? 1 : 0)
  }

  /// Appends all 16 digits of `bits`, in lowercase and in quotes.
  @inline(__always)
  mutating func append(quotedHex bits: UInt64) {
    append(UInt8(ascii: "\""))
    append(hex: bits, digits: 16)
    append(UInt8(ascii: "\""))
  }

  /// Appends the low digits of `bits`, an even number of at most 16, in lowercase.
  @inline(__always)
  mutating func append(hex bits: UInt64, digits: Int) {
    let target = unsafe base + count
    if digits == 16 {
      unsafe Self.store(hex: UInt32(truncatingIfNeeded: bits >> 32), at: target)
      unsafe Self.store(hex: UInt32(truncatingIfNeeded: bits), at: target + 8)
    } else {
      var index = 0
      while index < digits {
        let nibble = UInt8(truncatingIfNeeded: bits >> UInt64((digits - 1 - index) * 4)) & 15
        unsafe target[index] = nibble < 10 ? 48 + nibble : 87 + nibble
        index += 1
      }
    }
    count += digits
  }

  /// Writes eight hexadecimal digits at once: spreads the nibbles over eight bytes, then turns each into a digit or a
  /// letter by an addition.
  @inline(__always)
  private static func store(hex bits: UInt32, at place: UnsafeMutablePointer<UInt8>) {
    var spread = UInt64(bits)
    spread = (spread & 0xFFFF_0000) << 16 | spread & 0xFFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    let text = spread &+ 0x3030_3030_3030_3030 &+ letters &* 39
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: text.bigEndian, as: UInt64.self)
  }

  @inline(__always)
  mutating func append(uuid high: UInt64, _ low: UInt64) {
    let target = unsafe base + count
    unsafe target[0] = UInt8(ascii: "\"")
    // Stores eight digits at a time; later stores overwrite the digits that a dash moves.
    unsafe Self.store(hex: UInt32(truncatingIfNeeded: high >> 32), at: target + 1)
    unsafe target[9] = UInt8(ascii: "-")
    unsafe Self.store(hex: UInt32(truncatingIfNeeded: high), at: target + 10)
    unsafe Self.store(hex: UInt32(truncatingIfNeeded: high << 16), at: target + 15)
    unsafe target[14] = UInt8(ascii: "-")
    unsafe target[19] = UInt8(ascii: "-")
    unsafe Self.store(hex: UInt32(truncatingIfNeeded: low >> 32), at: target + 20)
    unsafe target[24] = UInt8(ascii: "-")
    unsafe Self.store(hex: UInt32(truncatingIfNeeded: low >> 16), at: target + 25)
    unsafe Self.store(hex: UInt32(truncatingIfNeeded: low), at: target + 29)
    unsafe target[37] = UInt8(ascii: "\"")
    count += 38
  }
}
