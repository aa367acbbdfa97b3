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
