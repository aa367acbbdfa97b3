/// A payload that remembers its digest once it was reckoned.
///
/// The digest stands in the line of a frame's sending and in that of its arrival. In one process both are about the
/// same bytes in memory, and reckoning it once is enough; other bytes are other bytes, and are digested anew.
@usableFromInline struct DigestedPayload: Sendable, Equatable {
  /// What was digested; never changed in place.
  @usableFromInline let bytes: [UInt8]
  /// The first 8 bytes of the SHA-256; 0 where it was not reckoned.
  @usableFromInline var known: UInt64 = 0

  @inlinable init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Equal bytes are equal, whether they were digested or not.
  @usableFromInline static func == (lhs: Self, rhs: Self) -> Bool { lhs.bytes == rhs.bytes }

  /// The first 8 bytes of the SHA-256, reckoned at most once.
  mutating func digest() -> UInt64 {
    if known == 0 { known = Digest.prefix(bytes) }
    return known
  }

  /// The digest of bytes that may be these, for a line of the trace; left to be reckoned where these were not digested.
  ///
  /// Arrays that share their memory are equal without being gone through.
  func traceValue(of other: [UInt8]) -> TraceValue {
    known != 0 && other == bytes ? .hex(known) : .digest(of: other)
  }
}
