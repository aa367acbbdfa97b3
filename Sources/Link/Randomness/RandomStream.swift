/// A named source of randomness, split from the run's one seed.
///
/// A draw depends on the seed, the stream's name and the draw's key, and not on earlier draws. So adding, removing or
/// reordering one fault does not change the draws of any other.
///
/// Mixing function: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). Own
/// code, because the standard library may change the results of `random(in:using:)`.
public struct RandomStream: Sendable, Equatable {
  @usableFromInline let state: UInt64

  /// Derives the stream called `name` from the run's seed.
  public init(seed: UInt64, name: String) {
    state = name.utf8.reduce(Self.mix(seed)) { Self.mix($0 ^ UInt64($1)) }
  }

  private init(state: UInt64) { self.state = state }

  /// The stream with this one's name followed by `rest`.
  public func appending(_ rest: String) -> Self {
    Self(state: rest.utf8.reduce(state) { Self.mix($0 ^ UInt64($1)) })
  }

  /// Returns 64 random bits, always the same for the same `key` and `draw`.
  ///
  /// - Parameters:
  ///   - key: The subject of the draw.
  ///   - draw: Distinguishes several draws with one key.
  @inlinable @inline(__always)
  public func bits(for key: UInt64, draw: UInt64 = 0) -> UInt64 {
    Self.mix(state ^ Self.mix(key &+ draw &* 0xD1B5_4A32_D192_ED03))
  }

  /// Returns a number below `bound`, which must be at least 1.
  @inlinable @inline(__always)
  public func number(below bound: UInt64, for key: UInt64, draw: UInt64 = 0) -> UInt64 {
    precondition(bound > 0, "the bound is at least 1")
    return bits(for: key, draw: draw).multipliedFullWidth(by: bound).high
  }

  /// Whether an event with this probability happens.
  @inlinable @inline(__always)
  public func happens(_ probability: Probability, for key: UInt64, draw: UInt64 = 0) -> Bool {
    bits(for: key, draw: draw) >> 11 < probability.threshold
  }

  /// The mixing step of SplitMix64: a bijection on 64 bits.
  @inlinable @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Combines two numbers into one key.
  @inlinable @inline(__always)
  public static func key(_ a: UInt64, _ b: UInt64) -> UInt64 { mix(a) ^ (b &* 0x9E37_79B9_7F4A_7C15) }
}

/// A probability as an integer threshold, so that comparisons are exact on every machine.
public struct Probability: Sendable, Hashable {
  /// 0 for never, 2^53 for always.
  @usableFromInline let threshold: UInt64
  /// The probability as given, 0...1.
  public let value: Double

  /// Creates a probability; nil outside 0...1.
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
    threshold = UInt64(value * 9_007_199_254_740_992)
  }

  /// It never happens.
  public static let never = Self(threshold: 0, value: 0)
  /// It always happens.
  public static let always = Self(threshold: 1 << 53, value: 1)

  private init(threshold: UInt64, value: Double) {
    self.threshold = threshold
    self.value = value
  }
}
