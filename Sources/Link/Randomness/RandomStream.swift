/// A named source of randomness, split from the run's one seed.
///
/// A draw depends on the seed, the stream's name and the draw's key, and on nothing drawn before it.
/// Adding, removing or reordering one fault therefore leaves the draws of every other unchanged.
///
/// Mixing function: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014). Own code, because the standard library does not promise the same
/// numbers from `random(in:using:)` in its next version.
public struct RandomStream: Sendable, Equatable {
  @usableFromInline let state: UInt64

  /// Splits the stream called `name` from the run's seed.
  public init(seed: UInt64, name: String) {
    state = name.utf8.reduce(Self.mix(seed)) { Self.mix($0 ^ UInt64($1)) }
  }

  private init(state: UInt64) { self.state = state }

  /// The stream whose name is this one's and `rest` behind it.
  public func named(_ rest: String) -> Self {
    Self(state: rest.utf8.reduce(state) { Self.mix($0 ^ UInt64($1)) })
  }

  /// Returns 64 random bits, always the same ones for the same `key` and `draw`.
  ///
  /// - Parameters:
  ///   - key: What the draw is about.
  ///   - draw: Tells apart several draws about one thing.
  @inlinable @inline(__always)
  public func bits(for key: UInt64, draw: UInt64 = 0) -> UInt64 {
    Self.mix(state ^ Self.mix(key &+ draw &* 0xD1B5_4A32_D192_ED03))
  }

  /// Returns a number below `bound`, which is at least 1.
  @inlinable @inline(__always)
  public func number(below bound: UInt64, for key: UInt64, draw: UInt64 = 0) -> UInt64 {
    precondition(bound > 0, "nothing is below 0")
    return bits(for: key, draw: draw).multipliedFullWidth(by: bound).high
  }

  /// Tells whether something of this probability happens.
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

  /// Folds several numbers into one key.
  @inlinable @inline(__always)
  public static func key(_ a: UInt64, _ b: UInt64) -> UInt64 { mix(a) ^ (b &* 0x9E37_79B9_7F4A_7C15) }
}

/// A probability, held as an integer threshold so that comparing it is exact on every machine.
public struct Probability: Sendable, Hashable {
  /// 0 for never, 2^53 for always.
  @usableFromInline let threshold: UInt64
  /// The probability as it was written, 0...1.
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
