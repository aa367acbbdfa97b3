/// A UUID as two numbers: a workout, a transfer, a run.
public struct Identifier: Sendable, Hashable, Comparable {
  /// The first half.
  public var high: UInt64
  /// The second half.
  public var low: UInt64

  /// Creates an identifier from its halves.
  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Draws a version 4 identifier (RFC 9562), always the same for the same stream and key.
  public init(_ random: RandomStream, for key: UInt64) {
    high = random.bits(for: key, draw: 0) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    low = random.bits(for: key, draw: 1) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// The version 8 identifier (RFC 9562) of a name: the first bytes of the SHA-256 of space and name.
  package init(of name: String, in space: Identifier) {
    let digest = Digest.sha256(Array("\(space.text)/\(name)".utf8))
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    high = half(digest[0..<8]) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
    low = half(digest[8..<16]) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// Reads 8-4-4-4-12 hexadecimal digits in either case; nil for anything else.
  public init?(text: some StringProtocol) {
    var halves: (UInt64, UInt64) = (0, 0)
    var digits = 0
    var place = 0
    for byte in text.utf8 {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let nibble = JSONTextReader.hexadecimalValue(byte) else { return nil }
        if digits < 16 { halves.0 = halves.0 << 4 | UInt64(nibble) } else { halves.1 = halves.1 << 4 | UInt64(nibble) }
        digits += 1
      }
      place += 1
      guard place <= 36 else { return nil }
    }
    guard digits == 32, place == 36 else { return nil }
    (high, low) = halves
  }

  /// 36 characters in lowercase.
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    appendHex(high >> 32, digits: 8, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendHex(high >> 16, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendHex(high, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendHex(low >> 48, digits: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    appendHex(low, digits: 12, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The identifier as a field of a trace line.
  @inlinable public var traceValue: TraceValue { .uuid(high: high, low: low) }

  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.high == rhs.high ? lhs.low < rhs.low : lhs.high < rhs.high
  }
}
