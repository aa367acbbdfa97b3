import Link

/// Distinguishes payloads without storing them: by the digest in a line, otherwise by a faster hash.
///
/// Runs without text output leave all digests uncomputed (``TraceValue/digest(of:)``), so the marks of one run are all
/// of the same sort.
struct PayloadMark: Sendable, Equatable {
  private let bits: UInt64
  private let isDigest: Bool

  /// Reads a `digest` field; nil for any other value.
  @inline(__always)
  init?(_ value: TraceValue) {
    switch value {
    case .hex(let bits):
      self.bits = bits
      isDigest = true
    case .digest(let payload):
      bits = Self.mark(payload)
      isDigest = false
    default: return nil
    }
  }

  /// Whether the payloads certainly differ; false for marks of different sorts, which cannot be compared.
  @inline(__always)
  func differs(from other: Self) -> Bool { isDigest == other.isDigest && bits != other.bits }

  /// A 64-bit hash of the bytes, computed in four parallel lanes; the last read overlaps the bytes before it.
  private static func mark(_ payload: [UInt8]) -> UInt64 {
    let bytes = payload.span
    var lanes: (UInt64, UInt64, UInt64, UInt64) = (
      0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count), 0x9AE1_6A3B_2F90_404F, 0xC3A5_C85C_97CB_3127, 0xB492_B66F_BE98_F273
    )
    let last = bytes.count - 32
    var offset = 0
    while offset <= last {
      mix(bytes, at: offset, into: &lanes)
      offset += 32
    }
    if last >= 0 {
      if offset < bytes.count { mix(bytes, at: last, into: &lanes) }
    } else {
      for index in bytes.indices { lanes.0 = mixed(lanes.0 ^ UInt64(bytes[index])) }
    }
    return mixed(mixed(lanes.0 ^ turned(lanes.1)) ^ turned(mixed(lanes.2 ^ turned(lanes.3))))
  }

  @inline(__always)
  private static func mix(_ bytes: Span<UInt8>, at offset: Int, into lanes: inout (UInt64, UInt64, UInt64, UInt64)) {
    lanes.0 = (lanes.0 ^ bytes.word(UInt64.self, at: offset)) &* prime
    lanes.1 = (lanes.1 ^ bytes.word(UInt64.self, at: offset + 8)) &* prime
    lanes.2 = (lanes.2 ^ bytes.word(UInt64.self, at: offset + 16)) &* prime
    lanes.3 = (lanes.3 ^ bytes.word(UInt64.self, at: offset + 24)) &* prime
  }

  /// Odd, so that multiplication is a bijection: 2^64 divided by the golden ratio.
  private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Rotates by a bit, so that equal changes of two lanes do not cancel each other.
  @inline(__always)
  private static func turned(_ value: UInt64) -> UInt64 { value << 1 | value >> 63 }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = (value ^ value >> 32) &* prime
    return product ^ product >> 29
  }
}
