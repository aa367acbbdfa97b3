/// The first frame of a session in an epoch.
///
/// Layout, little-endian: version u16, clock i64, then the next sequence number of each channel in the order of
/// ``Channel``, and of complication transfers, u64 each. 50 bytes; the last number may be missing, as in an earlier
/// release, and further bytes are ignored.
struct Hello: Sendable, Equatable {
  /// The version of this layout.
  static let version: UInt16 = 1

  /// The largest accepted difference of two clocks, in nanoseconds: about 146 years, so that sums do not overflow.
  private static let clockDifferenceMax: Int64 = 1 << 62

  /// The sender's clock in nanoseconds since 1970.
  var clock: Int64
  /// The number of the next message, context, user info and file; anything lower is stale.
  var nextSeqs: [UInt64]
  /// The number of the next complication transfer; nil if the hello does not include it.
  var nextComplication: UInt64?

  /// The payload of the frame.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(Self.version)
    bytes.appendLittleEndian(UInt64(bitPattern: clock))
    for seq in nextSeqs { bytes.appendLittleEndian(seq) }
    if let nextComplication { bytes.appendLittleEndian(nextComplication) }
    return bytes
  }

  /// The sender's clock minus ours in nanoseconds, clamped.
  func clockDifference(to ours: Int64) -> Int64 {
    min(max(clock -| ours, -Self.clockDifferenceMax), Self.clockDifferenceMax)
  }
}

extension Hello {
  /// Decodes a payload; nil if it is not a hello.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 10 + 8 * Channel.ofLink.count, bytes.littleEndian(UInt16.self, at: 0) >= 1 else {
      return nil
    }
    clock = Int64(bitPattern: bytes.littleEndian(UInt64.self, at: 2))
    nextSeqs = Channel.ofLink.indices.map { bytes.littleEndian(UInt64.self, at: 10 + 8 * $0) }
    if bytes.count >= 50 { nextComplication = bytes.littleEndian(UInt64.self, at: 42) }
  }
}

extension [UInt8] {
  /// Appends an integer in little-endian order.
  @inlinable package mutating func appendLittleEndian<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> T(shift))) }
  }

  /// Reads a little-endian integer; the caller has checked the length.
  @inlinable package func littleEndian<T: FixedWidthInteger>(_: T.Type, at offset: Int) -> T {
    var value: T = 0
    for index in 0..<T.bitWidth / 8 { value |= T(truncatingIfNeeded: self[offset + index]) << T(index * 8) }
    return value
  }
}
