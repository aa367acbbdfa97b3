/// What tells one payload from another, without holding it: its digest where a line says that, else a quicker mark.
///
/// Runs whose text nobody wants leave the digests of their frames to be reckoned (``TraceValue/digest(of:)``), in every
/// line of theirs; so two marks of one run are of one sort.
struct PayloadMark: Sendable, Equatable {
  private let bits: UInt64
  private let isDigest: Bool

  /// Takes a `digest` field; nil for what is none.
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

  /// Whether the payloads are known to be two; false for marks of two sorts, which tell nothing.
  @inline(__always)
  func differs(from other: Self) -> Bool { isDigest == other.isDigest && bits != other.bits }

  /// A 64-bit mark of the bytes, read in four lanes side by side.
  ///
  /// Each step is a bijection of what came before in its lane, as in FNV-1a, so that two payloads of one length that
  /// differ in one place never have one mark.
  private static func mark(_ payload: [UInt8]) -> UInt64 {
    unsafe payload.withUnsafeBytes { bytes in
      var first = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
      var second: UInt64 = 0x9AE1_6A3B_2F90_404F
      var third: UInt64 = 0xC3A5_C85C_97CB_3127
      var fourth: UInt64 = 0xB492_B66F_BE98_F273
      var place = 0
      while place + 32 <= bytes.count {
        unsafe first = (first ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* prime
        unsafe second = (second ^ bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)) &* prime
        unsafe third = (third ^ bytes.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self)) &* prime
        unsafe fourth = (fourth ^ bytes.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self)) &* prime
        place += 32
      }
      while place + 8 <= bytes.count {
        unsafe first = mixed(first ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      while place < bytes.count {
        unsafe first = mixed(first ^ UInt64(bytes[place]))
        place += 1
      }
      return mixed(mixed(mixed(mixed(first) ^ second) ^ third) ^ fourth)
    }
  }

  /// Odd, so that multiplying by it loses nothing: 2^64 divided by the golden ratio.
  private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = (value ^ value >> 32) &* prime
    return product ^ product >> 29
  }
}
