import CSystem

/// SHA-256 (FIPS 180-4) of bytes in memory.
public enum Digest {
  /// Returns the first 8 bytes of the digest as a big-endian number: its first 16 hexadecimal digits.
  public static func prefix(_ payload: [UInt8]) -> UInt64 {
    unsafe payload.withUnsafeBytes { unsafe cs_sha256_prefix($0.baseAddress, $0.count) }
  }

  /// Returns the 32 bytes of the digest.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var stream = SHA256Stream()
    stream.append(bytes)
    return stream.finish()
  }

  /// Returns a digest's first 8 bytes as 16 hexadecimal digits, in lower case.
  public static func text(_ prefix: UInt64) -> String {
    let digits = String(prefix, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Returns bytes as two hexadecimal digits each, in lower case.
  public static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }
}

/// SHA-256 of bytes that arrive in pieces; a copy forks the digest.
public struct SHA256Stream: Sendable, Equatable {
  /// The length of a saved state in bytes: eight words of four bytes, the byte count, and the last block, padded with
  /// zeros.
  public static let savedBytes = 32 + 8 + 64

  private var context = cs_sha256()

  /// Starts a digest.
  public init() { unsafe cs_sha256_init(&context, 0) }

  /// Starts a digest that does not use the processor's SHA extensions, for comparisons.
  package init(isPortable: Bool) { unsafe cs_sha256_init(&context, isPortable ? 1 : 0) }

  /// Continues a saved digest; nil unless `saved` has ``savedBytes`` bytes.
  public init?(saved: [UInt8]) {
    guard saved.count == Self.savedBytes else { return nil }
    self.init()
    context.length = saved.littleEndian(UInt64.self, at: 32)
    unsafe withUnsafeMutableBytes(of: &context.state) { state in
      for word in 0..<8 {
        unsafe state.storeBytes(
          of: saved.littleEndian(UInt32.self, at: word * 4), toByteOffset: word * 4, as: UInt32.self)
      }
    }
    unsafe withUnsafeMutableBytes(of: &context.block) { block in
      for index in 0..<64 { unsafe block[index] = saved[40 + index] }
    }
  }

  /// The state for ``init(saved:)``; the same bytes on every machine.
  public var saved: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.savedBytes)
    unsafe withUnsafeBytes(of: context.state) { state in
      for word in 0..<8 { bytes.appendLittleEndian(unsafe state.load(fromByteOffset: word * 4, as: UInt32.self)) }
    }
    bytes.appendLittleEndian(context.length)
    // Bytes of the block past this count are left over from earlier blocks.
    let held = Int(context.length % 64)
    unsafe withUnsafeBytes(of: context.block) { block in
      for index in 0..<64 { bytes.append(index < held ? unsafe block[index] : 0) }
    }
    return bytes
  }

  /// The number of bytes added so far.
  public var byteCount: UInt64 { context.length }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.saved == rhs.saved }

  /// Adds bytes.
  public mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe cs_sha256_update(&context, $0.baseAddress, $0.count) }
  }

  /// Adds part of an array, without copying it.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe cs_sha256_update(&context, $0.baseAddress, $0.count) }
  }

  /// Returns the 32 bytes of the digest so far; more bytes may be added afterwards.
  public func finish() -> [UInt8] {
    var ended = context
    return unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      unsafe cs_sha256_final(&ended, buffer.baseAddress)
      count = 32
    }
  }
}

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), which finds every burst of up to 32 wrong bits.
public enum Checksum {
  /// Returns the checksum of bytes, or continues one.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes.
  ///   - checksum: The checksum of the bytes before; 0 if there are none.
  public static func crc32c(_ bytes: [UInt8], continuing checksum: UInt32 = 0) -> UInt32 {
    crc32c(bytes.span, continuing: checksum)
  }

  /// Returns the checksum of part of an array, without copying it.
  public static func crc32c(_ bytes: ArraySlice<UInt8>, continuing checksum: UInt32 = 0) -> UInt32 {
    crc32c(bytes.span, continuing: checksum)
  }

  /// Returns the checksum of bytes, or continues one.
  @inline(__always)
  static func crc32c(_ bytes: Span<UInt8>, continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe cs_crc32c(checksum, $0.baseAddress, $0.count) }
  }

  /// The same without processor support, for comparisons.
  package static func portable(_ bytes: [UInt8], continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe cs_crc32c_portable(checksum, $0.baseAddress, $0.count) }
  }
}

/// A payload that caches its digest.
///
/// The digest appears in the line of a frame's sending and in that of its arrival. In one process both refer to the
/// same bytes in memory, so computing it once is enough; other bytes have their own digest.
@usableFromInline struct DigestedPayload: Sendable, Equatable {
  /// The payload; never changed in place.
  @usableFromInline let bytes: [UInt8]
  /// The first 8 bytes of the SHA-256; 0 if not computed yet.
  @usableFromInline var known: UInt64 = 0

  @inlinable init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Compares the bytes; the cached digest does not matter.
  @usableFromInline static func == (lhs: Self, rhs: Self) -> Bool { lhs.bytes == rhs.bytes }

  /// Returns the first 8 bytes of the SHA-256; computes it at most once.
  mutating func digest() -> UInt64 {
    if known == 0 { known = Digest.prefix(bytes) }
    return known
  }

  /// The digest of `other` as a field of an event: the cached one if `other` equals these bytes, otherwise computed
  /// when it is first read.
  ///
  /// Arrays that share their memory compare equal without a scan.
  func eventDigest(of other: [UInt8]) -> EventDigest {
    known != 0 && other == bytes ? EventDigest(bits: known) : EventDigest(of: other)
  }
}
